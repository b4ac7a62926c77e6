import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner } from './detection-runner.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

// From a saved workbook to a listed signal, on the real engines, with the clock in our hands.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const QUERY = "ProcessEvent\n| where ProcessName endswith 'tool.exe'";
let app: DetectionApp;
let nowMs = T0;

beforeAll(async () => {
  app = await detectionApp(T0);
  // The shipped detections are proven elsewhere; here they would only cost time.
  await app.scheduler.round();
  for (const { clusterId } of [app.company.a, app.company.b]) await disableAll(clusterId);
});
afterAll(() => app?.test.close());

const disableAll = (clusterId: string) =>
  app.test.platform.postgres.inTenant(clusterId, (trx) =>
    sql`update rule set enabled = false, covered_from = null, covered_until = null, schedule = null,
      keeps_step = false, late = '[]'`.execute(trx),
  );
afterEach(() => disableAll(app.company.a.clusterId));

const at = (ms: number) => {
  nowMs = ms;
  app.test.platform.clock.set(ms);
};
const pass = async (minutes: number) => {
  at(nowMs + minutes * MINUTE);
  await app.scheduler.round();
};
const add = async (draft: object): Promise<string> =>
  (await app.call(contract.addWorkbook, { properties: draft })).data.ID;
const healthOf = async (ID: string) => {
  const [health] = (await app.call(contract.ruleHealth, { IDs: [ID] })).data;
  if (!health) throw new Error('the rule has no health');
  return health;
};
const signalsOf = async (ID: string) =>
  (
    await app.call(contract.listSignals, {
      addfilters: [{ filter_key: 'workbook_id', filter_value: ID }],
      sort: 'first_time',
      order: 'asc',
    })
  ).data.data;
/** What is told of a rule or signal, for whoever follows up. */
const toldOf = async (objectId: string) => {
  const { rows } = await app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) =>
    sql`select kind, details ->> 'name' as name from domain_event where object_id = ${objectId}
      order by event_id`.execute(trx),
  );
  return rows;
};
const tool = (time: number, user: string, host = 'pc-1', ingested = time) => ({
  time,
  ingested,
  columns: { ProcessName: 'c:\\lab\\tool.exe', ActorUsername: user, DvcHostname: host },
});

describe('a streamed detection', () => {
  beforeEach(() => at(nowMs + 240 * MINUTE));

  it('[T-storage] raises one signal for equal findings, shows its events, and writes it to the stream Signals', async () => {
    const { clusterId, scope } = app.company.a;
    const days = { stream: 'Signals', retention_days: 30, dry_run: false };
    await app.call(contract.saveScopeStreamConfig, days, 'engineer', { clusterId, scopeId: scope });
    const ID = await add(detectionDraft(QUERY));
    await app.store([
      tool(nowMs + 1000, 'eve'),
      tool(nowMs + 2000, 'eve'),
      tool(nowMs + 3000, 'bob', 'pc-2'),
    ]);
    await app.store([{ time: nowMs + 1500, columns: { ProcessName: 'c:\\other.exe' } }]);
    const start = nowMs;
    await pass(2);
    const [eve, bob] = await signalsOf(ID);
    expect(eve).toMatchObject({
      name: 'eve ran a tool on pc-1',
      occurrences: 2,
      first_time: start + 1000,
      last_time: start + 2000,
      suspects: [{ type: 'user', value: 'eve' }],
      targets: [{ type: 'host', value: 'pc-1' }],
      stream: 'ProcessEvent',
      score: 7,
      confidence: 'High',
      tags: ['lab'],
      status: 'pending',
      ttd_seconds: 119,
    });
    expect(bob).toMatchObject({ name: 'bob ran a tool on pc-2', occurrences: 1 });

    const data = await app.call(contract.signalData, { signal_id: eve?.signal_id });
    expect(data.data).toMatchObject({ total_count: 2, matched_by: 'events', more_events: 0 });
    expect(data.data.data.map((row) => row.ActorUsername)).toEqual(['eve', 'eve']);
    expect(data.data.fields_list).toContain('ProcessName');

    const { rows } = await app.test.platform.eventStore.rows(app.company.a.clusterId, {
      sql: "SELECT SignalId, DetectionName, DetectionScore, Scope, RetentionDays FROM events WHERE Stream = 'Signals' ORDER BY DetectionName",
      scopes: 'all',
    });
    expect(rows).toEqual([
      [bob?.signal_id, 'bob ran a tool on pc-2', 7, scope, 30],
      [eve?.signal_id, 'eve ran a tool on pc-1', 7, scope, 30],
    ]);
  });

  it('[S17] an event with characters that PostgreSQL refuses raises its signal like any other', async () => {
    const ID = await add(detectionDraft(QUERY));
    // A pair of surrogates stands where a long value is cut.
    await app.store([tool(nowMs + 1000, 'e\0ve'), tool(nowMs + 2000, `${'x'.repeat(2047)}😀`)]);
    await pass(2);
    expect(await healthOf(ID)).toMatchObject({ last_error: null, failures_in_a_row: 0 });
    const names = (await signalsOf(ID)).map((signal) => signal.name);
    expect(names).toHaveLength(2);
    expect(names[0]).toBe('e\u{FFFD}ve ran a tool on pc-1');
    expect(names.join('').isWellFormed()).toBe(true);
  });

  it('lets findings within three hours coalesce, and raises anew after that', async () => {
    const ID = await add(detectionDraft(QUERY));
    for (const minutes of [0, 170, 340]) {
      await app.store([tool(nowMs + 1000, 'ann')]);
      await pass(2);
      expect(await signalsOf(ID), `after ${minutes} minutes`).toHaveLength(1);
      await pass(168);
    }
    expect((await signalsOf(ID))[0]?.occurrences).toBe(3);
    await pass(30);
    await app.store([tool(nowMs + 1000, 'ann')]);
    await pass(2);
    expect((await signalsOf(ID)).map((signal) => signal.occurrences)).toEqual([3, 1]);
  });

  it('lists again what happens after triage: a false positive hides nothing to come', async () => {
    const ID = await add(detectionDraft(QUERY));
    await app.store([tool(nowMs + 1000, 'kim')]);
    await pass(2);
    const [first] = await signalsOf(ID);
    await app.call(contract.tagFalsePositive, { signal_ids: [first?.signal_id], false_positive: true });
    await app.store([tool(nowMs + 1000, 'kim')]);
    await pass(2);
    expect((await signalsOf(ID)).map((signal) => [signal.status, signal.occurrences])).toEqual([
      ['triaged', 1],
      ['pending', 1],
    ]);
  });

  it('covers every minute once, fills what it missed, and shows it in the ledger', async () => {
    const ID = await add(detectionDraft(QUERY));
    const enabledAt = nowMs;
    await pass(3);
    await app.store([tool(nowMs + 30 * MINUTE, 'late', 'pc-1')]);
    await pass(200);
    const health = await healthOf(ID);
    expect(health).toMatchObject({ state: 'ok', covered_from: enabledAt, gaps: [], failures_in_a_row: 0 });
    expect(health.covered_until).toBe(Math.floor((nowMs - 5000) / MINUTE) * MINUTE);
    expect(await signalsOf(ID)).toHaveLength(1);
    const ledger = (await app.call(contract.ruleLedger, { ID, pagesize: 1000 })).data;
    const windows = [...ledger.data].reverse();
    expect(windows[0]?.from).toBe(enabledAt);
    expect(windows.at(-1)?.to).toBe(health.covered_until);
    for (const [index, window] of windows.entries()) {
      if (index > 0) expect(window.from).toBe(windows[index - 1]?.to);
      expect(window.state).toBe('done');
    }
    expect(ledger.total_count).toBe(windows.length);
  });

  it('finds events that are stored after their minute was evaluated', async () => {
    const ID = await add(detectionDraft(QUERY));
    await app.store([tool(nowMs + 20_000, 'early')]);
    const ingested = nowMs + 30_000;
    await pass(4);
    expect(await signalsOf(ID)).toHaveLength(1);
    await app.store([tool(ingested, 'tardy', 'pc-9', ingested), tool(ingested, 'early', 'pc-1', ingested)]);
    await pass(2);
    await pass(2);
    const signals = await signalsOf(ID);
    expect(signals.map((signal) => [signal.suspects[0]?.value, signal.occurrences])).toEqual([
      ['early', 2],
      ['tardy', 1],
    ]);
    expect((await healthOf(ID)).windows_rerun).toBe(1);
  });

  it('tells failures as health, backs off, raises nothing for them, and recovers with the next version', async () => {
    const ID = await add(
      detectionDraft(`${QUERY}\n| extend Number = toint(ActorUsername) / toint(DvcHostname)`),
    );
    const { clusterId } = app.company.a;
    await app.store([tool(nowMs + 1000, 'eve')]);
    const broken: DetectionEvaluator = {
      traitsOf: async () => ({ streams: ['*'], rowByRow: true, rowsAreEvents: true, needsEvents: false }),
      evaluate: () => Promise.reject(new Error('memory limit exceeded')),
    };
    const { postgres, eventStore: events, clock, log } = app.test.platform;
    const definitions = createWorkbookReader(postgres);
    const runner = createDetectionRunner({
      postgres,
      events,
      evaluator: broken,
      definitions,
      clock,
      log,
      owner: 'x',
    });
    at(nowMs + 2 * MINUTE);
    await runner.runDue({ clusterId });
    const failing = await healthOf(ID);
    expect(failing).toMatchObject({
      state: 'failing',
      failures_in_a_row: 1,
      last_error: 'The evaluation failed: memory limit exceeded',
      messageCode: 'rules.evaluationFailed',
      messageValues: { reason: 'memory limit exceeded' },
    });
    expect(failing.next_run).toBe(nowMs + 15_000);
    expect((await runner.runDue({ clusterId })).recorded).toBe(0);
    const ledger = (await app.call(contract.ruleLedger, { ID })).data.data;
    expect(ledger).toMatchObject([
      { state: 'failed', error: 'The evaluation failed: memory limit exceeded', signals: 0 },
    ]);
    expect(await toldOf(ID)).toEqual([]);
    for (const seconds of [15, 31, 61]) {
      at(nowMs + seconds * 1000);
      await runner.runDue({ clusterId });
    }
    // [R-C34] The third failure in a row is told, once.
    expect(await toldOf(ID)).toEqual([{ kind: 'rule.failing', name: 'Tool use' }]);
    await pass(3);
    expect(await healthOf(ID)).toMatchObject({
      state: 'ok',
      failures_in_a_row: 0,
      last_error: null,
      gaps: [],
    });
    const [raised] = await signalsOf(ID);
    expect(await toldOf(raised?.signal_id ?? '')).toEqual([{ kind: 'signal.raised', name: raised?.name }]);
  });

  it('[R-C39] says by the key of its sentence why the query of a rule does not compile any more', async () => {
    const named = { name: 'ToolName', parameters: '', body: '"tool.exe"' };
    expect((await app.call(contract.saveFunction, named)).http).toBe(200);
    const ID = await add(detectionDraft('ProcessEvent\n| where ProcessName endswith ToolName()'));
    expect((await app.call(contract.deleteFunction, { name: named.name })).http).toBe(200);
    await app.store([tool(nowMs + 1000, 'eve')]);
    await pass(2);
    const health = await healthOf(ID);
    expect(health).toMatchObject({ state: 'failing', messageCode: 'rules.doesNotCompile' });
    expect(health.messageValues?.diagnostic).toMatchObject({
      code: expect.stringMatching(/^kql\./),
      values: { name: named.name },
    });
  });

  it('raises the same signals when a runner dies before it commits, and when two run at once', async () => {
    const ID = await add(detectionDraft(QUERY));
    await app.store([tool(nowMs + 1000, 'twin'), tool(nowMs + 2000, 'twin')]);
    at(nowMs + 2 * MINUTE);
    const { postgres, eventStore: events, clock, log } = app.test.platform;
    const definitions = createWorkbookReader(postgres);
    const dying: DetectionEvaluator = {
      traitsOf: async () => ({ streams: ['*'], rowByRow: true, rowsAreEvents: true, needsEvents: true }),
      evaluate: async () => {
        // Its lease runs out while it waits for the engine; another runner does the work meanwhile.
        clock.advance(2 * MINUTE);
        await app.scheduler.round();
        return { rows: 1, occurrences: [] };
      },
    };
    const slow = createDetectionRunner({
      postgres,
      events,
      evaluator: dying,
      definitions,
      clock,
      log,
      owner: 'slow',
    });
    expect((await slow.runDue({ clusterId: app.company.a.clusterId })).recorded).toBe(0);
    nowMs = clock.now();
    const [signal, ...others] = await signalsOf(ID);
    expect(others).toEqual([]);
    expect(signal?.occurrences).toBe(2);
    await Promise.all([app.scheduler.round(), app.scheduler.round(), app.scheduler.round()]);
    expect((await healthOf(ID)).gaps).toEqual([]);
    expect((await signalsOf(ID))[0]?.occurrences).toBe(2);
  });
});

describe('other schedules', () => {
  it('runs by cron in a zone, over the whole time since the last run', async () => {
    at(Date.UTC(2026, 5, 1, 3));
    const schedule = { mode: 'scheduled', cron: '0 6 * * *', timezone: 'Europe/Paris', lookback_minutes: 0 };
    const ID = await add(detectionDraft(QUERY, { schedule: schedule as never }));
    expect((await healthOf(ID)).next_run).toBe(Date.UTC(2026, 5, 1, 4));
    await app.store([tool(nowMs + MINUTE, 'cron')]);
    await pass(30);
    expect(await signalsOf(ID)).toEqual([]);
    await pass(31);
    expect(await signalsOf(ID)).toHaveLength(1);
  });

  it('counts over a look-back and raises once however often it looks', async () => {
    at(Date.UTC(2026, 5, 3, 3));
    const query = `${QUERY}
| summarize Runs = count(), EventUids = make_set(EventUid) by ActorUsername, DvcHostname, TimeGenerated = bin(TimeGenerated, 15m)
| where Runs >= 3`;
    const schedule = { mode: 'streamed', cron: null, timezone: 'UTC', lookback_minutes: 20 } as const;
    const ID = await add(detectionDraft(query, { schedule }));
    for (const minute of [0, 1, 2, 3, 4]) {
      await app.store([tool(nowMs + 1000 + minute, 'busy')]);
      await pass(1);
    }
    await pass(2);
    const signals = await signalsOf(ID);
    expect(signals.map((signal) => [signal.suspects[0]?.value, signal.occurrences])).toEqual([['busy', 1]]);
    const data = (await app.call(contract.signalData, { signal_id: signals[0]?.signal_id })).data;
    expect([data.matched_by, data.total_count]).toEqual(['events', 5]);
  });

  it('[C092] covers the past when it is switched on with a time to start from', async () => {
    at(Date.UTC(2026, 5, 5, 12));
    const ID = await add(detectionDraft(QUERY, { schedule: { mode: 'off' } as never }));
    await app.store([tool(nowMs - 20 * 60 * MINUTE, 'before')]);
    const streamed = detectionDraft(QUERY);
    await app.call(contract.editWorkbook, { ID, version: 1, properties: streamed });
    await app.call(contract.setWorkbookVisibility, { ID, enabled: false });
    const backfill_from = nowMs - 24 * 60 * MINUTE;
    await app.call(contract.setWorkbookVisibility, { ID, enabled: true, backfill_from });
    await pass(1);
    expect(await signalsOf(ID)).toHaveLength(1);
    expect(await healthOf(ID)).toMatchObject({ covered_from: backfill_from, gaps: [] });
  });

  it('[rules.preview] tells what a draft would have raised, and stores nothing', async () => {
    at(Date.UTC(2026, 5, 6, 12));
    await app.store([
      tool(nowMs - MINUTE, 'would'),
      tool(nowMs - 2 * MINUTE, 'would'),
      tool(nowMs, 'outside'),
    ]);
    const preview = await app.call(contract.previewDetection, {
      properties: detectionDraft(QUERY),
      start: nowMs - 10 * MINUTE,
      end: nowMs,
    });
    expect(preview.data).toMatchObject({
      rows: 2,
      signals: 1,
      capped: false,
      samples: [{ name: 'would ran a tool on pc-1', occurrences: 2 }],
    });
  });
});
