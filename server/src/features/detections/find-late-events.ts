import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type EvaluatedMinute, firstCounts, putNewCounts } from './evaluated-minutes.ts';
import { coveredScopes } from './group-store.ts';
import { writeTogether } from './ledger-store.ts';
import type { ReadRule, RuleReader } from './rule-reader.ts';
import { lockRule, rulesInScope, saveRule } from './rule-store.ts';
import { boundaryBefore, MINUTE_MS } from './schedule-boundaries.ts';
import { stepScheduler, type Window } from './scheduler-machine.ts';
import { activityIn, type StreamCounts } from './stream-activity.ts';

// An insert that commits later than the watermark allows puts events into windows that are finished. So minutes are
// counted again: with each window of a scope those shortly before it, and from time to time those of a day. One that
// holds more events than when it was first evaluated runs once more, for the rules that read the streams which grew. What
// makes signals identical makes the repeat harmless.

export interface LateEventsDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly reader: RuleReader;
  readonly clock: Clock;
}

type MinutesOf = (scopeId: string, window: Window) => ReadonlyMap<number, StreamCounts>;

/** Streams that hold more events than before. */
const grownStreams = (now: StreamCounts, before: StreamCounts): string[] =>
  Object.keys(now).filter((stream) => (now[stream] ?? 0) > (before[stream] ?? 0));

/** The windows of a rule that hold minutes in which one of its streams has grown. */
function windowsOf(
  read: ReadRule,
  coveredFrom: number,
  grown: ReadonlyMap<number, readonly string[]>,
): Window[] {
  const windows = new Map<number, Window>();
  for (const [minute, streams] of grown) {
    if (!read.streams.includes('*') && !streams.some((stream) => read.streams.includes(stream))) continue;
    const from = Math.max(coveredFrom, boundaryBefore(read.boundaries, minute));
    const to = read.boundaries.after(minute);
    if (to > from) windows.set(from, { from, to });
  }
  return [...windows.values()];
}

/** Marks windows of the rules of a scope to run again; resolves with how many. */
async function markLate(
  deps: LateEventsDeps,
  clusterId: string,
  scopeId: string,
  minutes: ReadonlyMap<number, StreamCounts>,
  grown: ReadonlyMap<number, readonly string[]>,
): Promise<number> {
  const rules = await deps.postgres.inTenant(clusterId, (trx) => rulesInScope(trx, clusterId, scopeId));
  const running = rules.filter((rule) => rule.state.coveredFrom !== null).map((rule) => rule.workbookId);
  const readings = await deps.reader.read(clusterId, scopeId, running.sort());
  return deps.postgres.inTenant(clusterId, async (trx) => {
    let marked = 0;
    let isPending = false;
    for (const [workbookId, reading] of readings) {
      if (reading.kind !== 'runs') continue;
      const stored = await lockRule(trx, { clusterId, scopeId, workbookId });
      if (!stored || stored.state.coveredFrom === null) continue;
      const windows = windowsOf(reading.read, stored.state.coveredFrom, grown);
      const { state } = stepScheduler(stored.state, { kind: 'late-events', windows });
      isPending ||= stored.state.late.some((late) => windows.some((window) => window.from === late.from));
      if (state.late.length === stored.state.late.length) continue;
      await writeTogether(trx, stored, deps.clock.now());
      await saveRule(trx, stored, { state });
      marked += state.late.length - stored.state.late.length;
    }
    // A rerun that waits or is under way may have seen these events or not: only a later look can tell.
    if (!isPending) await putNewCounts(trx, clusterId, scopeId, minutes);
    return marked;
  });
}

function byScope(minutes: readonly EvaluatedMinute[]): Map<string, Map<number, StreamCounts>> {
  const scopes = new Map<string, Map<number, StreamCounts>>();
  for (const { scopeId, minute, seen } of minutes) {
    const known = scopes.get(scopeId) ?? new Map<number, StreamCounts>();
    scopes.set(scopeId, known.set(minute, seen));
  }
  return scopes;
}

/** Compares counts as they are now with the first ones, for scopes of a tenant; resolves with windows marked. */
export async function findGrown(
  deps: LateEventsDeps,
  clusterId: string,
  scopeIds: readonly string[],
  range: Window,
  minutesOf: MinutesOf,
): Promise<number> {
  const known = await deps.postgres.inTenant(clusterId, async (trx) => ({
    first: await firstCounts(trx, clusterId, range),
    covered: await coveredScopes(trx, clusterId),
  }));
  const firstOf = byScope(known.first);
  let marked = 0;
  for (const scopeId of scopeIds) {
    const first = firstOf.get(scopeId) ?? new Map<number, StreamCounts>();
    const until = known.covered.get(scopeId) ?? 0;
    const grown = new Map<number, readonly string[]>();
    const minutes = new Map<number, StreamCounts>();
    for (const [minute, counts] of minutesOf(scopeId, range)) {
      // What nobody has evaluated yet is not late.
      if (minute + MINUTE_MS > until || minute < range.from) continue;
      const streams = grownStreams(counts, first.get(minute) ?? {});
      if (streams.length === 0) continue;
      grown.set(minute, streams);
      minutes.set(minute, counts);
    }
    if (grown.size > 0) marked += await markLate(deps, clusterId, scopeId, minutes, grown);
  }
  return marked;
}

/** Counts finished minutes of a tenant again; resolves with the number of windows marked. */
export async function findLateEvents(
  deps: LateEventsDeps,
  clusterId: string,
  scopeIds: readonly string[],
  range: Window,
): Promise<number> {
  const from = Math.ceil(range.from / MINUTE_MS) * MINUTE_MS;
  const whole = { from, to: range.to };
  const { minutes } = await activityIn(deps.events, clusterId, whole);
  return findGrown(deps, clusterId, scopeIds, whole, minutes);
}
