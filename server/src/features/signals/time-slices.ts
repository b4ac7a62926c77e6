// Slices of a time chart: whole multiples of an interval that people can read, empty ones included.

const STEPS_MS = [1, 5, 10, 30]
  .map((seconds) => seconds * 1000)
  .concat(
    [1, 5, 10, 30].map((minutes) => minutes * 60_000),
    [1, 3, 6, 12].map((hours) => hours * 3_600_000),
    [1, 7, 30].map((days) => days * 86_400_000),
  );
const WANTED_SLICES = 60;
export const MAX_SLICES = 2_000;

/** The shortest readable interval that cuts the range into at most about sixty slices. */
export function intervalFor(range: { readonly from: number; readonly to: number }): number {
  const span = Math.max(1, range.to - range.from);
  return STEPS_MS.find((step) => span / step <= WANTED_SLICES) ?? Math.ceil(span / WANTED_SLICES);
}

/** Every slice that touches `[from, to]`, with its count. */
export function fillSlices(
  counts: ReadonlyMap<number, number>,
  range: { readonly from: number; readonly to: number },
  intervalMs: number,
): { time: number; count: number }[] {
  const slices: { time: number; count: number }[] = [];
  const first = Math.floor(range.from / intervalMs) * intervalMs;
  for (let time = first; time <= range.to && slices.length < MAX_SLICES; time += intervalMs) {
    slices.push({ time, count: counts.get(time) ?? 0 });
  }
  return slices;
}
