import type { Schedule } from '@tyrian/contract';
import { type Boundaries, boundariesOf } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// The windows that the scheduler would evaluate over a stretch of time: those that end in it.

/** A week of minutes. */
const MOST_WINDOWS = 7 * 1440;

const HOUR_MS = 3_600_000;
const STEPS_BACK_MS = [HOUR_MS, 25 * HOUR_MS, 8 * 24 * HOUR_MS, 32 * 24 * HOUR_MS, 367 * 24 * HOUR_MS];

export interface PreviewWindows {
  readonly windows: readonly Window[];
  /** There are more of them before. */
  readonly cut: boolean;
}

/** The last boundary not after `time`; `time` itself when the schedule has none in the year before. */
function boundaryBefore(boundaries: Boundaries, time: number): number {
  for (const back of STEPS_BACK_MS) {
    let at = boundaries.after(time - back);
    if (at > time) continue;
    for (let next = boundaries.after(at); next <= time; next = boundaries.after(at)) at = next;
    return at;
  }
  return time;
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
