import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// How many events each stream of each scope received in each minute. A small query for each six hours of a tenant
// tells all its rules which windows hold nothing to evaluate, and which have grown since they were evaluated.

export interface StreamActivity {
  /** Events of the streams (`*`: all) in the minutes that the window touches. */
  count(scopeId: string, streams: readonly string[], window: Window): Promise<number>;
}

const CHUNK_MS = 6 * 60 * MINUTE_MS;

const SQL = `SELECT Scope, Stream, intDiv(toUnixTimestamp64Milli(IngestedTime), {step:Int64}) AS Minute,
  toInt64(count()) AS Events
FROM events
WHERE IngestedTime >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND IngestedTime < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
GROUP BY Scope, Stream, Minute`;

/** Events by minute, by scope and stream. */
type Minutes = ReadonlyMap<string, ReadonlyMap<number, number>>;

async function readChunk(events: EventStore, clusterId: string, from: number): Promise<Minutes> {
  const { rows } = await events.rows(clusterId, {
    sql: SQL,
    params: { from, to: from + CHUNK_MS, step: MINUTE_MS },
    scopes: 'all',
  });
  const minutes = new Map<string, Map<number, number>>();
  const add = (key: string, minute: number, count: number) => {
    const known = minutes.get(key) ?? new Map<number, number>();
    known.set(minute, (known.get(minute) ?? 0) + count);
    minutes.set(key, known);
  };
  for (const [scope, stream, minute, count] of rows) {
    add(`${scope}\0${stream}`, Number(minute), Number(count));
    add(`${scope}\0*`, Number(minute), Number(count));
  }
  return minutes;
}

function sumIn(minutes: Minutes, key: string, window: Window): number {
  const first = Math.floor(window.from / MINUTE_MS);
  const last = Math.floor((window.to - 1) / MINUTE_MS);
  let sum = 0;
  for (const [minute, count] of minutes.get(key) ?? []) if (minute >= first && minute <= last) sum += count;
  return sum;
}

/** Counts of a tenant as they are from now on: each stretch is read once, when it is first asked for. */
export function streamActivity(events: EventStore, clusterId: string): StreamActivity {
  const chunks = new Map<number, Promise<Minutes>>();
  const chunkAt = (from: number): Promise<Minutes> => {
    const known = chunks.get(from) ?? readChunk(events, clusterId, from);
    chunks.set(from, known);
    return known;
  };
  return {
    count: async (scopeId, streams, window) => {
      const names = streams.includes('*') ? ['*'] : streams;
      let sum = 0;
      for (let from = Math.floor(window.from / CHUNK_MS) * CHUNK_MS; from < window.to; from += CHUNK_MS) {
        const minutes = await chunkAt(from);
        for (const stream of names) sum += sumIn(minutes, `${scopeId}\0${stream}`, window);
      }
      return sum;
    },
  };
}
