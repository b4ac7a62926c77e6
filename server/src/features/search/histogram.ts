import type { OutputOf, searchHistogram } from '@tyrian/contract';

// Turns counts per bucket and value into series for a chart: every bucket of the range is there, empty or not.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Round widths, so that bars begin at times that people name. */
const WIDTHS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAY),
];
/** Milliseconds from 0001-01-01, where `bin` counts from, to 1970. */
const BIN_ORIGIN_MS = 62_135_596_800_000;
const MAX_BUCKETS = 1000;

type Histogram = Omit<OutputOf<typeof searchHistogram>, 'stack_by' | 'counts_rows'>;

/** The narrowest round width that needs no more than `buckets` buckets. */
export function bucketWidthMs(range: { from: number; to: number }, buckets: number): number {
  const wanted = (range.to - range.from) / buckets;
  const widest = Math.ceil((range.to - range.from) / MAX_BUCKETS / DAY) * DAY;
  return WIDTHS_MS.find((width) => width >= wanted) ?? Math.max(365 * DAY, widest);
}

/** The start of the bucket that holds the instant, as `bin` counts. */
function bucketStart(epochMs: number, widthMs: number): number {
  return Math.floor((epochMs + BIN_ORIGIN_MS) / widthMs) * widthMs - BIN_ORIGIN_MS;
}

export interface BucketCount {
  readonly time: number;
  /** Null: values that were not told apart. */
  readonly value: string | null;
  readonly count: number;
}

/** The chart of these counts; values beyond the `most` largest are summed under null. */
export function histogramOf(
  range: { from: number; to: number },
  widthMs: number,
  counts: readonly BucketCount[],
  most: number,
): Histogram {
  const times: number[] = [];
  for (let at = bucketStart(range.from, widthMs); at < range.to; at += widthMs) times.push(at);
  const positions = new Map(times.map((time, index) => [time, index]));
  const totals = new Map<string, number>();
  for (const { value, count } of counts)
    if (value !== null) totals.set(value, (totals.get(value) ?? 0) + count);
  const largest = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
  const series = new Map<string | null, number[]>(largest.map(([value]) => [value, times.map(() => 0)]));
  if (totals.size > most || counts.some(({ value }) => value === null))
    series.set(
      null,
      times.map(() => 0),
    );
  let total = 0;
  for (const { time, value, count } of counts) {
    total += count;
    const line = series.get(value) ?? series.get(null);
    const position = positions.get(time);
    if (line && position !== undefined) line[position] = (line[position] ?? 0) + count;
  }
  return {
    applicable: true,
    range,
    bucket_ms: widthMs,
    times,
    series: [...series].map(([value, values]) => ({ value, counts: values })),
    total,
  };
}
