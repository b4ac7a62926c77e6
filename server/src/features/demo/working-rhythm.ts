import type { Random } from './seeded-random.ts';

// When things happen: little at night, most between nine and five with a dip at noon, half at weekends.

const BY_HOUR = [
  0.18, 0.15, 0.14, 0.14, 0.16, 0.22, 0.4, 0.75, 1.2, 1.6, 1.7, 1.6, 1.1, 1.4, 1.65, 1.6, 1.45, 1.1, 0.7, 0.5,
  0.4, 0.32, 0.26, 0.21,
] as const;
const WEEKEND = 0.45;
const SLOT_MS = 300_000;

/** How busy the company is at an instant, about 1 on the average of a working day. */
export function activityAt(epochMs: number): number {
  const date = new Date(epochMs);
  const hour = date.getUTCHours();
  const share = date.getUTCMinutes() / 60;
  const now = BY_HOUR[hour] ?? 1;
  const next = BY_HOUR[(hour + 1) % 24] ?? 1;
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return (now + (next - now) * share) * (isWeekend ? WEEKEND : 1);
}

export interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: number;
}

/** Shares `events` out over the time range by activity, in slots of five minutes, oldest first. */
export function slotsOf(fromMs: number, toMs: number, events: number): Slot[] {
  const bounds: [number, number][] = [];
  for (let at = fromMs; at < toMs; at += SLOT_MS) bounds.push([at, Math.min(toMs, at + SLOT_MS)]);
  const weights = bounds.map(([from, to]) => activityAt(from) * (to - from));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let given = 0;
  let exact = 0;
  return bounds.map(([from, to], index) => {
    exact += ((weights[index] ?? 0) / total) * events;
    const count = Math.round(exact) - given;
    given += count;
    return { fromMs: from, toMs: to, events: count };
  });
}

/** A moment inside the slot. */
export function momentIn(slot: Pick<Slot, 'fromMs' | 'toMs'>, random: Random): number {
  return Math.floor(slot.fromMs + random.next() * (slot.toMs - slot.fromMs));
}
