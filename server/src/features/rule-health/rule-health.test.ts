import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuleFigures } from '../detections/rule-figures.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { countStatements } from '../detections/testing/watch-queue.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let app: DetectionApp;
let count = 0;
beforeAll(async () => {
  app = await detectionApp(T0);
  while (await app.scheduler.round());
});
afterAll(() => app?.test.close());

const now = () => app.test.platform.clock.now();

async function add(query: string, more: object = {}): Promise<string> {
  count += 1;
  const properties = { ...detectionDraft(query), name: `Rule ${count}`, ...more };
  const added = await app.call(contract.addWorkbook, { properties });
  expect(added.http, added.text).toBe(200);
  return added.data.ID;
}

/** Goes on by so many minutes, and works off what is due after each. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await app.runAfter(1);
}

const event = (CommandLine: string, ActorUsername = 'ana', time = now()) => ({
  time,
  columns: { CommandLine, ActorUsername, DvcHostname: 'pc-1' },
});

const health = async (input: object = {}, as?: 'analyst') =>
  (await app.call(contract.listRuleHealth, { range: 'day', pagesize: 500, ...input }, as)).data;
const itemOf = async (ID: string) => (await health()).data.find((item) => item.ID === ID);

const picture = async (ID: string, from: number, parts = 10) =>
  (await app.call(contract.readLedgerPicture, { ID, start: from, end: now(), parts })).data;

const toldOf = async (objectId: string) => {
  const { rows } = await app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) =>
    sql<{
      kind: string;
    }>`select kind from domain_event where object_id = ${objectId} order by event_id`.execute(trx),
  );
  return rows.map(({ kind }) => kind);
};

describe('runs of rules', () => {
  it('[S2-32] lists rules that are on with what their runs came to, and draws the ledger of one', async () => {
    const from = now();
    const ID = await add('ProcessEvent | where CommandLine == "drawn"');
    await pass(3);
    await app.store([event('drawn')]);
    await pass(5);
    const item = await itemOf(ID);
    expect(item).toMatchObject({
      ...{ state: 'ok', kind: 'workbook', mode: 'streamed', lag_ms: 0, signals: 1, signals_day: 1 },
      ...{ false_positive_share: 0, open_share: 1, failures: 0, gaps: 0 },
      ...{ quarantine: null, silent_streams: [] },
    });
    expect(item?.runs).toBeGreaterThan(0);
    const drawn = await picture(ID, from, 8);
    const total = drawn.buckets.reduce((sum, bucket) => sum + bucket.covered_ms, 0);
    expect(total).toBe((drawn.covered_until ?? 0) - (drawn.covered_from ?? 0));
    expect(drawn.buckets.map(({ signals }) => signals).reduce((a, b) => a + b)).toBe(1);
    expect(drawn).toMatchObject({ gaps: [], gap_count: 0, waiting_reruns: 0, state: 'ok' });
    expect(drawn.buckets).toHaveLength(8);
  });

  it('[S2-32] shows a hole in the ledger as a gap, in the picture and in the list', async () => {
    const ID = await add('ProcessEvent | where CommandLine == "holey"');
    await pass(2);
    await app.store([event('holey', 'ana')]);
    await pass(4);
    await app.store([event('holey', 'ben')]);
    await pass(4);
    const before = await picture(ID, T0);
    expect(before.gap_count).toBe(0);
    const { postgres } = app.test.platform;
    await postgres.inTenant(app.company.a.clusterId, (trx) =>
      sql`delete from rule_window where workbook_id = ${ID} and row_count = 0 and range_from > (
        select min(range_from) from rule_window where workbook_id = ${ID})`.execute(trx),
    );
    const after = await picture(ID, T0);
    expect(after.gap_count).toBeGreaterThan(0);
    const gapMs = after.gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
    expect(after.buckets.reduce((sum, bucket) => sum + bucket.gap_ms, 0)).toBe(gapMs);
    expect(await itemOf(ID)).toMatchObject({ gaps: after.gap_count, gap_ms: gapMs });
  });

  it('[T-RULE-RERUN] runs a range again at an engineer’s wish: what was missed is found, what was there stays one', async () => {
    const ID = await add('ProcessEvent | where CommandLine == "again"');
    const from = now();
    await pass(2);
    await app.store([event('again', 'ana')]);
    await pass(5);
    // Nobody told the scheduler of this one: it came in an hour that is finished.
    const { eventStore } = app.test.platform;
    const line = JSON.stringify({
      ...{
        TimeGenerated: new Date(from + MINUTE).toISOString(),
        IngestedTime: new Date(from + MINUTE).toISOString(),
      },
      ...{ Stream: 'ProcessEvent', Scope: app.company.a.scope, ParseStatus: 'PAD' },
      ...{ CommandLine: 'again', ActorUsername: 'late', DvcHostname: 'pc-2' },
    });
    await eventStore.insertRows(app.company.a.clusterId, Buffer.from(line), { dedupToken: 'late-again' });
    const asked = { ID, start: from, end: now() };
    expect((await app.call(contract.rerunRule, asked, 'analyst')).http).toBe(403);
    const { data } = await app.call(contract.rerunRule, asked);
    expect(data.windows).toBeGreaterThan(0);
    expect((await picture(ID, from)).waiting_reruns).toBe(data.windows);
    await pass(2);
    const drawn = await picture(ID, from);
    expect(drawn.waiting_reruns).toBe(0);
    expect(drawn.buckets.some(({ reruns }) => reruns > 0)).toBe(true);
    const range = { start: T0, end: now(), view: 'all' };
    const signals = await app.call(contract.listSignals, { ...range, pagesize: 500 });
    const mine = signals.data.data.filter((signal) => signal.workbook_id === ID);
    expect(mine.map(({ name, occurrences }) => [name, occurrences]).sort()).toEqual([
      ['ana ran a tool on pc-1', 1],
      ['late ran a tool on pc-2', 1],
    ]);
    const early = await app.call(contract.rerunRule, { ID, start: from - 3 * HOUR, end: from - 2 * HOUR });
    expect([early.http, early.body.messageCode]).toEqual([422, 'rules.nothingToRerun']);
  });
});

describe('what rules cost', () => {
  it('[T-RULE-COST] is what the engine logs of their queries, written for all rules in one statement', async () => {
    const { postgres, eventStore: events, clock, log } = app.test.platform;
    const ids = [
      await add('ProcessEvent | where CommandLine has "cost1"'),
      await add('ProcessEvent | take 3'),
    ];
    const { clusterId, scope: scopeId } = app.company.a;
    const figures = createRuleFigures({ postgres, events, clock, log });
    const rules = ids.map((workbookId) => ({ clusterId, scopeId, workbookId, name: workbookId }));
    for (const rule of rules) {
      const query = figures.nameQuery();
      await events.rows(clusterId, {
        sql: 'SELECT sum(cityHash64(number)) FROM numbers(20000000)',
        scopes: [scopeId],
        queryId: `${query}-0-0`,
      });
      figures.noteRun({ rule, isRerun: false, isFailed: false, rows: 7, queryMs: 1e9, query });
    }
    // Wait until the engine has written its log; what it has not logged would count as a million seconds.
    await expect
      .poll(
        async () =>
          (
            await events.systemRows<{ n: string }>(
              "SELECT count() AS n FROM system.query_log WHERE type != 'QueryStart' AND startsWith(initial_query_id, {p:String})",
              { p: `${figures.nameQuery().split('-').slice(0, 2).join('-')}-` },
            )
          ).reduce((sum, row) => sum + Number(row.n), 0),
        { timeout: 60_000, interval: 500 },
      )
      .toBe(2);
    const statements = countStatements();
    expect(await figures.flush(true)).toBe(2);
    const written = [...statements.byText()].filter(([text]) => text.includes('rule_hour'));
    expect(written.map(([, times]) => times)).toEqual([1]);
    const costs = (await health()).data.filter(({ ID }) => ids.includes(ID)).map((item) => item.cpu_ms_day);
    for (const cost of costs) expect(cost).toBeGreaterThan(1);
    for (const cost of costs) expect(cost).toBeLessThan(1e6);
    // Nothing ran since: nothing is asked or written.
    const before = statements.count();
    expect(await figures.flush(true)).toBe(0);
    expect(statements.count()).toBe(before);
  });
});

describe('a rule that fails by itself again and again', () => {
  const named = { name: 'HealthTool', parameters: '', body: '"brittle"' };
  let ID: string;
  let failedAt: number;

  it('[T-RULE-QUARANTINE] is set aside with its reason, engineers are told, and it is not run any more', async () => {
    expect((await app.call(contract.saveFunction, named)).http).toBe(200);
    ID = await add('ProcessEvent | where CommandLine == HealthTool()');
    await pass(3);
    expect((await app.call(contract.deleteFunction, { name: named.name })).http).toBe(200);
    failedAt = now();
    await app.store([event('brittle', 'meanwhile')]);
    for (let tries = 0; tries < 30 && !(await itemOf(ID))?.quarantine; tries += 1) await app.runAfter(3);
    const item = await itemOf(ID);
    expect(item).toMatchObject({ state: 'quarantined', next_run: null });
    expect(item?.quarantine).toMatchObject({ messageCode: 'rules.setAsideFailing' });
    expect(item?.quarantine?.message).toContain(`${contract.QUARANTINE_LIMITS.failures} times`);
    expect(item?.error?.messageCode).toBe('rules.doesNotCompile');
    expect(await toldOf(ID)).toEqual(['rule.failing', 'rule.quarantined']);
    const tries = await attempts();
    await app.runAfter(45);
    expect(await attempts()).toBe(tries);
    expect((await health({ state: 'quarantined' })).data.map((one) => one.ID)).toEqual([ID]);
    expect((await health()).totals.states.quarantined).toBe(1);
  });

  /** How often its window was tried. */
  const attempts = async () => {
    const { data } = await app.call(contract.ruleLedger, { ID });
    return data.data.reduce((sum, window) => sum + (window.state === 'failed' ? window.attempts : 0), 0);
  };

  it('[T-RULE-QUARANTINE] goes on where it stopped when an engineer releases it: nothing is left out', async () => {
    expect((await app.call(contract.saveFunction, named)).http).toBe(200);
    await pass(2);
    expect((await itemOf(ID))?.state).toBe('quarantined');
    expect((await app.call(contract.releaseRule, { ID }, 'analyst')).http).toBe(403);
    expect((await app.call(contract.releaseRule, { ID })).http).toBe(200);
    const again = await app.call(contract.releaseRule, { ID });
    expect([again.http, again.body.messageCode]).toEqual([409, 'rules.notSetAside']);
    await pass(2);
    expect(await itemOf(ID)).toMatchObject({ state: 'ok', gaps: 0, quarantine: null, error: null });
    const drawn = await picture(ID, failedAt);
    expect(drawn.gap_count).toBe(0);
    expect(drawn.buckets.map(({ signals }) => signals).reduce((a, b) => a + b)).toBe(1);
  });

  it('[T-RULE-QUARANTINE] is released by a change of what it asks', async () => {
    expect((await app.call(contract.deleteFunction, { name: named.name })).http).toBe(200);
    // While nothing comes in it has nothing to look at, and fails at nothing.
    await app.store([event('brittle', 'afterwards')]);
    for (let tries = 0; tries < 30 && !(await itemOf(ID))?.quarantine; tries += 1) await app.runAfter(3);
    expect((await itemOf(ID))?.state).toBe('quarantined');
    const properties = { ...detectionDraft('ProcessEvent | where CommandLine == "brittle"'), name: 'Sound' };
    const { data: read } = await app.call(contract.workbookProperties, { ID });
    const saved = await app.call(contract.editWorkbook, {
      ...{ ID, properties, version: read.properties.version, commit_message: '' },
    });
    expect(saved.http, saved.text).toBe(200);
    await pass(2);
    expect(await itemOf(ID)).toMatchObject({ name: 'Sound', state: 'ok', quarantine: null });
  });

  it('[T-RULE-QUARANTINE] a rule that costs too much in an hour is set aside, its release gives it the next one', async () => {
    const { postgres, eventStore, clock, log } = app.test.platform;
    const workbookId = await add('ProcessEvent | where CommandLine == "dear"');
    // The hour in which it was switched on is not held against it.
    await app.runAfter(61);
    const { clusterId, scope: scopeId } = app.company.a;
    // An engine that logs nothing: the time that the query took stands for its processor time.
    const events = { ...eventStore, systemRows: async () => [] };
    const figures = createRuleFigures({ postgres, events, clock, log });
    const spend = async (minutes: number) => {
      const rule = { clusterId, scopeId, workbookId, name: 'Dear' };
      const run = { rule, isRerun: false, isFailed: false, rows: 0, queryMs: minutes * MINUTE };
      figures.noteRun({ ...run, query: figures.nameQuery() });
      await figures.flush(true);
    };
    await spend(contract.QUARANTINE_LIMITS.cpuMinutesPerHour - 1);
    expect((await itemOf(workbookId))?.state).toBe('ok');
    await spend(2);
    expect(await itemOf(workbookId)).toMatchObject({
      state: 'quarantined',
      quarantine: { messageCode: 'rules.setAsideExpensive' },
    });
    expect(await toldOf(workbookId)).toEqual(['rule.quarantined']);
    expect((await app.call(contract.releaseRule, { ID: workbookId })).http).toBe(200);
    await spend(1);
    expect((await itemOf(workbookId))?.state).not.toBe('quarantined');
    await app.runAfter(61);
    await spend(contract.QUARANTINE_LIMITS.cpuMinutesPerHour + 1);
    expect((await itemOf(workbookId))?.state).toBe('quarantined');
  });
});

describe('requests to tune a rule', () => {
  it('[T-RULE-TUNING] come from whoever triages, are told to engineers, and are closed by them with what was done', async () => {
    const ID = await add('ProcessEvent | where CommandLine == "noisy"');
    await pass(2);
    await app.store([event('noisy')]);
    await pass(3);
    const range = { start: T0, end: now(), view: 'all', pagesize: 500 };
    const { data: list } = await app.call(contract.listSignals, range);
    const signal_id = list.data.find((one) => one.workbook_id === ID)?.signal_id ?? '';
    const other = list.data.find((one) => one.workbook_id !== ID)?.signal_id ?? '';
    const ask = (more: object) =>
      app.call(contract.askTuning, { ID, comment: ' The scanner again ', ...more }, 'analyst');
    expect((await ask({ signal_id: other })).http).toBe(404);
    expect((await ask({ ID: 'nothing' })).http).toBe(404);
    const asked = await ask({ signal_id });
    expect(asked.http, asked.text).toBe(200);
    expect(await toldOf(ID)).toEqual(['rule.tuning']);
    expect(await itemOf(ID)).toMatchObject({ tuning_open: 1 });
    const open = (await app.call(contract.listTuning, { ID }, 'analyst')).data;
    expect(open).toMatchObject({
      total_count: 1,
      data: [{ ID, signal_id, comment: 'The scanner again', resolved: null }],
    });
    const { request_id } = asked.data;
    const close = { request_id, resolution: 'An exception for the scanner' };
    expect((await app.call(contract.resolveTuning, close, 'analyst')).http).toBe(403);
    expect((await app.call(contract.resolveTuning, close)).http).toBe(200);
    expect((await app.call(contract.resolveTuning, close)).http).toBe(409);
    expect((await app.call(contract.listTuning, { ID })).data.total_count).toBe(0);
    const closed = (await app.call(contract.listTuning, { ID, state: 'resolved' })).data.data;
    expect(closed).toMatchObject([{ resolution: 'An exception for the scanner', resolved: now() }]);
    const entries = await app.test.platform.postgres.platform
      .selectFrom(sql<{ action: string; entity: string }>`audit_entry`.as('entry'))
      .select(['action', 'entity'])
      .where('entity', '=', ID)
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['detection.tuning', 'detection.tuned']),
    );
  });

  it('[T-RULE-HEALTH] counts what people made of the signals: false positives, open ones, true positives', async () => {
    const ID = await add('ProcessEvent | where CommandLine == "judged"');
    await pass(2);
    await app.store(['ana', 'ben', 'eve', 'kim'].map((user) => event('judged', user)));
    await pass(3);
    const { data: list } = await app.call(contract.listSignals, {
      start: T0,
      end: now(),
      view: 'all',
      pagesize: 500,
    });
    const [first, second] = list.data.filter((one) => one.workbook_id === ID);
    if (!first || !second) throw new Error('there are no signals');
    await app.call(contract.tagFalsePositive, { signal_ids: [first.signal_id], false_positive: true });
    const created = await app.call(contract.createCase, {
      ...{ case_name: 'Real', severity: 'High', signal_ids: [second.signal_id] },
    });
    expect(created.http, created.text).toBe(200);
    expect(await itemOf(ID)).toMatchObject({
      signals: 4,
      last_true_positive: null,
      false_positive_share: 0.25,
      open_share: 0.5,
    });
    const closing = { case_ids: [created.data.case_id], status: 'CLOSED', resolution: 'true_positive' };
    const closed = await app.call(contract.changeCaseStatus, closing);
    expect(closed.http, closed.text).toBe(200);
    expect((await itemOf(ID))?.last_true_positive).toBe(second.last_time);
    const sorted = (await health({ sort: 'false_positive_share', desc: true })).data;
    expect(sorted[0]?.ID).toBe(ID);
    expect(sorted.at(-1)?.false_positive_share).toBeNull();
  });
});

describe('streams and what runs by itself', () => {
  it('[C122][C123][S7-62] tells of each stream its events by day, its last event and its signals', async () => {
    const ID = await add('Dns | where DnsQuery == "silent.example"');
    await pass(2);
    const streams = (await app.call(contract.signalStreamStatus, {}, 'analyst')).data;
    const processes = streams.find(({ stream }) => stream === 'ProcessEvent');
    expect(processes?.events_24h).toBeGreaterThan(5);
    expect(processes?.signals_24h).toBeGreaterThan(3);
    expect(processes?.last_signal).toBeGreaterThan(T0);
    expect(processes?.rules).toBeGreaterThan(3);
    const dns = streams.find(({ stream }) => stream === 'Dns');
    expect(dns).toMatchObject({ events_24h: 0, last_event: null, signals_24h: 0 });
    expect((await itemOf(ID))?.silent_streams).toEqual(['Dns']);
    const days = (await app.call(contract.dailyStreamDetails, { days: 2 })).data;
    const mine = days.find(({ stream }) => stream === 'ProcessEvent');
    expect(mine?.days.reduce((sum, { events }) => sum + events, 0)).toBe(processes?.events_24h);
    expect(mine?.days[0]?.day).toBe(Math.floor(T0 / (24 * HOUR)) * 24 * HOUR);
  });

  it('[C124][S2-31][S7-62] lists what has a schedule, with its next five runs, also while it is paused', async () => {
    const schedule = { mode: 'scheduled', cron: '0 6 * * 1', timezone: 'Europe/Paris', lookback_minutes: 0 };
    const ID = await add('ProcessEvent | where CommandLine == "weekly"', { schedule });
    const listed = async () =>
      (await app.call(contract.runningWorkbooks, { mode: 'scheduled', pagesize: 500 })).data.data.find(
        (one) => one.ID === ID,
      );
    const item = await listed();
    expect(item).toMatchObject({
      mode: 'scheduled',
      cron: '0 6 * * 1',
      timezone: 'Europe/Paris',
      enabled: true,
      last_status: 'none',
    });
    expect(item?.next_runs).toHaveLength(5);
    expect(item?.next_runs[0]).toBe(Date.UTC(2026, 2, 9, 5));
    await app.call(contract.setWorkbookVisibility, { ID, enabled: false });
    expect(await listed()).toMatchObject({ enabled: false, next_runs: [] });
  });
});
