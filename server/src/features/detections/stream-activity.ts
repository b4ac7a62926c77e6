import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// How many events each stream of each scope received in each minute. One small query for a tenant tells which
// windows hold nothing to evaluate, and which have grown since they were evaluated.

export interface StreamActivity {
  /** The ingest times that were counted. */
  readonly range: Window;
  /** Events of the streams (`*`: all) in the minutes that the window touches; null outside `range`. */
  count(scopeId: string, streams: readonly string[], window: Window): number | null;
}

const SQL = `SELECT Scope, Stream, intDiv(toUnixTimestamp64Milli(IngestedTime), {step:Int64}) AS Minute,
  toInt64(count()) AS Events
FROM events
WHERE IngestedTime >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND IngestedTime < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
GROUP BY Scope, Stream, Minute`;

const floorMinute = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

/** Counts the events of a tenant by minute of ingest. `range` is widened to whole minutes. */
export async function readStreamActivity(
  events: EventStore,
  clusterId: string,
  range: Window,
): Promise<StreamActivity> {
  const whole = { from: floorMinute(range.from), to: floorMinute(range.to + MINUTE_MS - 1) };
  const { rows } = await events.rows(clusterId, {
    sql: SQL,
    params: { from: whole.from, to: whole.to, step: MINUTE_MS },
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
  return {
    range: whole,
    count: (scopeId, streams, window) => {
      if (window.from < whole.from || window.to > whole.to) return null;
      const last = Math.floor((window.to - 1) / MINUTE_MS);
      let sum = 0;
      for (const stream of streams) {
        const counts = minutes.get(`${scopeId}\0${stream}`);
        if (!counts) continue;
        for (const [minute, count] of counts) {
          if (minute >= Math.floor(window.from / MINUTE_MS) && minute <= last) sum += count;
        }
      }
      return sum;
    },
  };
}
