import { formatTime, offsetMinutes } from '../../lib/format-time.ts';

// Ticks of a time axis at round times of the zone.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
] as const;

export interface TimeTick {
  readonly time: number;
  readonly label: string;
}

/** At most `count` ticks between two times; days are named where they begin. */
export function timeTicks(from: number, to: number, count: number, zone: string): TimeTick[] {
  const wanted = (to - from) / Math.max(1, count);
  const step = STEPS.find((each) => each >= wanted) ?? STEPS[STEPS.length - 1]!;
  const offset = offsetMinutes(zone, from) * MINUTE;
  const ticks: TimeTick[] = [];
  for (let time = Math.ceil((from + offset) / step) * step - offset; time < to; time += step) {
    ticks.push({ time, label: tickLabel(time, step, zone) });
  }
  return ticks;
}

function tickLabel(time: number, step: number, zone: string): string {
  const text = formatTime(time, 'iso', zone);
  const clock = text.slice(11, 16);
  if (step >= DAY || clock === '00:00') return step >= 30 * DAY ? text.slice(0, 10) : text.slice(5, 10);
  return step < MINUTE ? text.slice(11, 19) : clock;
}
