import { MOST_CLOCK_LEAD_MS } from '@tyrian/catalog';

// How figures are asked for. They lie by minutes: a row that reaches over an end of the range counts as a whole when
// one of its events may lie inside, so a figure may hold up to a minute of events more than the range.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT32 = 2 ** 32 - 1;

/** Figures are small. Whoever waits longer is told that the engine does not answer. */
export const FIGURE_SETTINGS = { max_execution_time: 30, max_memory_usage: 1024 ** 3 } as const;

/** Epoch milliseconds, half-open. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Asked {
  readonly where: string;
  readonly params: Readonly<Record<string, number>>;
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** What came in before the earliest event of the range could come in is not read. */
const earliestSeconds = (from: number): number =>
  within(Math.floor((from - MOST_CLOCK_LEAD_MS) / MINUTE_MS) * 60, 0, MAX_UINT32);

/** Rows of `event_figures` with events of the range. */
export function minutesWithin({ from, to }: Range): Asked {
  return {
    where: `EventMinute >= {firstMinute:Int32} AND EventMinute < {endMinute:Int32}
      AND LastEvent >= fromUnixTimestamp64Milli({from:Int64}) AND FirstEvent < fromUnixTimestamp64Milli({to:Int64})
      AND IngestedMinute >= toDateTime({earliest:UInt32}, 'UTC')`,
    params: {
      firstMinute: within(Math.floor(from / MINUTE_MS), -MAX_INT32, MAX_INT32),
      endMinute: within(Math.ceil(to / MINUTE_MS), -MAX_INT32, MAX_INT32),
      from,
      to,
      earliest: earliestSeconds(from),
    },
  };
}

/** Rows of `host_figures` with the hours of the range, the first and the last as a whole. */
export function hoursWithin({ from, to }: Range): Asked {
  return {
    where: `EventHour >= {firstHour:Int32} AND EventHour < {endHour:Int32}
      AND IngestedDay >= toDate(toDateTime({earliest:UInt32}, 'UTC'))`,
    params: {
      firstHour: within(Math.floor(from / HOUR_MS), -MAX_INT32, MAX_INT32),
      endHour: within(Math.ceil(to / HOUR_MS), -MAX_INT32, MAX_INT32),
      earliest: earliestSeconds(from),
    },
  };
}
