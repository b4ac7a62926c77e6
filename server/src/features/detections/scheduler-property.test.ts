import type { SignalBody } from '@tyrian/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coalesceOccurrences,
  type OpenSignal,
  type StoredOccurrence,
} from '../signals/coalesce-occurrences.ts';
import type { ResultRow } from '../signals/finding.ts';
import { type Occurrence, OccurrenceCollector } from '../signals/occurrence.ts';
import { gapsBetween } from './ledger-store.ts';
import { boundariesOf } from './schedule-boundaries.ts';
import { type Evaluation, OFF, type RuleState, stepScheduler } from './scheduler-machine.ts';

// A small world in memory: events that become visible at or after their ingest time, a store whose commits are
// all or nothing, and workers that crash, stall and overlap at random. Whatever they do, the finished windows must
// cover the time since the rule was enabled exactly once, and the signals must be those of an undisturbed run.

const MINUTE = 60_000;
const LAG = 5_000;
const RULE = { clusterId: 'c', scopeId: 's', workbookId: 'w' };
const SIGNAL: SignalBody = {
  name: 'Seen _$User_',
  tactic: '',
  technique: '',
  sub_technique: '',
  confidence: 'Low',
  score: 1,
  suspects: [{ type: 'user', field: 'User' }],
  targets: [],
  tags: [],
  kb: '',
};
const found = boundariesOf({ mode: 'streamed', cron: null, timezone: 'UTC' });
if (!found) throw new Error('streamed rules have boundaries');
const boundaries = found;

interface SimEvent {
  readonly uid: string;
  readonly user: string;
  readonly time: number;
  readonly ingested: number;
  readonly visible: number;
}

type Kind = 'each event' | 'count per ten minutes';

const iso = (ms: number) => new Date(ms).toISOString();

/** What the engine would answer at `now`. */
function query(
  kind: Kind,
  events: readonly SimEvent[],
  window: { from: number; to: number },
  now: number,
): ResultRow[] {
  const lookback = kind === 'each event' ? 0 : 20 * MINUTE;
  const seen = events.filter(
    (event) => event.visible <= now && event.ingested >= window.from - lookback && event.ingested < window.to,
  );
  if (kind === 'each event') {
    return seen.map((event) => ({
      EventUid: event.uid,
      User: event.user,
      TimeGenerated: iso(event.time),
      IngestedTime: iso(event.ingested),
    }));
  }
  const bins = new Map<string, SimEvent[]>();
  for (const event of seen) {
    const key = `${event.user} ${Math.floor(event.time / (10 * MINUTE))}`;
    bins.set(key, [...(bins.get(key) ?? []), event]);
  }
  return [...bins.values()]
    .filter((bin) => bin.length >= 2)
    .map((bin) => ({
      User: bin[0]?.user,
      TimeGenerated: iso(Math.floor((bin[0]?.time ?? 0) / (10 * MINUTE)) * 10 * MINUTE),
      Count: bin.length,
    }));
}

/** PostgreSQL in memory: every method is one transaction. */
class Store {
  state: RuleState;
  readonly windows = new Map<number, { from: number; to: number; eventsSeen: number; recorded: number }>();
  readonly occurrences = new Map<string, StoredOccurrence>();
  readonly signals = new Map<string, OpenSignal>();

  constructor(enabledAt: number) {
    this.state = stepScheduler(OFF, { kind: 'enable', at: enabledAt, backfillFrom: null }).state;
  }

  commit(evaluation: Evaluation, occurrences: readonly Occurrence[], eventsSeen: number): void {
    const { state, actions } = stepScheduler(this.state, { kind: 'done', evaluation });
    if (actions.length === 0) return;
    this.state = state;
    const known = this.windows.get(evaluation.from);
    this.windows.set(evaluation.from, {
      from: evaluation.from,
      to: evaluation.to,
      eventsSeen: Math.max(eventsSeen, known?.eventsSeen ?? 0),
      recorded: (known?.recorded ?? 0) + (evaluation.rerun ? 0 : 1),
    });
    const result = coalesceOccurrences(
      occurrences,
      [...this.occurrences.values()],
      [...this.signals.values()],
    );
    for (const signal of result.signals) this.signals.set(signal.signalId, signal);
    for (const { occurrence, signalId } of result.occurrences) {
      this.occurrences.set(occurrence.occurrenceId, { ...occurrence, signalId });
    }
  }

  fail(evaluation: Evaluation, now: number): void {
    this.state = stepScheduler(this.state, { kind: 'failed', evaluation, now }).state;
  }
}

class World {
  now: number;
  readonly store: Store;
  readonly kind: Kind;
  readonly events: readonly SimEvent[];

  constructor(kind: Kind, events: readonly SimEvent[], enabledAt: number) {
    this.kind = kind;
    this.events = events;
    this.now = enabledAt;
    this.store = new Store(enabledAt);
  }

  private count(window: { from: number; to: number }): number {
    return this.events.filter(
      (event) => event.visible <= this.now && event.ingested >= window.from && event.ingested < window.to,
    ).length;
  }

  next(): Evaluation | null {
    const { actions } = stepScheduler(this.store.state, {
      kind: 'wake',
      now: this.now,
      watermark: this.now - LAG,
      boundaries,
      mergeable: this.kind === 'each event' ? 64 : 1,
    });
    const action = actions[0];
    return action?.kind === 'evaluate' ? action.evaluation : null;
  }

  /** Counts first, evaluates then, as the runner does. */
  evaluate(evaluation: Evaluation): { occurrences: Occurrence[]; eventsSeen: number } {
    const eventsSeen = this.count(evaluation);
    const lookback = this.kind === 'each event' ? 0 : 20 * MINUTE;
    const collector = new OccurrenceCollector(RULE, SIGNAL, evaluation, lookback);
    for (const row of query(this.kind, this.events, evaluation, this.now)) collector.add(row);
    return { occurrences: collector.occurrences(), eventsSeen };
  }

  recheck(): void {
    const windows = [...this.store.windows.values()].filter(
      (window) => this.count(window) > window.eventsSeen,
    );
    this.store.state = stepScheduler(this.store.state, { kind: 'late-events', windows }).state;
  }

  runUntilQuiet(): void {
    for (let evaluation = this.next(); evaluation; evaluation = this.next()) {
      const { occurrences, eventsSeen } = this.evaluate(evaluation);
      this.store.commit(evaluation, occurrences, eventsSeen);
    }
  }
}

type Incident =
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'run'; readonly windows: number }
  | { readonly kind: 'crash before commit' }
  | { readonly kind: 'crash after commit' }
  | { readonly kind: 'engine error' }
  | { readonly kind: 'stalled worker overtaken'; readonly ms: number }
  | { readonly kind: 'recheck' };

function happen(world: World, incident: Incident): void {
  const evaluation = world.next();
  switch (incident.kind) {
    case 'sleep':
      world.now += incident.ms;
      return;
    case 'recheck':
      world.recheck();
      return;
    case 'run':
      for (let done = 0, each = evaluation; each && done < incident.windows; done += 1, each = world.next()) {
        const result = world.evaluate(each);
        world.store.commit(each, result.occurrences, result.eventsSeen);
      }
      return;
    case 'crash before commit':
      if (evaluation) world.evaluate(evaluation);
      return;
    case 'engine error':
      if (evaluation) world.store.fail(evaluation, world.now);
      return;
    case 'crash after commit': {
      if (!evaluation) return;
      const result = world.evaluate(evaluation);
      world.store.commit(evaluation, result.occurrences, result.eventsSeen);
      // The worker that takes over knows nothing of it and commits what the dead one had in hand again.
      world.store.commit(evaluation, result.occurrences, result.eventsSeen);
      return;
    }
    case 'stalled worker overtaken': {
      if (!evaluation) return;
      const stalled = world.evaluate(evaluation);
      world.now += incident.ms;
      world.runUntilQuiet();
      world.store.commit(evaluation, stalled.occurrences, stalled.eventsSeen);
      return;
    }
  }
}

const START = 1_000 * MINUTE + 12_345;
const SPAN = 600 * MINUTE;

const events = (maxInvisibleMs: number) =>
  fc
    .array(
      fc.record({
        user: fc.constantFrom('ana', 'ben'),
        ingested: fc.integer({ min: START, max: START + SPAN - 1 }),
        age: fc.integer({ min: 0, max: 30 * MINUTE }),
        invisible: fc.integer({ min: 0, max: maxInvisibleMs }),
      }),
      { maxLength: 60 },
    )
    .map((list) =>
      list.map(
        (each, index): SimEvent => ({
          uid: `event-${index}`,
          user: each.user,
          time: each.ingested - each.age,
          ingested: each.ingested,
          visible: each.ingested + each.invisible,
        }),
      ),
    );

const incidents = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 1, max: 40 * MINUTE }) }),
    fc.record({ kind: fc.constant('run' as const), windows: fc.integer({ min: 1, max: 30 }) }),
    fc.record({
      kind: fc.constant('stalled worker overtaken' as const),
      ms: fc.integer({ min: 1, max: 10 * MINUTE }),
    }),
    fc.constant({ kind: 'crash before commit' as const }),
    fc.constant({ kind: 'crash after commit' as const }),
    fc.constant({ kind: 'engine error' as const }),
    fc.constant({ kind: 'recheck' as const }),
  ),
  { maxLength: 40 },
);

const kinds = fc.constantFrom<Kind>('each event', 'count per ten minutes');

function finish(world: World): void {
  world.now = Math.max(world.now, START + SPAN) + 120 * MINUTE;
  for (let round = 0; round < 3; round += 1) {
    world.runUntilQuiet();
    world.recheck();
  }
  world.runUntilQuiet();
}

function undisturbed(kind: Kind, list: readonly SimEvent[]): World {
  const world = new World(kind, list, START);
  for (; world.now < START + SPAN + 60 * MINUTE; world.now += MINUTE) world.runUntilQuiet();
  finish(world);
  return world;
}

function expectCoveredOnce(world: World): void {
  const { coveredFrom, coveredUntil } = world.store.state;
  expect(coveredFrom).toBe(START);
  expect(coveredUntil).toBe(Math.floor((world.now - LAG) / MINUTE) * MINUTE);
  const windows = [...world.store.windows.values()].sort((a, b) => a.from - b.from);
  expect(gapsBetween(windows, { from: START, to: coveredUntil })).toEqual([]);
  expect(windows.reduce((sum, window) => sum + window.to - window.from, 0)).toBe(coveredUntil - START);
  expect(windows.every((window) => window.recorded === 1)).toBe(true);
}

const occurrencesOf = (world: World) =>
  [...world.store.occurrences.values()].map((each) => `${each.occurrenceId} ${each.rowCount}`).sort();
const signalsOf = (world: World) =>
  [...world.store.signals.values()]
    .map(({ signalId, firstMs, lastMs, occurrences }) => `${signalId} ${firstMs} ${lastMs} ${occurrences}`)
    .sort();

describe('the scheduler under crashes and delays', () => {
  it('covers wall time exactly once and raises the same signals, whatever crashes or stalls', () => {
    fc.assert(
      fc.property(kinds, events(LAG), incidents, (kind, list, troubles) => {
        const world = new World(kind, list, START);
        for (const trouble of troubles) happen(world, trouble);
        finish(world);
        expectCoveredOnce(world);
        expect(signalsOf(world)).toEqual(signalsOf(undisturbed(kind, list)));
      }),
      { numRuns: 300 },
    );
  });

  it('finds events that commit long after the watermark, and counts nothing twice', () => {
    fc.assert(
      fc.property(events(50 * MINUTE), incidents, (list, troubles) => {
        const world = new World('each event', list, START);
        for (const trouble of troubles) happen(world, trouble);
        finish(world);
        expectCoveredOnce(world);
        const prompt = list.map((event) => ({ ...event, visible: event.ingested }));
        expect(occurrencesOf(world)).toEqual(occurrencesOf(undisturbed('each event', prompt)));
        const total = [...world.store.signals.values()].reduce((sum, signal) => sum + signal.occurrences, 0);
        expect(total).toBe(list.length);
      }),
      { numRuns: 300 },
    );
  });
});
