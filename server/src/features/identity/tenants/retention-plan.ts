import type { Deletion } from '../../../platform/clickhouse/delete-events.ts';
import type { Holding } from '../../../platform/clickhouse/event-holdings.ts';
import { partitionId } from '../../../platform/clickhouse/event-tables.ts';

// Which partitions go, and of which a part goes. What decides is how long a stream is kept today, not when its events
// came in: whoever lengthens a time keeps what is there, whoever shortens it deletes. Pure.

const DAY_MS = 86_400_000;

/** Events of a day are over when the whole of the day is older than they are kept. */
function isOver(day: string, keptDays: number | null, nowMs: number): boolean {
  return keptDays !== null && Date.parse(day) + (keptDays + 1) * DAY_MS <= nowMs;
}

/** The first day, `2026-03-01`, of which nothing can be over when the shortest time is `keptDays`. */
export function firstDayKept(keptDays: number, nowMs: number): string {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - keptDays * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Deletes the holdings that `isGone` names; partitions of which nothing stays are dropped. `rowsIn` is what the engine
 * has of each partition: where it has another number of rows than the figures tell, nothing is dropped blindly.
 */
export function planDeletions(
  holdings: readonly Holding[],
  rowsIn: ReadonlyMap<string, number>,
  isGone: (holding: Holding) => boolean,
): Deletion[] {
  const partitions = new Map<string, Holding[]>();
  for (const holding of holdings) {
    const id = partitionId(holding);
    partitions.set(id, [...(partitions.get(id) ?? []), holding]);
  }
  return [...partitions].flatMap(([id, all]) => {
    const gone = all.filter(isGone);
    const [first] = gone;
    if (first === undefined) return [];
    const told = all.reduce((sum, one) => sum + one.events, 0);
    const isAll = gone.length === all.length && (rowsIn.get(id) ?? told) === told;
    return [
      {
        day: first.day,
        retentionDays: first.retentionDays,
        streams: isAll ? null : gone.map(({ scope, stream }) => ({ scope, stream })),
        events: gone.reduce((sum, one) => sum + one.events, 0),
        bytes: gone.reduce((sum, one) => sum + one.bytes, 0),
      },
    ];
  });
}

/** What is past its time; `keptDays` is null for what is kept without end. */
export function planRetention(
  holdings: readonly Holding[],
  rowsIn: ReadonlyMap<string, number>,
  keptDays: (scope: string, stream: string) => number | null,
  nowMs: number,
): Deletion[] {
  return planDeletions(holdings, rowsIn, ({ day, scope, stream }) =>
    isOver(day, keptDays(scope, stream), nowMs),
  );
}
