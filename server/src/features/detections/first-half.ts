import { ANCHOR_MS } from '../signals/anchored-rows.ts';
import { MINUTE_MS, STREAMED } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';
import type { StreamCounts } from './stream-activity.ts';

// With windows of a minute that stay five seconds behind, an event waits up to 65 seconds for its signal. In busy scopes the
// first half of a minute is therefore evaluated when it is over, for rules whose rows are single events, and at the end of
// the minute only the second half. The window, its ledger and what is counted for late events remain those of the whole
// minute. What is known of a first half holds as long as no event has come to it since, and no rule to the group; otherwise
// the whole minute is evaluated, and what was found already is found again as the same.

/** What one evaluation wrote. */
export interface FoundFigures {
  readonly rows: number;
  readonly signals: number;
  readonly occurrences: number;
}

/** What is known of the first half of a group's next window. */
export interface FirstHalf {
  /** Everything before has been evaluated, ms. */
  readonly until: number;
  /** Events of each stream that it held. */
  readonly seen: StreamCounts;
  /** Workbooks of rules that were not evaluated, or failed. */
  readonly without: readonly string[];
  /** What rules found in it, by workbook. */
  readonly found: Readonly<Record<string, FoundFigures>>;
}

/** Events of a minute of a scope from which on the next one is evaluated in halves: a hundred a second. */
export const EVENTS_FOR_HALVES = 6_000;

/** The first half of the window of a minute that begins then; occurrences are cut at the same times. */
export const firstHalfAt = (from: number): Window => ({ from, to: from + ANCHOR_MS });

/** Whether it says all of the first half of the window, which holds so many events now. */
export function isWholeHalf(half: FirstHalf, window: Window, now: StreamCounts): boolean {
  const isItsHalf = half.until === firstHalfAt(window.from).to && half.until < window.to;
  return isItsHalf && Object.entries(now).every(([stream, count]) => count <= (half.seen[stream] ?? 0));
}

/** When the first half of the window after this one is evaluated apart; null when it is not worth it. */
export function nextFirstHalf(
  schedule: string,
  window: Window,
  minutes: ReadonlyMap<number, StreamCounts>,
  eventsForHalves: number,
): number | null {
  if (schedule !== STREAMED) return null;
  const last = Object.values(minutes.get(window.to - MINUTE_MS) ?? {});
  const events = last.reduce((sum, count) => sum + count, 0);
  return events >= eventsForHalves ? firstHalfAt(window.to).to : null;
}

/** What a window holds beyond its first half, by stream; the counts of its minutes are of all of it. */
export function countsAfter(
  half: FirstHalf,
  window: Window,
  minutes: ReadonlyMap<number, StreamCounts>,
): ReadonlyMap<number, StreamCounts> {
  const first = minutes.get(window.from) ?? {};
  const rest = Object.entries(first).map(([stream, count]) => [stream, count - (half.seen[stream] ?? 0)]);
  return new Map([...minutes, [window.from, Object.fromEntries(rest)]]);
}
