import type { Schedule } from '@tyrian/contract';
import { boundariesOf, boundaryBefore } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// The windows that the scheduler would evaluate over a stretch of time: those that end in it.

/** A week of minutes. */
const MOST_WINDOWS = 7 * 1440;

export interface PreviewWindows {
  readonly windows: readonly Window[];
  /** There are more of them before. */
  readonly cut: boolean;
}

/** Windows of a schedule that end in a range, the last ones when there are too many; every minute when it is off. */
export function windowsIn(schedule: Schedule, range: Window): PreviewWindows {
  const boundaries = boundariesOf(schedule.mode === 'off' ? { ...schedule, mode: 'streamed' } : schedule);
  if (!boundaries) return { windows: [], cut: false };
  const windows: Window[] = [];
  let from = boundaryBefore(boundaries, range.from);
  for (let to = boundaries.after(from); to <= range.to; to = boundaries.after(from)) {
    if (to > range.from) windows.push({ from, to });
    from = to;
  }
  return { windows: windows.slice(-MOST_WINDOWS), cut: windows.length > MOST_WINDOWS };
}

/** The length of windows that are all as long; null for others. */
export function commonLength(windows: readonly Window[]): number | null {
  const [first] = windows;
  if (!first) return null;
  const length = first.to - first.from;
  return windows.every((window) => window.to - window.from === length) ? length : null;
}
