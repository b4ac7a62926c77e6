import type { ResultColumn, ResultValue } from '@tyrian/contract';
import { namesIn, type RenderDirective } from './render-directive.ts';
import { isNumeric, type ResultRow } from './result-value.ts';
import { spreadSeries } from './spread-series.ts';

// What a result looks like as a chart, by the rules that KQL's `render` has: the first datetime is the time axis,
// numbers are heights, a text column splits into series, and `with (…)` overrides each of them.

export type ChartKind = 'line' | 'area' | 'column' | 'bar' | 'pie' | 'scatter' | 'treemap';

/** What a chart calls values that have no name. */
export interface ChartWords {
  readonly empty: string;
  readonly other: string;
  /** What a value of a field is called, when it is a code. */
  readonly nameOf?: (field: string, value: ResultValue) => string | null;
}

export interface ChartSeries {
  readonly name: string;
  /** All that have no series of their own. */
  readonly isRest?: boolean;
  /** Heights at `axis`, null where there is none. */
  readonly values: readonly (number | null)[];
  /** Places of a scatter chart: several may stand above one place of the axis. */
  readonly points?: readonly (readonly [number | string, number])[];
}

/** What `with (…)` says of the look. */
export interface ChartLook {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly hasLegend: boolean;
  readonly yMin: number | null;
  readonly yMax: number | null;
  readonly isXLog: boolean;
  readonly isYLog: boolean;
  /** Each series in a panel of its own. */
  readonly isPanels: boolean;
}

export interface ChartData {
  readonly kind: ChartKind;
  /** Epoch milliseconds on a time axis, numbers on a number axis, else names. */
  readonly axis: readonly (number | string)[];
  readonly axisKind: 'time' | 'number' | 'name';
  readonly series: readonly ChartSeries[];
  /** Points that stand out, above their line. */
  readonly anomalies: readonly (readonly [number | string, number])[];
  /** `share`: of a hundred at each place. */
  readonly stacking: 'none' | 'all' | 'share';
  readonly look: ChartLook;
  /** The slice that holds all without one of their own; null: there is none. */
  readonly restAt: number | null;
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
  treemap: 'treemap',
};

/** Kinds that this console does not draw; the table shows their rows. */
const DRAWN_ELSEWHERE = ['ladderchart', 'pivotchart', 'timepivot', 'plotly', 'graph'];

export const isDrawnElsewhere = (render: RenderDirective | null): boolean =>
  render !== null && DRAWN_ELSEWHERE.includes(render.kind);

/** As many as there are hues; what stacks or is sliced has one more for all the rest. */
const MOST_SERIES = 8;
const MOST_PANELS = 5;
const MOST_NAMES = 60;
const MAX_POINTS = 5000;

interface Shape {
  readonly axisAt: number;
  readonly splitAt: readonly number[];
  readonly heights: readonly number[];
}

const isName = ({ type }: ResultColumn): boolean => type === 'string' || type === 'bool' || type === 'guid';

/** Kinds whose axis is the first number when there is no time. */
const ON_NUMBERS = ['linechart', 'areachart', 'stackedareachart', 'scatterchart'];

function shapeOf(columns: readonly ResultColumn[], render: RenderDirective | null): Shape | null {
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const named = (property: string) =>
    namesIn(render?.properties.get(property))
      .map(at)
      .filter((index) => index >= 0);
  const anomalies = named('anomalycolumns');
  const numbers = columns.flatMap((column, index) =>
    isNumeric(column.type) && !anomalies.includes(index) ? [index] : [],
  );
  const texts = columns.flatMap((column, index) => (isName(column) ? [index] : []));
  const time = columns.findIndex((column) => column.type === 'datetime');
  const number = numbers.length > 1 ? (numbers[0] ?? -1) : -1;
  const isOnNumbers = render !== null && ON_NUMBERS.includes(render.kind) && number >= 0;
  const first = time >= 0 ? time : isOnNumbers ? number : (texts[0] ?? number);
  const axisAt = named('xcolumn')[0] ?? first;
  if (axisAt < 0) return null;
  const split = named('series');
  const free = texts.filter((index) => index !== axisAt);
  const wanted = named('ycolumns');
  const heights = (wanted.length > 0 ? wanted : numbers).filter((index) => index !== axisAt);
  if (heights.length === 0) return null;
  return { axisAt, splitAt: split.length > 0 ? split : free.slice(0, 1), heights };
}

/** Whether a result that asks for no chart is one anyway: counts over time and little else. */
function looksLikeTimeChart(columns: readonly ResultColumn[], query: string): boolean {
  const times = columns.filter((column) => column.type === 'datetime').length;
  return times === 1 && columns.length <= 4 && /\|\s*summarize\b[\s\S]*\bbin\s*\(/.test(query);
}

const NO_WORDS: ChartWords = { empty: '', other: '' };

/** The chart of a result, or null when it is a table and nothing else. `render` is what the query asks for. */
export function chartOf(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  render: RenderDirective | null,
  query: string,
  words: ChartWords = NO_WORDS,
): ChartData | null {
  if (rows.length === 0) return null;
  const asked = render && KINDS[render.kind];
  const kind = asked ?? (render === null && looksLikeTimeChart(columns, query) ? 'column' : null);
  if (!kind) return null;
  const table = spreadSeries(columns, rows);
  const shape = shapeOf(table.columns, render);
  return shape && fill(kind, shape, table, render, words);
}

interface Table {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
}

const numberOf = (value: ResultValue): number | null => {
  const read = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(read) ? read : null;
};

const isSliced = (kind: ChartKind): boolean => kind === 'pie' || kind === 'treemap';

/** A slice is named by every text of its row, or by the columns that were asked for. */
function sliceNames(
  { axisAt, splitAt }: Shape,
  columns: readonly ResultColumn[],
  render: RenderDirective | null,
): readonly number[] {
  if (render?.properties.has('series')) return [axisAt, ...splitAt];
  if (render?.properties.has('xcolumn')) return [axisAt];
  const texts = columns.flatMap((column, index) => (isName(column) && index !== axisAt ? [index] : []));
  return [axisAt, ...texts];
}

function axisKindOf(kind: ChartKind, column: ResultColumn | undefined): ChartData['axisKind'] {
  if (isSliced(kind)) return 'name';
  if (column?.type === 'datetime') return 'time';
  const isLine = kind === 'line' || kind === 'area' || kind === 'scatter';
  return isLine && column !== undefined && isNumeric(column.type) ? 'number' : 'name';
}

function fill(
  kind: ChartKind,
  shape: Shape,
  table: Table,
  render: RenderDirective | null,
  words: ChartWords,
): ChartData {
  const { columns, rows } = table;
  const axisKind = axisKindOf(kind, columns[shape.axisAt]);
  const namesAt = isSliced(kind) ? sliceNames(shape, columns, render) : [shape.axisAt];
  const axisOf = (row: ResultRow): number | string => {
    const value = row[shape.axisAt] ?? '';
    if (axisKind === 'time') return Date.parse(String(value));
    if (axisKind === 'number') return Number(value);
    return namesAt.map((index) => nameOf(row[index], columns[index]?.name ?? '', words)).join(' · ');
  };
  const all = [...new Set(rows.map(axisOf))];
  const isCapped = axisKind === 'name' && !isSliced(kind);
  const axis = isCapped
    ? all.slice(0, MOST_NAMES)
    : axisKind === 'name'
      ? all
      : all.sort((one, other) => Number(one) - Number(other));
  const places = new Map(axis.map((position, index) => [position, index]));
  const ofOne = isSliced(kind) ? { ...shape, splitAt: [] } : shape;
  const found = seriesOf(table, ofOne, axisOf, places, kind, words);
  const largest = [...found.values()].sort((one, other) => sum(other) - sum(one));
  const look = lookOf(render);
  const stacking = stackingOf(kind, render);
  const whole = { kind, axisKind, stacking, look, anomalies: anomaliesOf(table, shape, axisOf, render) };
  if (isSliced(kind)) return { ...whole, ...slicesOf(axis, largest[0], words), leftOut: 0 };
  const most = look.isPanels ? MOST_PANELS : MOST_SERIES;
  const kept = stacking === 'none' ? largest.slice(0, most) : withRest(largest, most, words);
  const series = accumulated(kept, render);
  const told = kept.some((each) => each.isRest) ? largest.length : kept.length;
  return {
    ...whole,
    axis,
    series: stacking === 'share' ? shares(series) : series,
    restAt: null,
    leftOut: largest.length - told + all.length - axis.length,
  };
}

/** A slice for each of the largest, and one for all the others. */
function slicesOf(
  axis: readonly (number | string)[],
  series: ChartSeries | undefined,
  words: ChartWords,
): Pick<ChartData, 'axis' | 'series' | 'restAt'> {
  if (!series) return { axis: [], series: [], restAt: null };
  const slices = axis.map((name, index) => ({ name, value: series.values[index] ?? null }));
  if (slices.length <= MOST_SERIES) return { axis, series: [series], restAt: null };
  const bySize = slices.sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const kept = bySize.slice(0, MOST_SERIES);
  const rest = bySize.slice(MOST_SERIES).reduce((total, { value }) => total + (value ?? 0), 0);
  return {
    axis: [...kept.map(({ name }) => name), words.other],
    series: [{ ...series, values: [...kept.map(({ value }) => value), rest], points: [] }],
    restAt: MOST_SERIES,
  };
}

/** The largest series, and one more with the sum of all the others. */
function withRest(largest: readonly ChartSeries[], most: number, words: ChartWords): readonly ChartSeries[] {
  const others = largest.slice(most);
  if (others.length === 0) return largest;
  const values = (largest[0]?.values ?? []).map((_, index) => {
    const filled = others.map((each) => each.values[index] ?? null).filter((value) => value !== null);
    return filled.length === 0 ? null : filled.reduce((total, value) => total + value, 0);
  });
  return [...largest.slice(0, most), { name: words.other, values, isRest: true }];
}

/** What stands for a value in a legend or on an axis. */
function nameOf(value: ResultValue, field: string, words: ChartWords): string {
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
  return text === '' ? words.empty : (words.nameOf?.(field, value) ?? text);
}

function seriesOf(
  { columns, rows }: Table,
  shape: Shape,
  axisOf: (row: ResultRow) => number | string,
  places: ReadonlyMap<number | string, number>,
  kind: ChartKind,
  words: ChartWords,
): ReadonlyMap<string, ChartSeries> {
  const found = new Map<
    string,
    { name: string; values: (number | null)[]; points: [number | string, number][] }
  >();
  for (const row of rows) {
    const position = axisOf(row);
    const index = places.get(position);
    if (index === undefined) continue;
    for (const height of shape.heights) {
      const name = seriesNameOf(row, height, shape, columns, words);
      let series = found.get(name);
      if (!series) {
        series = { name, values: Array.from({ length: places.size }, () => null), points: [] };
        found.set(name, series);
      }
      const value = numberOf(row[height]);
      // What shares a name shares its slice.
      const before = isSliced(kind) ? (series.values[index] ?? 0) : 0;
      series.values[index] = value === null ? (series.values[index] ?? null) : before + value;
      if (value !== null && series.points.length < MAX_POINTS) series.points.push([position, value]);
    }
  }
  return found;
}

function seriesNameOf(
  row: ResultRow,
  height: number,
  shape: Shape,
  columns: readonly ResultColumn[],
  words: ChartWords,
): string {
  const column = columns[height]?.name ?? '';
  if (shape.splitAt.length === 0) return column;
  const split = shape.splitAt
    .map((index) => nameOf(row[index], columns[index]?.name ?? '', words))
    .join(', ');
  return shape.heights.length > 1 ? `${split}: ${column}` : split;
}

/** Points of the columns that `anomalycolumns` names: where one is not zero, the line stands out. */
function anomaliesOf(
  { columns, rows }: Table,
  shape: Shape,
  axisOf: (row: ResultRow) => number | string,
  render: RenderDirective | null,
): readonly (readonly [number | string, number])[] {
  const marks = namesIn(render?.properties.get('anomalycolumns'))
    .map((name) => columns.findIndex((column) => column.name === name))
    .filter((index) => index >= 0);
  const [height] = shape.heights;
  if (height === undefined) return [];
  return rows.flatMap((row) => {
    const value = numberOf(row[height]);
    const isMarked = marks.some((index) => (numberOf(row[index]) ?? 0) !== 0);
    return isMarked && value !== null ? [[axisOf(row), value] as const] : [];
  });
}

function stackingOf(kind: ChartKind, render: RenderDirective | null): ChartData['stacking'] {
  const wanted = render?.properties.get('kind')?.toLowerCase();
  if (wanted === 'stacked100') return 'share';
  if (wanted === 'stacked' || render?.kind === 'stackedareachart') return 'all';
  // Without `render` the columns are counts over time, and their sum says most.
  return render === null && kind === 'column' ? 'all' : 'none';
}

function accumulated(series: readonly ChartSeries[], render: RenderDirective | null): readonly ChartSeries[] {
  if (render?.properties.get('accumulate')?.toLowerCase() !== 'true') return series;
  return series.map((each) => {
    let total = 0;
    return {
      ...each,
      values: each.values.map((value) => {
        total += value ?? 0;
        return total;
      }),
    };
  });
}

function shares(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const totals = (series[0]?.values ?? []).map((_, index) =>
    series.reduce((total, { values }) => total + Math.abs(values[index] ?? 0), 0),
  );
  return series.map((each) => ({
    ...each,
    values: each.values.map((value, index) => {
      const total = totals[index] ?? 0;
      return value === null || total === 0 ? null : (100 * value) / total;
    }),
  }));
}

function lookOf(render: RenderDirective | null): ChartLook {
  const text = (name: string) => render?.properties.get(name) ?? '';
  const number = (name: string) => (text(name) === '' ? null : numberOf(text(name)));
  return {
    title: text('title'),
    xTitle: text('xtitle'),
    yTitle: text('ytitle'),
    hasLegend: text('legend').toLowerCase() !== 'hidden',
    yMin: number('ymin'),
    yMax: number('ymax'),
    isXLog: text('xaxis').toLowerCase() === 'log',
    isYLog: text('yaxis').toLowerCase() === 'log',
    isPanels: text('ysplit').toLowerCase() === 'panels',
  };
}

const sum = (series: ChartSeries): number =>
  series.values.reduce<number>((total, value) => total + Math.abs(value ?? 0), 0);
