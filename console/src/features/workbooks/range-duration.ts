import { quickSpan, resolveRange, type TimeRange } from '../../lib/time-range.ts';

const SPANS = [
  [7 * 86_400_000, 'd', 86_400_000],
  [2 * 3_600_000, 'h', 3_600_000],
  [0, 'm', 60_000],
] as const;

/**
 * How far back a workbook looks that is saved from a search: the span of the search. A workbook always looks back from
 * now, so of a range between two times it keeps the length.
 */
export function durationOf(range: TimeRange, zone: string, now = Date.now()): string {
  const quick = quickSpan(range);
  if (quick !== null) return quick;
  const resolved = resolveRange(range, now, zone);
  if (!resolved) return '24h';
  const length = resolved.to - resolved.from;
  const [, unit, unitMs] = SPANS.find(([least]) => length >= least) ?? SPANS[2];
  return `${Math.max(1, Math.ceil(length / unitMs))}${unit}`;
}
