import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { ANCHOR_MS } from '../signals/anchored-rows.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// How many events each stream of each scope received in each minute. One small query over all scopes of a tenant tells
// all its rules which windows hold nothing to evaluate, and which have grown since they were evaluated. Of each minute its
// first half is counted too, for groups whose minutes are evaluated in halves.

/** Events by stream. */
export type StreamCounts = Readonly<Record<string, number>>;

export interface StreamActivity {
  /** Events of the streams (`*`: all) in the minutes that the window touches. */
  count(scopeId: string, streams: readonly string[], window: Window): Promise<number>;
  /** The minutes that the window touches and that hold events, by their start. */
  minutes(scopeId: string, window: Window): Promise<ReadonlyMap<number, StreamCounts>>;
}

const SQL = `SELECT Scope, Stream, intDiv(toUnixTimestamp64Milli(IngestedTime), {step:Int64}) AS Minute,
  toInt64(count()) AS Events,
  toInt64(countIf(toUnixTimestamp64Milli(IngestedTime) % {step:Int64} < {half:Int64})) AS FirstHalf
FROM events
WHERE IngestedTime >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND IngestedTime < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
GROUP BY Scope, Stream, Minute`;

type Minutes = Map<number, Record<string, number>>;

interface ScopeMinutes {
  readonly whole: Minutes;
  readonly firstHalves: Minutes;
}

const NO_MINUTES: ScopeMinutes = { whole: new Map(), firstHalves: new Map() };

async function readChunk(
  events: EventStore,
  clusterId: string,
  chunk: Window,
): Promise<Map<string, ScopeMinutes>> {
  const { rows } = await events.rows(clusterId, {
    sql: SQL,
    params: { ...chunk, step: MINUTE_MS, half: ANCHOR_MS },
    scopes: 'all',
  });
  const scopes = new Map<string, ScopeMinutes>();
  for (const [scope, stream, minute, count, firstHalf] of rows) {
    const minutes = scopes.get(String(scope)) ?? { whole: new Map(), firstHalves: new Map() };
    const startMs = Number(minute) * MINUTE_MS;
    const add = (to: Minutes, events: number) =>
      to.set(startMs, { ...to.get(startMs), [String(stream)]: events });
    add(minutes.whole, Number(count));
    if (Number(firstHalf) > 0) add(minutes.firstHalves, Number(firstHalf));
    scopes.set(String(scope), minutes);
  }
  return scopes;
}

/** Events of the streams, `*` standing for all. */
export function countOf(counts: StreamCounts, streams: readonly string[]): number {
  const names = streams.includes('*') ? Object.keys(counts) : streams;
  return names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

const QUARTER_DAY_MS = 6 * 60 * MINUTE_MS;

/** Counts of a tenant in one range. */
export interface ActivityInRange {
  /** The minutes that the window touches and that hold events, by their start. */
  minutes(scopeId: string, window: Window): ReadonlyMap<number, StreamCounts>;
  /** What the first half of the minute that begins then holds. */
  firstHalf(scopeId: string, minute: number): StreamCounts;
}

/** Counts of a tenant in one range, which is read at once; no window may go beyond it. */
export async function activityIn(
  events: EventStore,
  clusterId: string,
  range: Window,
): Promise<ActivityInRange> {
  const scopes = await readChunk(events, clusterId, range);
  return {
    minutes: (scopeId, window) => minutesIn((scopes.get(scopeId) ?? NO_MINUTES).whole, window),
    firstHalf: (scopeId, minute) => scopes.get(scopeId)?.firstHalves.get(minute) ?? {},
  };
}

function minutesIn(minutes: Minutes, window: Window): Map<number, StreamCounts> {
  const first = Math.floor(window.from / MINUTE_MS) * MINUTE_MS;
  return new Map([...minutes].filter(([minute]) => minute >= first && minute < window.to));
}

/**
 * Counts of a tenant as they are from now on: each stretch of `chunkMs` is read once, when it is first asked for. Short
 * stretches serve whoever asks for the newest minutes only.
 */
export function streamActivity(
  events: EventStore,
  clusterId: string,
  chunkMs: number = QUARTER_DAY_MS,
): StreamActivity {
  const chunks = new Map<number, Promise<Map<string, ScopeMinutes>>>();
  const chunkAt = (from: number): Promise<Map<string, ScopeMinutes>> => {
    const known = chunks.get(from) ?? readChunk(events, clusterId, { from, to: from + chunkMs });
    chunks.set(from, known);
    return known;
  };
  const minutes = async (scopeId: string, window: Window): Promise<Map<number, StreamCounts>> => {
    const found = new Map<number, StreamCounts>();
    for (let from = Math.floor(window.from / chunkMs) * chunkMs; from < window.to; from += chunkMs) {
      const { whole } = (await chunkAt(from)).get(scopeId) ?? NO_MINUTES;
      for (const [minute, counts] of minutesIn(whole, window)) found.set(minute, counts);
    }
    return found;
  };
  return {
    minutes,
    count: async (scopeId, streams, window) => {
      let sum = 0;
      for (const counts of (await minutes(scopeId, window)).values()) sum += countOf(counts, streams);
      return sum;
    },
  };
}
