import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { OccurrenceCollector } from './occurrence.ts';
import { createSignalDirectory } from './signal-directory-service.ts';
import { recordOccurrences } from './signal-recorder.ts';

// Signals as their callers meet them, on the real engines. They are recorded the way the scheduler records them.

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 2, 4, 10);
let app: DetectionApp;
let workbookId = '';

const signalBody = contract.signalBodySchema.parse({
  name: '_$Who_ on _$Where_',
  tactic: 'Execution',
  technique: 'T1059',
  confidence: 'High',
  score: 8,
  suspects: [{ type: 'user', field: 'Who' }],
  targets: [{ type: 'host', field: 'Where' }],
  tags: ['lab'],
});

interface Finding {
  readonly who: string;
  readonly where: string;
  readonly time: number;
  readonly body?: Partial<contract.SignalBody>;
}

async function record(findings: readonly Finding[], scope?: { clusterId: string; scopeId: string }) {
  const { a } = app.company;
  const { clusterId, scopeId } = scope ?? { clusterId: a.clusterId, scopeId: a.scope };
  for (const { who, where, time, body } of findings) {
    const signal = { ...signalBody, ...body };
    const rule = {
      clusterId,
      scopeId,
      workbookId,
      workbookName: 'Lab',
      version: 1,
      stage: 'prod',
      stream: 'ProcessEvent',
      signal,
    };
    const collector = new OccurrenceCollector(rule, signal, { from: time, to: time + 60_000 }, 0);
    collector.add({ Who: who, Where: where, TimeGenerated: new Date(time).toISOString(), Count: 3 });
    await app.test.platform.postgres.inTenant(clusterId, (trx) =>
      recordOccurrences(trx, rule, collector.occurrences(), time + 90_000),
    );
  }
}

beforeAll(async () => {
  app = await detectionApp(T0 + 10 * HOUR);
  const saved = await app.call(contract.addWorkbook, {
    properties: detectionDraft('ProcessEvent | take 1', {
      signal: { kb: '## Read me' },
      schedule: { mode: 'off' } as never,
    }),
  });
  workbookId = saved.data.ID;
  await record([
    { who: 'eve', where: 'pc-1', time: T0 },
    {
      who: 'eve',
      where: 'pc-2',
      time: T0 + HOUR,
      body: { score: 3, tactic: 'Discovery', technique: 'T1087', tags: ['web'] },
    },
    { who: 'bob', where: 'pc-1', time: T0 + 2 * HOUR },
    { who: 'bob', where: 'srv-9', time: T0 + 9 * HOUR, body: { confidence: 'Low' } },
  ]);
  const { a, b } = app.company;
  await record([{ who: 'other-scope', where: 'pc-1', time: T0 }], {
    clusterId: a.clusterId,
    scopeId: a.otherScope,
  });
  await record([{ who: 'canary-of-b', where: 'pc-1', time: T0 }], {
    clusterId: b.clusterId,
    scopeId: b.scope,
  });
});
afterAll(() => app?.test.close());

const list = async (input: object = {}) => (await app.call(contract.listSignals, input, 'analyst')).data;
const names = async (input: object = {}) => (await list(input)).data.map((signal) => signal.name);
const idOf = async (name: string) =>
  (await list()).data.find((signal) => signal.name === name)?.signal_id ?? '';
const filter = (filter_key: string, filter_value: unknown, filter_operand = 'exact') => ({
  addfilters: [{ filter_key, filter_operand, filter_value }],
});

describe('[S7-44] the list', () => {
  it('[C043] shows the scope alone, newest first, with counts of the views', async () => {
    const data = await list();
    expect(data.data.map((signal) => signal.name)).toEqual([
      'bob on srv-9',
      'bob on pc-1',
      'eve on pc-2',
      'eve on pc-1',
    ]);
    expect(data.view_counts).toEqual({ pending: 4, triaged: 0, all: 4 });
    expect(data.data[3]).toMatchObject({ workbook_id: workbookId, ttd_seconds: null, occurrences: 1 });
  });

  it('[R-C20][C043] orders what is equal by time, newest first, whichever way it is sorted', async () => {
    const expected = ['bob on srv-9', 'bob on pc-1', 'eve on pc-1'];
    const eights = { ...filter('score', 8), sort: 'score' };
    expect(await names(eights)).toEqual(expected);
    expect(await names({ ...eights, order: 'asc' })).toEqual(expected);
  });

  it('[C043] takes the signals that touch a time range, half-open', async () => {
    expect(await names({ start: T0 + HOUR, end: T0 + 2 * HOUR })).toEqual(['eve on pc-2']);
    expect(await names({ start: T0 + HOUR, end: T0 + 2 * HOUR + 1 })).toEqual(['bob on pc-1', 'eve on pc-2']);
  });

  it('[C043] includes and excludes entities, by type and role', async () => {
    expect(await names({ include: [{ value: 'eve' }] })).toEqual(['eve on pc-2', 'eve on pc-1']);
    expect(
      await names({
        include: [{ value: 'pc-1', type: 'host', role: 'target' }],
        exclude: [{ value: 'bob' }],
      }),
    ).toEqual(['eve on pc-1']);
    expect(await names({ include: [{ value: 'pc-1', role: 'suspect' }] })).toEqual([]);
  });

  it('[C043] filters by every column, and by AND and OR from left to right', async () => {
    expect(await names(filter('tactic', 'Discovery'))).toEqual(['eve on pc-2']);
    expect(await names(filter('score', 5, 'gt'))).toHaveLength(3);
    expect(await names(filter('score', [1, 4], 'between'))).toEqual(['eve on pc-2']);
    expect(await names(filter('tag', 'web'))).toEqual(['eve on pc-2']);
    expect(await names(filter('name', 'SRV', 'fuzzy'))).toEqual(['bob on srv-9']);
    expect(await names(filter('name', '%', 'fuzzy'))).toEqual([]);
    expect(await names(filter('confidence', ['Low', 'Medium'], 'in'))).toEqual(['bob on srv-9']);
    expect(await names(filter('suspect', 'ev', 'fuzzy'))).toHaveLength(2);
    const or = {
      filter_condition: 'OR',
      filter_key: 'confidence',
      filter_operand: 'exact',
      filter_value: 'Low',
    };
    expect(await names({ addfilters: [...filter('tactic', 'Discovery').addfilters, or] })).toHaveLength(2);
    expect((await app.call(contract.listSignals, filter('password', 'x'))).http).toBe(422);
    expect((await app.call(contract.listSignals, filter('score', 'high', 'gt'))).http).toBe(422);
  });

  it('[C043][signals.listIds] pages and sorts, and tells the ids of all', async () => {
    const page = await list({ pageno: 2, pagesize: 3, sort: 'score', order: 'asc' });
    expect([page.data.length, page.total_count]).toEqual([1, 4]);
    const first = (await app.call(contract.signalIds, { pagesize: 3 })).data;
    const second = (await app.call(contract.signalIds, { pagesize: 3, pageno: 2 })).data;
    expect(new Set([...first.ids, ...second.ids]).size).toBe(4);
    expect(first.total_count).toBe(4);
  });
});

describe('[S7-44] summaries', () => {
  it('[C045] counts over time, empty slices included', async () => {
    const slices = await app.call(contract.signalTimeslices, {
      start: T0,
      end: T0 + 4 * HOUR,
      interval: HOUR,
    });
    expect(slices.data.map((slice) => slice.count)).toEqual([1, 1, 1, 0]);
    const own = await app.call(contract.signalTimeslices, {});
    expect(own.data.reduce((sum, slice) => sum + slice.count, 0)).toBe(4);
    const many = { start: 0, end: T0, interval: 1000 };
    expect((await app.call(contract.signalTimeslices, many)).http).toBe(422);
  });

  it('[C047][C048] sums up a selection, for whoever asked only', async () => {
    const { data } = await app.call(contract.signalFacetsTask, { include: [{ value: 'eve' }] }, 'analyst');
    const result = (await app.call(contract.signalFacetsResult, { task_id: data.task_id }, 'analyst')).data;
    expect(result.totals).toEqual({
      signals: 2,
      occurrences: 2,
      suspects: 1,
      targets: 2,
      detections: 1,
      pending: 2,
      triaged: 0,
    });
    expect(result.suspects).toEqual([{ type: 'user', value: 'eve', count: 2 }]);
    expect(result.detections).toEqual([{ workbook_id: workbookId, name: 'Lab', count: 2, score: 8 }]);
    expect(result.filters.tactic).toEqual([
      { value: 'Discovery', count: 1 },
      { value: 'Execution', count: 1 },
    ]);
    expect((await app.call(contract.signalFacetsResult, { task_id: data.task_id }, 'engineer')).http).toBe(
      404,
    );
    expect((await app.call(contract.signalFacetsResult, { task_id: 'nothing' }, 'analyst')).http).toBe(404);
  });

  it('[C044] joins signals by their entities, connected ones beside the selection', async () => {
    const signal_ids = [await idOf('eve on pc-1')];
    const { data } = await app.call(contract.signalGraphData, { signal_ids });
    const node = (id: string) => data.nodes.find((each) => each.id === id);
    expect(node(signal_ids[0] ?? '')).toMatchObject({ role: 'signal', selected: true });
    expect(node('user:eve')).toMatchObject({ role: 'suspect', selected: true });
    expect(
      data.nodes
        .filter((each) => each.type === 'signal')
        .map((each) => [each.label, each.selected])
        .sort(),
    ).toEqual([
      ['bob on pc-1', false],
      ['eve on pc-1', true],
      ['eve on pc-2', false],
    ]);
    expect(data.edges).toContainEqual({ from: 'user:eve', to: signal_ids[0], signal_id: signal_ids[0] });
    expect(data.truncated).toBe(false);
  });

  it('[C050] has the knowledge base of a signal and of a workbook', async () => {
    const signal_id = await idOf('eve on pc-1');
    expect((await app.call(contract.signalKnowledge, { signal_id })).data.kb).toBe('## Read me');
    expect((await app.call(contract.signalKnowledge, { workbook_id: workbookId })).data.kb).toBe(
      '## Read me',
    );
    expect((await app.call(contract.signalKnowledge, {})).http).toBe(422);
    expect((await app.call(contract.signalKnowledge, { workbook_id: 'nothing' })).http).toBe(404);
  });

  it('[signals.read][C049] shows fields and, without kept ids, the events that name its entities', async () => {
    await app.store([
      { time: T0 + 1, columns: { ActorUsername: 'EVE', DvcHostname: 'pc-1', CommandLine: 'tool' } },
      { time: T0 + 2, columns: { ActorUsername: 'eve', DvcHostname: 'pc-7' } },
    ]);
    const signal_id = await idOf('eve on pc-1');
    const info = (await app.call(contract.signalInfo, { signal_id })).data;
    expect(info.fields).toContainEqual({ field: 'Count', distinct: 1, values: [{ value: '3', count: 1 }] });
    expect(info).toMatchObject({ workbook_exists: true, history: [{ action: 'raised', author: 'Lab' }] });
    const data = (await app.call(contract.signalData, { signal_id })).data;
    expect(data).toMatchObject({ matched_by: 'entities', total_count: 1 });
    expect(data.data[0]).toMatchObject({ ActorUsername: 'EVE', CommandLine: 'tool' });
    const query = (await app.call(contract.signalEventsQuery, { signal_id })).data;
    expect(query).toMatchObject({ matched_by: 'entities', start: T0 + 1, end: T0 + 2, total_count: 1 });
  });
});

describe('[S7-44] triage', () => {
  it('[signals.markFalsePositive] moves signals between the views, with true numbers and history', async () => {
    const signal_id = await idOf('bob on srv-9');
    const input = { signal_ids: [signal_id, 'missing'], false_positive: true, reason: 'our scanner' };
    const done = await app.call(contract.tagFalsePositive, input, 'analyst');
    expect(done.data).toEqual({ changed: 1, unchanged: 0, not_found: ['missing'] });
    expect((await app.call(contract.tagFalsePositive, input, 'analyst')).data).toMatchObject({
      changed: 0,
      unchanged: 1,
    });
    expect(await names({ view: 'triaged' })).toEqual(['bob on srv-9']);
    expect(await names({ view: 'pending' })).toHaveLength(3);
    await app.call(contract.tagFalsePositive, { ...input, false_positive: false }, 'analyst');
    expect(await names({ view: 'triaged' })).toEqual([]);
    const info = (await app.call(contract.signalInfo, { signal_id })).data;
    expect(info.history.map((entry) => [entry.action, entry.author, entry.detail])).toEqual([
      ['raised', 'Lab', 'version 1'],
      ['false_positive', 'analyst of Harbour', 'our scanner'],
      ['not_false_positive', 'analyst of Harbour', 'our scanner'],
    ]);
  });

  it('[C051][C052][S3-20][signals.tag] makes, applies and counts tags', async () => {
    const signal_id = await idOf('bob on pc-1');
    const made = await app.call(
      contract.createSignalTag,
      { tag: 'night shift', colour: '#aa00aa' },
      'analyst',
    );
    expect(made.data).toEqual({
      tag: 'night shift',
      colour: '#aa00aa',
      created_by: 'analyst of Harbour',
      count: 0,
    });
    expect((await app.call(contract.createSignalTag, { tag: 'night shift' })).http).toBe(409);
    expect((await app.call(contract.createSignalTag, { tag: 'x', colour: 'pink' })).http).toBe(422);
    const input = { signal_ids: [signal_id], add: ['night shift'], remove: ['lab'] };
    expect((await app.call(contract.tagSignals, input)).data.changed).toBe(1);
    expect((await app.call(contract.tagSignals, input)).data.changed).toBe(0);
    const tags = (await app.call(contract.listSignalTags, {})).data;
    expect(tags.map((tag) => [tag.tag, tag.count])).toEqual([
      ['lab', 2],
      ['night shift', 1],
      ['web', 1],
    ]);
  });

  it('[C046] follows cases: in one it is triaged, out of the last one it is pending again', async () => {
    const signal_id = await idOf('eve on pc-2');
    const { clusterId } = app.company.a;
    const made = await app.call(
      contract.createCase,
      { case_name: 'Eve', signal_ids: [signal_id] },
      'analyst',
    );
    expect(made.http, made.text).toBe(200);
    const cases = (await app.call(contract.signalCaseList, { signal_id }, 'analyst')).data;
    expect(cases).toMatchObject([{ case_name: 'Eve', status: 'OPEN' }]);
    expect(await names({ view: 'triaged' })).toEqual(['eve on pc-2']);
    const directory = createSignalDirectory(app.test.platform.clock);
    const mark = { caseId: cases[0]?.case_id ?? '', caseKey: 'CASE-1', author: 'analyst' };
    await app.test.platform.postgres.inTenant(clusterId, (trx) =>
      directory.unmarkInCase(trx, clusterId, [signal_id], mark),
    );
    expect(await names({ view: 'triaged' })).toEqual([]);
  });
});

describe('rights and walls', () => {
  const ENDPOINTS = [
    contract.listSignals,
    contract.signalGraphData,
    contract.signalTimeslices,
    contract.signalCaseList,
    contract.signalFacetsTask,
    contract.signalFacetsResult,
    contract.signalData,
    contract.signalEventsQuery,
    contract.signalKnowledge,
    contract.listSignalTags,
    contract.createSignalTag,
    contract.signalInfo,
    contract.signalIds,
    contract.tagFalsePositive,
    contract.tagSignals,
  ] as const;

  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    '[%s] is closed to nobody, viewers and people of other tenants; malformed input is 422',
    async (_id, endpoint) => {
      const { a, b } = app.company;
      const signal_id = await idOf('eve on pc-1');
      const input = { signal_id, signal_ids: [signal_id], task_id: 'x', tag: 't', false_positive: true };
      expect((await app.call(endpoint, input, 'nobody')).http).toBe(401);
      expect((await app.call(endpoint, input, 'viewer')).http).toBe(403);
      expect([403, 404]).toContain((await app.call(endpoint, input, 'engineerOfB')).http);
      const mixed = { clusterId: b.clusterId, scopeId: a.scope };
      expect([403, 404]).toContain((await app.call(endpoint, input, 'engineerOfB', mixed)).http);
      const own = { clusterId: b.clusterId, scopeId: b.scope };
      const there = await app.call(endpoint, input, 'engineerOfB', own);
      expect(there.text).not.toMatch(/eve|bob|pc-2|srv-9/);
      const malformed = {
        scope_id: a.scope,
        pageno: 'x',
        signal_id: 5,
        signal_ids: 7,
        start: 'z',
        tag: 9,
        task_id: 1,
      };
      if (endpoint !== contract.listSignalTags) {
        expect((await app.call(endpoint, malformed, 'engineer')).http).toBe(422);
      }
    },
  );

  it('never shows another scope or tenant, and row security stands behind the services', async () => {
    const all = (await app.call(contract.listSignals, {}, 'engineer')).text;
    expect(all).not.toMatch(/canary-of-b|other-scope/);
    const { a, b } = app.company;
    const { rows } = await app.test.platform.postgres.inTenant(a.clusterId, (trx) =>
      sql<{ name: string }>`select name from signal where cluster_id = ${b.clusterId}`.execute(trx),
    );
    expect(rows).toEqual([]);
    const theirs = (
      await app.call(contract.listSignals, {}, 'engineerOfB', { clusterId: b.clusterId, scopeId: b.scope })
    ).data;
    const signal_id = theirs.data[0]?.signal_id;
    expect(signal_id).toBeDefined();
    for (const endpoint of [
      contract.signalInfo,
      contract.signalData,
      contract.signalEventsQuery,
      contract.signalKnowledge,
      contract.signalCaseList,
    ]) {
      expect((await app.call(endpoint, { signal_id }, 'engineer')).http).toBe(404);
    }
    const tagged = await app.call(contract.tagFalsePositive, {
      signal_ids: [signal_id],
      false_positive: true,
    });
    expect(tagged.data).toEqual({ changed: 0, unchanged: 0, not_found: [signal_id] });
  });
});
