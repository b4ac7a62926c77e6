import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { withDatabase } from '../../engines/testing/start-test-engines.ts';
import { newId } from '../../platform/new-id.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner, type DetectionRunner } from './detection-runner.ts';
import { inQueue } from './due-queue.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

// The queue that all tenants share, on the real engines: what idle tenants cost, and that nothing is lost or done twice.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const QUERY = "ProcessEvent\n| where ProcessName endswith 'tool.exe'";
const STALLED = fileURLToPath(new URL('./testing/stalled-runner.ts', import.meta.url));
let app: DetectionApp;
let nowMs = T0;

const at = (ms: number) => {
  nowMs = ms;
  app.test.platform.clock.set(ms);
};
/** As the scheduler does, over all tenants. */
const inAll = (statement: ReturnType<typeof sql>) =>
  inQueue(app.test.platform.postgres, (trx) => statement.execute(trx));

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

beforeEach(async () => {
  // Each test has rules of its own; the shipped ones are proven elsewhere.
  await inAll(sql`update rule set enabled = false, covered_from = null, covered_until = null, schedule = null,
    keeps_step = false, late = '[]'`);
  await inAll(sql`delete from rule_group`);
  await inAll(sql`delete from arrival_mark`);
  at(nowMs + 240 * MINUTE);
});

/** Tenants with rules that keep step and have nothing to do. */
async function addIdleTenants(count: number): Promise<void> {
  const run = newId();
  const tenants = sql`generate_series(1, ${count}::int) n`;
  for (let n = 1; n <= count; n += 1) {
    await app.test.platform.postgres.inTenant(`${run}${n}`, (trx) =>
      sql`insert into workbook (cluster_id, workbook_id, name, stage, mode, author, author_id, version, created_at,
          updated_at, native, detection)
        select ${`${run}${n}`}, 'rule' || r, 'Rule', 'prod', 'streamed', 'x', 'x', 1, 'epoch', 'epoch', true, true
        from generate_series(1, 5) r`.execute(trx),
    );
  }
  await inAll(sql`insert into rule_group (cluster_id, scope_id, schedule, covered_until, due_at)
    select ${run} || n, 'scope', 'streamed', ${timestamp(nowMs)}, ${timestamp(nowMs + MINUTE)} from ${tenants}`);
  await inAll(sql`insert into rule (cluster_id, scope_id, workbook_id, enabled, covered_from, covered_until,
      due_at, schedule, keeps_step, needs_events)
    select ${run} || n, 'scope', 'rule' || r, true, ${timestamp(nowMs)}, ${timestamp(nowMs)}, ${timestamp(nowMs + MINUTE)},
      'streamed', true, true from ${tenants}, generate_series(1, 5) r`);
}

/** Statements about detections meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const asked = spy.mock.calls.map(([text]) => JSON.stringify((text as { text?: string }).text ?? text));
  const count = asked.filter((text) => /rule|arrival_mark|evaluated_minute|signal/.test(text)).length;
  spy.mockRestore();
  return count;
}

function runnerWith(evaluator: DetectionEvaluator, owner: string): DetectionRunner {
  const { postgres, eventStore: events, clock, log } = app.test.platform;
  const definitions = createWorkbookReader(postgres);
  return createDetectionRunner({ postgres, events, evaluator, definitions, clock, log, owner });
}

/** Counts evaluations by rule and window. */
function countingEvaluator(
  seen: string[],
  run: () => Promise<void> = async () => undefined,
): DetectionEvaluator {
  return {
    traitsOf: async () => ({
      streams: ['ProcessEvent'],
      rowByRow: false,
      rowsAreEvents: false,
      needsEvents: true,
    }),
    evaluate: async (rule, _detection, window) => {
      seen.push(`${rule.scopeId} ${rule.workbookId} ${window.from}`);
      await run();
      return { rows: 0, occurrences: [] };
    },
  };
}

const add = async (draft: object, where = {}): Promise<string> =>
  (await app.call(contract.addWorkbook, { properties: draft }, 'engineer', where)).data.ID;
const healthOf = async (ID: string) => (await app.call(contract.ruleHealth, { IDs: [ID] })).data[0];
const event = (time: number, user = 'eve') => ({
  time,
  columns: { ProcessName: 'c:\\lab\\tool.exe', ActorUsername: user, DvcHostname: 'pc-1' },
});

describe('tenants without events', () => {
  it('[R-E2] cost the same statements a minute, however many they are, and no row of the ledger', async () => {
    const seen: string[] = [];
    const runner = runnerWith(countingEvaluator(seen), 'idle');
    const minute = () => {
      at(nowMs + MINUTE);
      return statementsOf(() => runner.runDue());
    };
    await addIdleTenants(2);
    at(nowMs + 5_000);
    const few = await minute();
    await addIdleTenants(200);
    await minute();
    const many = await minute();
    expect(many).toBe(few);
    expect(many).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(10);
    const { rows } = await inAll(
      sql`select count(*) as n, min(covered_until) as until, (select count(*) from rule_window
        where cluster_id not in (select cluster_id from tenant)) as windows from rule_group`,
    );
    expect(rows).toEqual([{ n: 202, until: Math.floor((nowMs - 5_000) / MINUTE) * MINUTE, windows: 0 }]);
    expect(seen).toEqual([]);
  });

  it('[R-E2] hours without events are one row of the ledger, without gap, once somebody looks', async () => {
    const ID = await add(detectionDraft(QUERY));
    const from = nowMs;
    for (let hour = 0; hour < 5; hour += 1) {
      at(nowMs + 60 * MINUTE);
      await app.scheduler.round();
    }
    const until = Math.floor((nowMs - 5_000) / MINUTE) * MINUTE;
    expect(await healthOf(ID)).toMatchObject({
      state: 'ok',
      covered_from: from,
      covered_until: until,
      gaps: [],
    });
    const ledger = (await app.call(contract.ruleLedger, { ID })).data;
    expect(ledger).toMatchObject({ total_count: 1, data: [{ from, to: until, state: 'done' }] });
  });
});

describe('scopes with events', () => {
  it('are evaluated only for the rules whose streams received some; the rest keeps step', async () => {
    const hit = await add(detectionDraft(QUERY, { name: 'hit' }));
    const other = await add(detectionDraft('Dns | where DnsQuery has "x"', { name: 'other' }));
    await app.scheduler.round();
    await app.store([event(nowMs + 1000)]);
    at(nowMs + 2 * MINUTE);
    await app.scheduler.round();
    at(nowMs + 20 * MINUTE);
    await app.scheduler.round();
    const windows = async (ID: string) => (await app.call(contract.ruleLedger, { ID })).data.data;
    expect((await windows(hit)).map((window) => [window.rows, window.signals])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await windows(other)).toHaveLength(1);
    expect((await healthOf(other))?.covered_until).toBe((await healthOf(hit))?.covered_until);
  });

  it('go on while one rule fails, which stands alone until it works again, without gap', async () => {
    const good = await add(detectionDraft(QUERY, { name: 'good' }));
    const bad = await add(detectionDraft(QUERY, { name: 'bad' }));
    const seen: string[] = [];
    let isBroken = false;
    const evaluator: DetectionEvaluator = {
      ...countingEvaluator(seen),
      evaluate: async (rule) => {
        if (rule.workbookId === bad && isBroken) throw new Error('out of memory');
        return { rows: 0, occurrences: [] };
      },
    };
    const runner = runnerWith(evaluator, 'mixed');
    const minute = async () => {
      await app.store([event(nowMs + 1000)]);
      at(nowMs + MINUTE);
      await runner.runDue();
    };
    at(nowMs + 5_000);
    for (let count = 0; count < 3; count += 1) await minute();
    isBroken = true;
    for (let count = 0; count < 3; count += 1) await minute();
    const until = Math.floor((nowMs - 5_000) / MINUTE) * MINUTE;
    expect(await healthOf(good)).toMatchObject({ state: 'ok', covered_until: until, gaps: [] });
    expect(await healthOf(bad)).toMatchObject({ state: 'failing', covered_until: until - 3 * MINUTE });
    isBroken = false;
    for (let count = 0; count < 5; count += 1) await minute();
    const healed = await healthOf(bad);
    expect(healed).toMatchObject({ state: 'ok', covered_until: until + 5 * MINUTE, gaps: [] });
    const { rows } = await inAll(sql`select keeps_step from rule where workbook_id = ${bad}`);
    expect(rows).toEqual([{ keeps_step: true }]);
  });
});

describe('workers that were away for days', () => {
  it('find what came in at the beginning of that time, though marks of arrivals are deleted after two days', async () => {
    const ID = await add(detectionDraft(QUERY));
    at(nowMs + MINUTE);
    await app.scheduler.round();
    await app.store([event(nowMs + 1000)]);
    at(nowMs + 5 * 24 * 60 * MINUTE);
    // The first round deletes what is old, before anything else.
    for (let round = 0; round < 3; round += 1) await app.scheduler.round();
    expect(await healthOf(ID)).toMatchObject({ signals_total: 1, gaps: [] });
    at(nowMs + 61 * MINUTE);
    await app.scheduler.round();
    expect((await inAll(sql`select from arrival_mark where range_from < ${timestamp(nowMs)}`)).rows).toEqual(
      [],
    );
  });
});

describe('several workers', () => {
  it('share the queue: each window of each scope is evaluated once, and all of them take part', async () => {
    const { a } = app.company;
    const scopes = [{ scopeId: a.scope }, { scopeId: a.otherScope }];
    for (const scope of scopes)
      for (const name of ['one', 'two']) await add(detectionDraft(QUERY, { name }), scope);
    const seen: string[][] = [[], [], []];
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const runners = seen.map((list, index) => runnerWith(countingEvaluator(list, pause), `worker${index}`));
    for (let count = 0; count < 12; count += 1) {
      for (const scope of scopes) await app.store([event(nowMs + 1000)], scope);
      at(nowMs + MINUTE);
      await Promise.all(runners.map((runner) => runner.runDue()));
    }
    await Promise.all(runners.map((runner) => runner.runDue()));
    const all = seen.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(4 * 11);
    const { rows } = await inAll(
      sql`select count(*) as late from rule_group where due_at <= ${timestamp(nowMs - 5_000)}`,
    );
    expect(rows).toEqual([{ late: 0 }]);
  });

  it('take over from one that is killed with -9 in the middle of a window: nothing is lost, nothing doubled', async () => {
    const ID = await add(detectionDraft(QUERY));
    await app.scheduler.round();
    await app.store([event(nowMs + 1000), event(nowMs + 2000)]);
    at(nowMs + 2 * MINUTE);
    const child = await stalledRunner(nowMs);
    expect((await healthOf(ID))?.signals_total).toBe(0);
    // Its lease stands: nobody else begins the same window.
    await app.scheduler.round();
    expect((await healthOf(ID))?.signals_total).toBe(0);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    at(nowMs + 2 * MINUTE);
    await app.scheduler.round();
    const signals = (
      await app.call(contract.listSignals, {
        addfilters: [{ filter_key: 'workbook_id', filter_value: ID }],
        sort: 'first_time',
        order: 'asc',
      })
    ).data.data;
    expect(signals.map((signal) => signal.occurrences)).toEqual([2]);
    expect(await healthOf(ID)).toMatchObject({ state: 'ok', gaps: [], signals_total: 1 });
  });
});

/** A worker in a process of its own, once it is in the middle of an evaluation that never ends. */
async function stalledRunner(clockMs: number): Promise<ChildProcess> {
  const { rows } = await inAll(sql`select current_database() as database`);
  const child = fork(STALLED, [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const evaluating = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error('the worker ended')));
  });
  const { postgresUrl, clickhouse } = inject('testEngines');
  const { database } = rows[0] as { database: string };
  child.send({ postgresUrl: withDatabase(postgresUrl, database), clickhouse, clockMs });
  await evaluating;
  return child;
}
