import * as contract from '@tyrian/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArrivalMarks, createArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { OccurrenceCollector } from '../signals/occurrence.ts';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner, type DetectionRunner } from './detection-runner.ts';
import { inQueue } from './due-queue.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import { findLateEvents } from './find-late-events.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

// Workers on the real PostgreSQL over events in memory, which become visible when they are ingested or much later. Workers
// crash, overlap and fail, rules are switched off and on, at random. In the end every rule has found every event since it
// was switched on, once, and its ledger has neither gap nor overlap.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const STREAMS = ['ProcessEvent', 'Dns', '*'] as const;

interface SimEvent {
  readonly uid: string;
  readonly stream: string;
  readonly ingested: number;
  readonly visible: number;
}

type Incident =
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'event'; readonly stream: string; readonly lateMs: number }
  | { readonly kind: 'run'; readonly workers: number }
  | { readonly kind: 'crash' }
  | { readonly kind: 'fail'; readonly rule: number; readonly times: number }
  | { readonly kind: 'switch'; readonly rule: number }
  | { readonly kind: 'edit'; readonly rule: number }
  | { readonly kind: 'recheck' };

const incidents = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('sleep' as const),
        ms: fc.oneof(fc.integer({ min: 1, max: 9 * MINUTE }), fc.integer({ min: 1, max: 40_000 })),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('event' as const),
        stream: fc.constantFrom('ProcessEvent', 'Dns', 'Registry'),
        lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * MINUTE })),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('run' as const), workers: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('fail' as const),
        rule: fc.integer({ min: 0, max: 2 }),
        times: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('switch' as const), rule: fc.integer({ min: 0, max: 2 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('edit' as const), rule: fc.integer({ min: 0, max: 2 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'recheck' as const }) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** An event of the minute in which the rules were switched on is seen first by the one that fails and stands alone. */
const LATE_IN_THE_FIRST_MINUTE: Incident[] = [
  { kind: 'run', workers: 3 },
  { kind: 'event', stream: 'ProcessEvent', lateMs: 15 * MINUTE },
  { kind: 'fail', rule: 2, times: 3 },
  { kind: 'sleep', ms: 9 * MINUTE },
  { kind: 'run', workers: 1 },
  { kind: 'sleep', ms: 13 * MINUTE },
  { kind: 'run', workers: 1 },
];

const event = (stream: string, lateMs = 0): Incident => ({ kind: 'event', stream, lateMs });
const runOne: Incident = { kind: 'run', workers: 1 };

/** A minute after one with events, of which somebody looks at the first half before the second comes. */
const inHalves = (between: readonly Incident[]): Incident[] => [
  // Rules are on since the fourteenth second; they keep step from the next minute on.
  { kind: 'sleep', ms: 50_000 },
  event('ProcessEvent'),
  { kind: 'sleep', ms: 62_000 },
  runOne,
  event('ProcessEvent'),
  event('ProcessEvent', 15_000),
  event('Dns'),
  { kind: 'sleep', ms: 31_000 },
  runOne,
  ...between,
  event('ProcessEvent'),
  { kind: 'sleep', ms: 35_000 },
  runOne,
];

/** What may happen between the halves of a minute. */
const HALVES = [
  inHalves([]),
  inHalves([{ kind: 'crash' }]),
  inHalves([{ kind: 'switch', rule: 0 }, runOne]),
  inHalves([{ kind: 'edit', rule: 0 }, runOne]),
  inHalves([{ kind: 'fail', rule: 0, times: 1 }]),
  inHalves([{ kind: 'run', workers: 3 }, { kind: 'recheck' }]),
];

let app: DetectionApp;
let nowMs = T0;

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

const inAll = (statement: ReturnType<typeof sql>) =>
  inQueue(app.test.platform.postgres, (trx) => statement.execute(trx));
const inTenant = (statement: ReturnType<typeof sql>) =>
  app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) => statement.execute(trx));

class World {
  readonly events: SimEvent[] = [];
  readonly rules: string[] = [];
  readonly fails = new Map<string, number>();
  readonly versions = new Map<string, number>();
  readonly runners: DetectionRunner[];
  readonly arrivals: ArrivalMarks;
  readonly store: EventStore;

  constructor() {
    const { postgres, clock, log } = app.test.platform;
    this.arrivals = createArrivalMarks(postgres);
    this.store = {
      rows: async (_clusterId: string, query: { params?: object }) => this.counts(query),
    } as never;
    const definitions = createWorkbookReader(postgres);
    // One event is enough for a minute to be evaluated in halves.
    const deps = { postgres, events: this.store, definitions, clock, log, eventsForHalves: 1 };
    this.runners = ['a', 'b', 'c'].map((owner) =>
      createDetectionRunner({ ...deps, evaluator: this.evaluator(), owner }),
    );
  }

  sleep(ms: number): void {
    nowMs += ms;
    app.test.platform.clock.set(nowMs);
  }

  private visible(from: number, to: number): SimEvent[] {
    return this.events.filter(
      (event) => event.visible <= nowMs && event.ingested >= from && event.ingested < to,
    );
  }

  private counts({ params }: { params?: object }) {
    const { from, to } = params as { from: number; to: number };
    const counts = new Map<string, { all: number; firstHalf: number }>();
    for (const { stream, ingested } of this.visible(from, to)) {
      const key = `${stream} ${Math.floor(ingested / MINUTE)}`;
      const { all, firstHalf } = counts.get(key) ?? { all: 0, firstHalf: 0 };
      counts.set(key, { all: all + 1, firstHalf: firstHalf + (ingested % MINUTE < MINUTE / 2 ? 1 : 0) });
    }
    const rows = [...counts].map(([key, { all, firstHalf }]) => {
      return [app.company.a.scope, ...key.split(' '), all, firstHalf];
    });
    return { columns: [], rows };
  }

  evaluator(hangs = false): DetectionEvaluator {
    const streamOf = (workbookId: string) => STREAMS[this.rules.indexOf(workbookId)] ?? 'none';
    return {
      traitsOf: async ({ workbookId }) => {
        const stream = streamOf(workbookId);
        const rowByRow = stream === 'ProcessEvent';
        return { streams: [stream], rowByRow, rowsAreEvents: rowByRow, needsEvents: stream !== '*' };
      },
      evaluate: async (rule, { signal }, window) => {
        if (hangs) await new Promise(() => undefined);
        const fails = this.fails.get(rule.workbookId) ?? 0;
        this.fails.set(rule.workbookId, fails - 1);
        if (fails > 0) throw new Error('the engine has no memory');
        const stream = streamOf(rule.workbookId);
        const collector = new OccurrenceCollector(rule, signal.body, window, 0);
        for (const event of this.visible(window.from, window.to)) {
          if (stream !== '*' && event.stream !== stream) continue;
          const time = new Date(event.ingested).toISOString();
          collector.add({
            EventUid: event.uid,
            ActorUsername: 'eve',
            DvcHostname: 'pc-1',
            TimeGenerated: time,
            IngestedTime: time,
          });
        }
        return { rows: collector.rows, occurrences: collector.occurrences() };
      },
    };
  }

  async start(): Promise<void> {
    await inAll(sql`update rule set enabled = false, covered_from = null, covered_until = null,
      schedule = null, keeps_step = false, late = '[]'`);
    for (const table of ['rule_group', 'arrival_mark', 'evaluated_minute']) {
      await inAll(sql`delete from ${sql.id(table)}`);
    }
    // Rules are switched on within a minute, and not where one begins.
    this.sleep(240 * MINUTE + 13_745);
    for (const name of STREAMS) {
      const properties = detectionDraft('ProcessEvent | take 1', { name: `reads ${name}` });
      this.rules.push((await app.call(contract.addWorkbook, { properties })).data.ID);
    }
  }

  async happen(incident: Incident): Promise<void> {
    const { clusterId, scope } = app.company.a;
    switch (incident.kind) {
      case 'sleep':
        this.sleep(incident.ms);
        return;
      case 'event': {
        const { stream, lateMs } = incident;
        await this.arrivals.expect(clusterId, scope, nowMs);
        this.events.push({
          uid: `event-${this.events.length}`,
          stream,
          ingested: nowMs,
          visible: nowMs + lateMs,
        });
        return;
      }
      case 'run':
        await Promise.all(
          this.runners.slice(0, incident.workers).map((runner) => runner.runDue({ clusterId })),
        );
        return;
      case 'crash':
        await this.crash();
        return;
      case 'fail':
        this.fails.set(this.rules[incident.rule] ?? '', incident.times);
        return;
      case 'switch':
        for (const enabled of [false, true]) {
          await app.call(contract.setWorkbookVisibility, { ID: this.rules[incident.rule], enabled });
          this.sleep(1000);
        }
        return;
      case 'edit': {
        const ID = this.rules[incident.rule] ?? '';
        const version = this.versions.get(ID) ?? 1;
        const properties = detectionDraft('ProcessEvent | take 1', {
          name: `reads ${STREAMS[incident.rule]}`,
        });
        await app.call(contract.editWorkbook, { ID, version, properties });
        this.versions.set(ID, version + 1);
        return;
      }
      case 'recheck':
        await this.recheck();
    }
  }

  /** A worker takes what is due and is never heard of again. */
  async crash(): Promise<void> {
    const { postgres, clock, log } = app.test.platform;
    const dead = createDetectionRunner({
      ...{ postgres, clock, log, events: this.store, owner: 'dead', eventsForHalves: 1 },
      definitions: createWorkbookReader(postgres),
      evaluator: this.evaluator(true),
    });
    void dead.runDue({ clusterId: app.company.a.clusterId });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }

  async recheck(): Promise<void> {
    const { clusterId, scope } = app.company.a;
    const { postgres, clock } = app.test.platform;
    const reader = this.runners[0]?.reader;
    if (!reader) return;
    const range = { from: nowMs - 24 * 60 * MINUTE, to: nowMs };
    await findLateEvents({ postgres, events: this.store, reader, clock }, clusterId, [scope], range);
  }

  async finish(): Promise<void> {
    this.fails.clear();
    for (let round = 0; round < 4; round += 1) {
      this.sleep(45 * MINUTE);
      for (let run = 0; run < 3; run += 1) await this.happen({ kind: 'run', workers: 1 });
      await this.recheck();
    }
    for (let run = 0; run < 3; run += 1) await this.happen({ kind: 'run', workers: 1 });
  }
}

async function expectAllFound(world: World): Promise<void> {
  const health = (await app.call(contract.ruleHealth, { IDs: world.rules })).data;
  expect(health).toHaveLength(3);
  for (const { ID, covered_from, covered_until, gaps, state } of health) {
    expect({ ID, state, gaps }).toEqual({ ID, state: 'ok', gaps: [] });
    expect(covered_until).toBe(Math.floor((nowMs - 5_000) / MINUTE) * MINUTE);
    const stream = STREAMS[world.rules.indexOf(ID)] ?? 'none';
    const wanted = world.events.filter(
      (event) => event.ingested >= (covered_from ?? 0) && (stream === '*' || event.stream === stream),
    );
    const { rows } = await inTenant(sql`select unnest(o.event_uids) as uid from signal_occurrence o
      join signal s using (cluster_id, signal_id) where s.workbook_id = ${ID}`);
    const found = (rows as { uid: string }[]).map((row) => row.uid);
    expect(new Set(found).size).toBe(found.length);
    expect(wanted.filter((event) => !found.includes(event.uid))).toEqual([]);
    const ledger = (await app.call(contract.ruleLedger, { ID, pagesize: 1000 })).data.data;
    const windows = [...ledger].reverse().filter((window) => window.from >= (covered_from ?? 0));
    for (const [index, window] of windows.entries()) {
      expect(window.state).toBe('done');
      if (index > 0) expect(window.from).toBe(windows[index - 1]?.to);
    }
    expect([windows[0]?.from, windows.at(-1)?.to]).toEqual([covered_from, covered_until]);
  }
}

it('workers that crash, overlap and fail find every event of every rule once, without gap', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, async (troubles) => {
      const world = new World();
      await world.start();
      for (const trouble of troubles) await world.happen(trouble);
      await world.finish();
      await expectAllFound(world);
    }),
    {
      numRuns: 10,
      endOnFailure: true,
      examples: [[LATE_IN_THE_FIRST_MINUTE], ...HALVES.map((one): [Incident[]] => [one])],
    },
  );
});
