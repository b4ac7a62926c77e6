import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../../detections/testing/detection-app.ts';
import { OccurrenceCollector } from '../../signals/occurrence.ts';
import { recordOccurrences } from '../../signals/signal-recorder.ts';
import {
  ASKED,
  type ContentNames,
  type ContentStep,
  contentSteps,
  DAY,
  query,
  T0,
} from './testing/content-steps.ts';

// Every read of event data and every change of content: first with a trail that cannot be written, then with one
// that can. What the trail does not tell of must not happen, and nobody gets a row of it.

const HOUR = 3_600_000;
const CANARY = 'canary-in-an-event';
/** Gives its first rows long before its last ones. */
const long = `${query} | extend n = range(1, 25000) | mv-expand n | extend filler = strrep("0123456789", 100) | take 50000`;
let app: DetectionApp;
const names: ContentNames = { signal: '', analyst: '', clusterId: '' };

const db = () => app.test.platform.postgres.platform;

/** Until `heal`, no entry for which `condition` holds can be written. */
async function breakTrail(condition = 'true'): Promise<void> {
  await sql`create function audit_broken() returns trigger language plpgsql as
    $$ begin raise exception 'no room for entries'; end $$`.execute(db());
  await sql`create trigger a_broken before insert on audit_entry for each row
    when (${sql.raw(condition)}) execute function audit_broken()`.execute(db());
}

async function heal(): Promise<void> {
  await sql`drop function audit_broken() cascade`.execute(db());
}

interface Entry {
  readonly no: number;
  readonly action: string;
  readonly user_id: string | null;
  readonly source: string;
  readonly cluster_id: string | null;
  readonly scope_id: string | null;
  readonly entity: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function entriesSince(no: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select chain_no as no, action, user_id, source, cluster_id, scope_id, entity, details from audit_entry
    where chain_no > ${no} order by chain_no`.execute(db());
  return rows;
}

async function lastNo(): Promise<number> {
  const { rows } = await sql<{ no: number }>`select last_no as no from audit_head`.execute(db());
  return rows[0]?.no ?? 0;
}

const CONTENT = [
  ...['workbook', 'workbook_version', 'workbook_directory', 'rule', 'rule_window', 'saved_query'],
  ...['signal', 'signal_entity', 'signal_history', 'signal_tag', 'kql_function', 'kql_function_version'],
  ...['incident_case', 'case_signal', 'case_entity', 'case_note', 'case_history', 'search_history'],
];

/** A fingerprint of all content. */
async function content(): Promise<string> {
  const parts = CONTENT.map(
    (name) =>
      sql`(select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${sql.table(name)} t)`,
  );
  const { rows } = await sql<{ all: string }>`select concat_ws(' ', ${sql.join(parts)}) as all`.execute(db());
  return rows[0]?.all ?? '';
}

beforeAll(async () => {
  app = await detectionApp(T0);
  const { clusterId, scope: scopeId } = app.company.a;
  await app.company.identity.users.grant({
    userId: app.company.userIds.contentManager,
    clusterId,
    accessType: 'Custom',
    roles: { [scopeId]: 'Viewer' },
  });
  const event = (host: string) => ({
    time: T0 - HOUR,
    columns: {
      ActorUsername: 'eve',
      DvcHostname: host,
      ProcessName: 'tool.exe',
      Raw: CANARY,
      SourceName: CANARY,
    },
  });
  await app.store([event('pc-1'), event('pc-2')]);
  await app.store([event('far')], { scopeId: app.company.a.otherScope });
  const signal = contract.signalBodySchema.parse({
    name: '_$Who_ ran a tool',
    tactic: 'Execution',
    technique: 'T1059',
    confidence: 'High',
    score: 8,
    suspects: [{ type: 'user', field: 'Who' }],
    targets: [{ type: 'host', field: 'Where' }],
    tags: [],
  });
  const saved = await app.call(contract.addWorkbook, {
    properties: detectionDraft('ProcessEvent | take 1', { schedule: { mode: 'off' } as never }),
  });
  const rule = {
    ...{ clusterId, scopeId, workbookId: saved.data.ID, workbookName: 'Tool use', version: 1 },
    ...{ stage: 'prod' as const, stream: 'ProcessEvent', signal },
  };
  const collector = new OccurrenceCollector(rule, signal, { from: T0 - HOUR, to: T0 }, 0);
  collector.add({ Who: 'eve', Where: 'pc-1', TimeGenerated: new Date(T0 - HOUR).toISOString(), Count: 3 });
  await app.test.platform.postgres.inTenant(clusterId, (trx) =>
    recordOccurrences(trx, rule, collector.occurrences(), T0),
  );
  const list = await app.call(contract.listSignals, {});
  names.signal = list.data.data[0]?.signal_id ?? '';
  names.analyst = app.company.userIds.analyst;
  names.clusterId = clusterId;
});
afterAll(() => app?.test.close());

const named = (steps: readonly ContentStep[]) =>
  steps.map((step) => ({
    ...step,
    title: `${step.endpoint.name} ${step.endpoint.path.replace('/:clusterId', '')}`,
  }));

const OF_TENANT = /^function\./;

async function withoutTrail({ endpoint, input, as = 'engineer' }: ContentStep): Promise<void> {
  await app.call(contract.listSignalTags, {}, as); // signs in, which is an act of its own
  const before = await content();
  const no = await lastNo();
  await breakTrail();
  try {
    const refused = await app.call(endpoint, input(), as);
    expect(refused.http, refused.text).toBe(503);
    expect(refused.text).toContain('nothing was done');
    expect(refused.text).not.toContain(CANARY);
    expect(refused.text).not.toContain('pc-1');
  } finally {
    await heal();
  }
  expect(await content()).toBe(before);
  expect(await entriesSince(no)).toEqual([]);
}

async function withTrail(step: ContentStep): Promise<void> {
  const { endpoint, input, as = 'engineer', action, details, keep } = step;
  const no = await lastNo();
  const answer = await app.call(endpoint, input(), as);
  expect(answer.http, answer.text).toBe(200);
  const entry = (await entriesSince(no)).filter((one) => one.action === action).at(-1);
  const { clusterId, scope } = app.company.a;
  expect(entry).toMatchObject({
    action,
    user_id: app.company.userIds[as],
    source: '127.0.0.1',
    cluster_id: clusterId,
    scope_id: OF_TENANT.test(action) ? null : scope,
    details: details?.() ?? {},
  });
  keep?.(answer.data as never);
}

describe('what is read of events, and what is changed', () => {
  it.each(named(contentSteps(names)))(
    '[S04][S13] $title leaves $action with the act, and does nothing without it',
    async (step) => {
      await withoutTrail(step);
      await withTrail(step);
    },
  );

  it('[S13] tells of every scope that workspace() reaches', async () => {
    const { otherScope, scope } = app.company.a;
    const far = `union ProcessEvent, workspace("${otherScope}").ProcessEvent`;
    const no = await lastNo();
    await app.call(contract.fieldValues, { query: far, ...ASKED, field: 'Raw' });
    await search(far);
    const reads = (await entriesSince(no)).filter(({ action }) => action.startsWith('search'));
    expect(reads.length).toBeGreaterThan(1);
    for (const { details } of reads) expect(details.scopes).toEqual([scope, otherScope].sort());
  });
});

const taskAt = (taskid: string) => ({ clusterId: app.company.a.clusterId, taskid });

/** Runs a search to its end; answers how it ended with what it shows. */
async function search(kql: string, session?: string) {
  const ssid = session ?? (await app.company.signIn('engineer'));
  const invoked = await app.call(contract.invokeJob, { job_type: 'kql', query: kql, ...ASKED });
  expect(invoked.http, invoked.text).toBe(200);
  const id = invoked.data[0]?.id ?? '';
  const state = () => app.test.call(contract.taskState, { ssid, params: taskAt(id) });
  await expect
    .poll(async () => (await state()).body.task_stage, { timeout: 60_000, interval: 20 })
    .toMatch(/EXECUTED|FAILURE/);
  const input = { form: 'rows' };
  const { body, text } = await app.test.call(contract.taskResult, { ssid, params: taskAt(id), input });
  return { id, ssid, state: (await state()).body, result: body, text };
}

describe('searches', () => {
  it('[S13] leaves an entry before the first rows can be read, and one with rows and state at the end', async () => {
    const no = await lastNo();
    const { id, result } = await search(long);
    const { clusterId, scope } = app.company.a;
    const entries = (await entriesSince(no)).filter(({ entity }) => entity === id);
    const who = { user_id: app.company.userIds.engineer, source: '127.0.0.1' };
    const where = { cluster_id: clusterId, scope_id: scope, entity: id };
    expect(entries.map(({ details }) => details)).toEqual([
      { query: long, ...DAY, state: 'BEGUN', rows: expect.any(Number) },
      { query: long, ...DAY, state: 'SUCCESS', rows: result.total_count },
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ ...who, ...where });
  });

  it('[S13] leaves an entry of the end in the transaction that makes its rows readable when it ends at once', async () => {
    const no = await lastNo();
    const { id } = await search(query);
    const entries = (await entriesSince(no)).filter(({ entity }) => entity === id);
    expect(entries.at(-1)?.details).toEqual({ query, ...DAY, state: 'SUCCESS', rows: 2 });
  });

  it.each([
    ['none can be written', 'true', query],
    ['that of the first rows cannot', `new.details->>'state' = 'BEGUN'`, long],
    ['that of the end cannot', `new.details->>'state' = 'SUCCESS'`, query],
    ['that of the end cannot after the first rows', `new.details->>'state' = 'SUCCESS'`, long],
  ])('[S04] fails and shows no row when %s', async (_what, condition, kql) => {
    const ssid = await app.company.signIn('engineer');
    await app.call(contract.listSignalTags, {});
    await breakTrail(condition.replaceAll('new.details', 'new.details::jsonb'));
    let ended: Awaited<ReturnType<typeof search>>;
    try {
      ended = await search(kql, ssid);
    } finally {
      await heal();
    }
    expect(ended.state).toMatchObject({ task_stage: 'FAILURE', task_state: 'FAILED' });
    expect(ended.state.message).toContain('audit trail cannot be written');
    expect(ended.result).toMatchObject({ total_count: 0, rows: [] });
    expect(ended.text).not.toContain(CANARY);
    if (!condition.includes('SUCCESS')) return;
    const kept = async () => {
      const { rows } = await app.test.platform.eventStore.rows(app.company.a.clusterId, {
        sql: 'SELECT count() FROM search_results WHERE TaskId = {id:String}',
        params: { id: ended.id },
        scopes: 'all',
      });
      return Number(rows[0]?.[0]);
    };
    await expect.poll(kept, { timeout: 60_000 }).toBe(0);
  });

  it('[S13] tells of a search that was stopped, also when it had ended', async () => {
    const { id, ssid } = await search('print 1');
    const no = await lastNo();
    const { http } = await app.test.call(contract.cancelTask, { ssid, params: taskAt(id) });
    expect(http).toBe(200);
    expect(await entriesSince(no)).toMatchObject([
      { action: 'search.cancel', entity: id, user_id: app.company.userIds.engineer, details: { changed: 0 } },
    ]);
  });

  it('[S04] writes the query of a workbook down whose text PostgreSQL cannot hold, or does not run it', async () => {
    const odd = `${query} // \ud800 \u0000`;
    const no = await lastNo();
    const properties = detectionDraft(odd);
    const answer = await app.call(contract.previewDetection, { properties, start: DAY.from, end: DAY.to });
    const entries = (await entriesSince(no)).filter(({ action }) => action === 'workbook.preview');
    if (answer.http === 200) expect(entries).toMatchObject([{ details: { rows: 2 } }]);
    else expect([answer.http, entries]).toEqual([422, []]);
  });

  it('[S13] tells how many rows an export gave that the client broke off', async () => {
    const address = await app.test.app.listen({ host: '127.0.0.1', port: 0 });
    const { clusterId, scope: scope_id } = app.company.a;
    const ssid = await app.company.signIn('engineer');
    const no = await lastNo();
    const stop = new AbortController();
    const most = 50_000_000;
    const endless = `range x from 1 to ${most} step 1 | extend y = strcat("a longer text with ", x)`;
    const response = await fetch(`${address}${contract.exportSearch.path.replace(':clusterId', clusterId)}`, {
      method: 'POST',
      headers: { ssid, 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id, query: endless, ...ASKED, format: 'ndjson' }),
      signal: stop.signal,
    });
    await response.body?.getReader().read();
    expect(await entriesSince(no)).toMatchObject([
      { action: 'search.export', details: { state: 'BEGUN', rows: 0 } },
    ]);
    stop.abort();
    const last = async () => (await entriesSince(no)).at(-1)?.details;
    await expect.poll(async () => (await last())?.state, { timeout: 60_000 }).toBe('BROKEN OFF');
    const rows = Number((await last())?.rows);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(most);
  });
});
