import type { ScopeOverview } from '@tyrian/contract';

// Events by stream and slice of time, stacked for drawing: the eight largest streams, and the rest as "other".

const MOST_SERIES = 8;
export const OTHER = 'other';

export interface Slice {
  readonly time: number;
  readonly total: number;
  /** Count of each series, in the order of `series`. */
  readonly counts: readonly number[];
}

export interface Stack {
  readonly series: readonly string[];
  readonly slices: readonly Slice[];
  readonly most: number;
}

/** Every slice of the range, also the empty ones. */
export function stackSlices(
  data: Pick<ScopeOverview, 'events' | 'interval_ms'>,
  range: { readonly from: number; readonly to: number },
): Stack {
  const sums = new Map<string, number>();
  for (const point of data.events) sums.set(point.stream, (sums.get(point.stream) ?? 0) + point.count);
  const ranked = [...sums].sort((a, b) => b[1] - a[1]).map(([stream]) => stream);
  const named = ranked.slice(0, MOST_SERIES);
  const series = ranked.length > MOST_SERIES ? [...named, OTHER] : named;
  const step = data.interval_ms;
  const start = Math.floor(range.from / step) * step;
  const length = Math.max(1, Math.ceil((range.to - start) / step));
  const counts = Array.from({ length }, () => new Array<number>(series.length).fill(0));
  for (const point of data.events) {
    const slice = counts[Math.round((point.time - start) / step)];
    const at = named.indexOf(point.stream);
    const position = at < 0 ? named.length : at;
    if (slice) slice[position] = (slice[position] ?? 0) + point.count;
  }
  const slices = counts.map((row, index) => ({
    time: start + index * step,
    counts: row,
    total: row.reduce((sum, count) => sum + count, 0),
  }));
  return { series, slices, most: Math.max(1, ...slices.map((slice) => slice.total)) };
}
