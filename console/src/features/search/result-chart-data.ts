import type { ResultColumn, ResultValue } from '@tyrian/contract';
import { isNumeric, type ResultRow } from './result-value.ts';

// What a result looks like as a chart, by the rules that KQL's `render` has: the first datetime is the time
// axis, numbers are heights, a text column splits into series.

export type ChartKind = 'line' | 'area' | 'column' | 'bar' | 'pie' | 'scatter';

export interface ChartSeries {
  readonly name: string;
  /** Heights at `axis`, null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  readonly kind: ChartKind;
  /** Epoch milliseconds on a time axis, else names. */
  readonly axis: readonly (number | string)[];
  readonly isTime: boolean;
  readonly series: readonly ChartSeries[];
  /** Series or names left out because a chart can't show that many. */
  readonly leftOut: number;
}

const KINDS: Readonly<Record<string, ChartKind>> = {
  timechart: 'line',
  linechart: 'line',
  areachart: 'area',
  stackedareachart: 'area',
  columnchart: 'column',
  barchart: 'bar',
  piechart: 'pie',
  scatterchart: 'scatter',
  anomalychart: 'line',
};

const MOST_SERIES = 9;
const MOST_NAMES = 60;

interface Shape {
  readonly axisAt: number;
  readonly splitAt: number;
  readonly heights: readonly number[];
}

function shapeOf(columns: readonly ResultColumn[]): Shape | null {
  const heights = columns.flatMap((column, index) => (isNumeric(column.type) ? [index] : []));
  if (heights.length === 0) return null;
  const time = columns.findIndex((column) => column.type === 'datetime');
  const texts = columns.flatMap((column, index) =>
    column.type === 'string' || column.type === 'bool' || column.type === 'guid' ? [index] : [],
  );
  if (time >= 0) return { axisAt: time, splitAt: texts[0] ?? -1, heights };
  const axisAt = texts[0] ?? (heights.length > 1 ? heights[0]! : -1);
  if (axisAt < 0) return null;
  return { axisAt, splitAt: texts[1] ?? -1, heights: heights.filter((index) => index !== axisAt) };
}

/** Whether a result that asks for no chart is one anyway: counts over time and little else. */
function looksLikeTimeChart(columns: readonly ResultColumn[], query: string): boolean {
  const times = columns.filter((column) => column.type === 'datetime').length;
  return times === 1 && columns.length <= 4 && /\|\s*summarize\b[\s\S]*\bbin\s*\(/.test(query);
}

/** The chart of a result, or null when it is a table and nothing else. `render` is what the query asks for. */
export function chartOf(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  render: string | null,
  query: string,
): ChartData | null {
  if (rows.length === 0 || render === 'table') return null;
  const asked = render === null ? null : KINDS[render];
  const kind = asked ?? (looksLikeTimeChart(columns, query) ? 'column' : null);
  const shape = shapeOf(columns);
  if (!kind || !shape) return null;
  const isTime = columns[shape.axisAt]?.type === 'datetime' && kind !== 'pie';
  return fill(kind, isTime, shape, columns, rows);
}

const numberOf = (value: ResultValue): number | null => {
  const read = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(read) ? read : null;
};

function fill(
  kind: ChartKind,
  isTime: boolean,
  shape: Shape,
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
): ChartData {
  const axisOf = (row: ResultRow): number | string =>
    isTime ? Date.parse(String(row[shape.axisAt])) : String(row[shape.axisAt] ?? '');
  const places = new Map<number | string, number>();
  for (const row of rows) places.set(axisOf(row), 0);
  const all = [...places.keys()];
  const axis = isTime ? all.sort((a, b) => Number(a) - Number(b)) : all.slice(0, MOST_NAMES);
  axis.forEach((place, index) => {
    places.set(place, index);
  });
  const series = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const place = axis[places.get(axisOf(row)) ?? -1];
    if (place !== axisOf(row)) continue;
    for (const height of shape.heights) {
      const name = seriesNameOf(row, height, shape, columns);
      const values = series.get(name) ?? axis.map(() => null);
      values[places.get(place) ?? 0] = numberOf(row[height]);
      series.set(name, values);
    }
  }
  const largest = [...series].map(([name, values]) => ({ name, values })).sort((a, b) => sum(b) - sum(a));
  const kept = largest.slice(0, kind === 'pie' ? 1 : MOST_SERIES);
  return {
    kind,
    axis,
    isTime,
    series: kept,
    leftOut: largest.length - kept.length + all.length - axis.length,
  };
}

function seriesNameOf(
  row: ResultRow,
  height: number,
  shape: Shape,
  columns: readonly ResultColumn[],
): string {
  const column = columns[height]?.name ?? '';
  if (shape.splitAt < 0) return column;
  const split = String(row[shape.splitAt] ?? '');
  return shape.heights.length > 1 ? `${split}: ${column}` : split;
}

const sum = (series: ChartSeries): number =>
  series.values.reduce<number>((total, value) => total + Math.abs(value ?? 0), 0);
