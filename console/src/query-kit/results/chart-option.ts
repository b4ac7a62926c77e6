import type { EChartsCoreOption } from 'echarts/core';
import { formatCount } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { huesOf } from './chart-hues.ts';
import type { ChartData, ChartLook, ChartSeries } from './result-chart-data.ts';

// A chart in the words of the chart library, in the colours of the theme and the times of the zone.

export interface ChartTheme {
  readonly text: string;
  readonly strong: string;
  readonly line: string;
  readonly raised: string;
  readonly bad: string;
  /** Family of the console's text. */
  readonly font: string;
  /** Text on a slice: the hues of the palette are light in the dark theme and dark in the light one. */
  readonly onHue: string;
  readonly palette: readonly string[];
  readonly zone: string;
  readonly isCalm: boolean;
}

const MOST_IN_TOOLTIP = 12;
const TITLE_PX = 24;
const LEGEND_PX = 26;

const placeText = (position: number | string, data: ChartData, zone: string): string =>
  data.axisKind === 'time' ? formatTime(Number(position), 'iso', zone).slice(0, 19) : String(position);

const NO_HUES: ReadonlyMap<string, number> = new Map();

/** The colour of each series or slice, in their order. `known`: hues that values have elsewhere on the page. */
function coloursOf(data: ChartData, theme: ChartTheme, known: ReadonlyMap<string, number>): string[] {
  const isSliced = data.kind === 'pie' || data.kind === 'treemap';
  const names = isSliced ? data.axis.map(String) : data.series.map(({ name }) => name);
  const rest = isSliced
    ? names.slice(data.restAt ?? names.length)
    : data.series.filter(({ isRest }) => isRest).map(({ name }) => name);
  return huesOf(names, known, new Set(rest)).map((hue) => theme.palette[hue] ?? theme.text);
}

/** The whole chart. */
export function chartOption(
  data: ChartData,
  theme: ChartTheme,
  known: ReadonlyMap<string, number> = NO_HUES,
): EChartsCoreOption {
  const shape =
    data.kind === 'pie' || data.kind === 'treemap'
      ? sliceOption(data, theme, coloursOf(data, theme, known))
      : axisOption(data, theme);
  const { title } = data.look;
  return {
    ...shape,
    ...(title === ''
      ? {}
      : { title: { text: title, left: 'center', textStyle: { color: theme.strong, fontSize: 13 } } }),
    tooltip: {
      ...(shape.tooltip as object),
      confine: true,
      renderMode: 'richText',
      backgroundColor: theme.raised,
      borderColor: theme.line,
      textStyle: { color: theme.strong, fontSize: 12 },
    },
    color: coloursOf(data, theme, known),
    textStyle: { fontFamily: theme.font },
    animation: !theme.isCalm,
    animationDuration: 160,
    aria: { enabled: true },
  };
}

function sliceOption(data: ChartData, theme: ChartTheme, colours: readonly string[]): EChartsCoreOption {
  const slices = data.axis.map((name, index) => ({
    name: String(name),
    value: data.series[0]?.values[index] ?? 0,
  }));
  const tooltip = { trigger: 'item', valueFormatter: formatValue };
  if (data.kind === 'treemap')
    return {
      tooltip,
      series: [
        {
          type: 'treemap',
          data: slices.map((slice, index) => ({
            ...slice,
            itemStyle: { color: colours[index] },
          })),
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          top: data.look.title === '' ? 0 : TITLE_PX,
          left: 0,
          right: 0,
          bottom: 0,
          itemStyle: { borderColor: theme.raised, gapWidth: 2 },
          label: { color: theme.onHue },
        },
      ],
    };
  return {
    tooltip,
    series: [
      {
        type: 'pie',
        radius: ['38%', '70%'],
        data: slices,
        // Labels are kept apart by the height of their lines.
        label: { color: theme.text, formatter: '{b}  {d} %', lineHeight: 18 },
        // Slivers keep their colour and their place in the tooltip; their names would lie on one another.
        labelLayout: { hideOverlap: true },
      },
    ],
  };
}

const formatValue = (value: unknown): string => (typeof value === 'number' ? formatCount(value) : '');

function axisOption(data: ChartData, theme: ChartTheme): EChartsCoreOption {
  const { look, series } = data;
  const isBar = data.kind === 'bar' || data.kind === 'column';
  const isLying = data.kind === 'bar';
  const panels = look.isPanels && series.length > 1 ? series.length : 1;
  const hasLegend = look.hasLegend && series.length > 1 && panels === 1;
  const places = positionAxis(data, theme);
  const heights = heightAxis(data, theme);
  const indexed = (axis: object, isPlaces: boolean) =>
    Array.from({ length: panels }, (_, index) => ({
      ...axis,
      gridIndex: index,
      ...(panels > 1 && !isPlaces ? { name: series[index]?.name, splitNumber: 2 } : {}),
      // Panels share their places: the lowest names them.
      ...(panels > 1 && isPlaces && index < panels - 1 ? { axisLabel: { show: false }, name: '' } : {}),
    }));
  return {
    tooltip: {
      trigger: data.kind === 'scatter' ? 'item' : 'axis',
      axisPointer: { type: isBar ? 'shadow' : 'line' },
      ...(data.kind === 'scatter' ? {} : { formatter: tooltipText(data, theme) }),
    },
    legend: hasLegend ? { type: 'scroll', bottom: 0, textStyle: { color: theme.text } } : undefined,
    grid: grids(panels, look, hasLegend),
    xAxis: indexed(isLying ? heights : places, !isLying),
    yAxis: indexed(isLying ? { ...places, inverse: true } : heights, isLying),
    series: [
      ...series.map((each, index) => drawn(each, data, panels > 1 ? index : 0)),
      ...(data.anomalies.length > 0 ? [standingOut(data, theme)] : []),
    ],
  };
}

/** Panels stand below one another, with the same share of the height. */
function grids(panels: number, look: ChartLook, hasLegend: boolean): readonly object[] {
  const top = (look.title === '' ? 16 : TITLE_PX + 8) + (look.yTitle === '' ? 0 : 12);
  const bottom = (hasLegend ? LEGEND_PX + 8 : 8) + (look.xTitle === '' ? 0 : 20);
  if (panels === 1) return [{ left: 12, right: 16, top, bottom, containLabel: true }];
  const first = look.title === '' ? 0 : 6;
  const share = (94 - first) / panels;
  return Array.from({ length: panels }, (_, index) => ({
    left: 64,
    right: 16,
    top: `${first + index * share + share * 0.28}%`,
    height: `${share * 0.62}%`,
  }));
}

function positionAxis(data: ChartData, theme: ChartTheme): object {
  const { look, axisKind } = data;
  const ink = {
    name: look.xTitle,
    nameLocation: 'middle',
    nameGap: 26,
    nameTextStyle: { color: theme.text },
    axisLabel: { color: theme.text, hideOverlap: true },
    axisLine: { lineStyle: { color: theme.line } },
  };
  if (axisKind === 'name')
    return {
      type: 'category',
      data: data.axis.map((position) => placeText(position, data, theme.zone)),
      ...ink,
      axisLabel: { ...ink.axisLabel, ...nameLabels(data) },
    };
  if (axisKind === 'number')
    return {
      type: look.isXLog ? 'log' : 'value',
      scale: true,
      ...ink,
      axisLabel: { ...ink.axisLabel, formatter: formatCount },
      splitLine: { show: false },
    };
  const formatter = (value: number) => formatTime(value, 'iso', theme.zone).slice(5, 16);
  return { type: 'time', ...ink, axisLabel: { ...ink.axisLabel, formatter } };
}

/** Names under columns stand askew when they are many, so that none of them has to go. */
const nameLabels = ({ kind, axis }: ChartData): object =>
  kind === 'column' && axis.length > 6
    ? { rotate: 32, interval: axis.length > 30 ? 'auto' : 0, width: 110, overflow: 'truncate' }
    : {};

function heightAxis({ look, stacking }: ChartData, theme: ChartTheme): object {
  return {
    type: look.isYLog ? 'log' : 'value',
    name: look.yTitle,
    nameTextStyle: { color: theme.text, align: 'left' },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: {
      color: theme.text,
      hideOverlap: true,
      formatter: (value: number) => (stacking === 'share' ? `${formatCount(value)} %` : formatCount(value)),
    },
    splitLine: { lineStyle: { color: theme.line } },
    ...(stacking === 'share' ? { max: 100 } : {}),
    ...(look.yMin === null ? {} : { min: look.yMin }),
    ...(look.yMax === null ? {} : { max: look.yMax }),
  };
}

function drawn(series: ChartSeries, data: ChartData, panel: number): object {
  const { kind, axis, axisKind, stacking } = data;
  const isBar = kind === 'bar' || kind === 'column';
  const pairs = axisKind !== 'name' && kind !== 'bar';
  return {
    name: series.name,
    type: isBar ? 'bar' : kind === 'scatter' ? 'scatter' : 'line',
    xAxisIndex: panel,
    yAxisIndex: panel,
    stack: stacking === 'none' || kind === 'scatter' ? undefined : 'all',
    areaStyle: kind === 'area' ? { opacity: 0.35 } : undefined,
    showSymbol: axis.length === 1,
    symbolSize: kind === 'scatter' ? 7 : 6,
    barMaxWidth: 40,
    connectNulls: false,
    data:
      kind === 'scatter'
        ? (series.points ?? [])
        : pairs
          ? axis.map((at, index) => [at, series.values[index] ?? null])
          : series.values,
  };
}

/** Points that stand out are told by shape as well as by colour. */
const standingOut = (data: ChartData, theme: ChartTheme): object => ({
  name: '',
  type: 'scatter',
  symbol: 'diamond',
  symbolSize: 11,
  itemStyle: { color: theme.bad },
  data: data.anomalies.map(([at, value]) => [
    data.axisKind === 'name' ? placeText(at, data, theme.zone) : at,
    value,
  ]),
});

interface TooltipPart {
  readonly axisValue: number | string;
  readonly seriesName: string;
  readonly marker: string;
  readonly value: unknown;
}

/** The place in the zone of the page, and the largest series there. */
function tooltipText(data: ChartData, theme: ChartTheme) {
  const heightOf = ({ value }: TooltipPart): number | null => {
    const height = Array.isArray(value) ? value[1] : value;
    return typeof height === 'number' ? height : null;
  };
  return (given: TooltipPart | readonly TooltipPart[]): string => {
    const parts = Array.isArray(given) ? (given as readonly TooltipPart[]) : [given as TooltipPart];
    const [first] = parts;
    if (!first) return '';
    const shown = parts
      .flatMap((part) => {
        const height = heightOf(part);
        return height === null || part.seriesName === '' ? [] : [{ part, height }];
      })
      .sort((one, other) => other.height - one.height);
    const unit = data.stacking === 'share' ? ' %' : '';
    return [
      placeText(first.axisValue, data, theme.zone),
      ...shown
        .slice(0, MOST_IN_TOOLTIP)
        .map(({ part, height }) => `${part.marker} ${part.seriesName}  ${formatCount(height)}${unit}`),
    ].join('\n');
  };
}
