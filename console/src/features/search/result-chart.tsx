import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import styles from './result-chart.module.css';
import type { ChartData } from './result-chart-data.ts';

// Loaded only when a result is drawn: the chart library is the largest part of the console.

use([
  BarChart,
  LineChart,
  PieChart,
  ScatterChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  AriaComponent,
  CanvasRenderer,
]);

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

interface Look {
  readonly text: string;
  readonly line: string;
  readonly raised: string;
  readonly palette: readonly string[];
  readonly zone: string;
}

function lookNow(zone: string): Look {
  return {
    text: token('--text-secondary'),
    line: token('--line'),
    raised: token('--raised'),
    palette: [1, 2, 3, 4, 5, 6, 7, 8]
      .map((index) => token(`--chart-${index}`))
      .concat(token('--chart-other')),
    zone,
  };
}

const label = (place: number | string, data: ChartData, look: Look): string =>
  data.isTime ? formatTime(Number(place), 'iso', look.zone).slice(0, 19) : String(place);

function pieOption(data: ChartData, look: Look): EChartsCoreOption {
  const slices = data.axis.map((name, index) => ({
    name: String(name),
    value: data.series[0]?.values[index] ?? 0,
  }));
  return {
    tooltip: { trigger: 'item' },
    series: [{ type: 'pie', radius: ['38%', '70%'], data: slices, label: { color: look.text } }],
  };
}

function axisOption(data: ChartData, look: Look): EChartsCoreOption {
  const isBar = data.kind === 'bar' || data.kind === 'column';
  const ink = {
    axisLabel: { color: look.text, hideOverlap: true },
    axisLine: { lineStyle: { color: look.line } },
  };
  const time = {
    type: 'time',
    ...ink,
    axisLabel: {
      ...ink.axisLabel,
      formatter: (value: number) => formatTime(value, 'iso', look.zone).slice(5, 16),
    },
  };
  const places = { type: 'category', data: data.axis.map((place) => label(place, data, look)), ...ink };
  const heights = {
    type: 'value',
    ...ink,
    axisLabel: { color: look.text, formatter: (value: number) => formatCount(value) },
    splitLine: { lineStyle: { color: look.line } },
  };
  const isLying = data.kind === 'bar';
  return {
    tooltip: { trigger: 'axis', axisPointer: { type: isBar ? 'shadow' : 'line' } },
    legend:
      data.series.length > 1 ? { type: 'scroll', bottom: 0, textStyle: { color: look.text } } : undefined,
    grid: { left: 12, right: 16, top: 16, bottom: data.series.length > 1 ? 34 : 8, containLabel: true },
    xAxis: isLying ? heights : data.isTime ? time : places,
    yAxis: isLying ? { ...places, inverse: true } : heights,
    series: data.series.map((series) => ({
      name: series.name,
      type: isBar ? 'bar' : data.kind === 'scatter' ? 'scatter' : 'line',
      stack: isBar || data.kind === 'area' ? 'all' : undefined,
      areaStyle: data.kind === 'area' ? { opacity: 0.35 } : undefined,
      showSymbol: data.axis.length === 1,
      barMaxWidth: 40,
      connectNulls: false,
      data:
        data.isTime && !isLying
          ? data.axis.map((at, index) => [at, series.values[index] ?? null])
          : series.values,
    })),
  };
}

function optionOf(data: ChartData, look: Look): EChartsCoreOption {
  const shape = data.kind === 'pie' ? pieOption(data, look) : axisOption(data, look);
  const tooltip = {
    ...(shape.tooltip as object),
    confine: true,
    renderMode: 'richText',
    backgroundColor: look.raised,
    borderColor: look.line,
    textStyle: { color: token('--text'), fontSize: 12 },
  };
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    ...shape,
    tooltip,
    color: [...look.palette],
    animation: !calm,
    animationDuration: 160,
    aria: { enabled: true },
  };
}

/** A result as a chart, with the same figures as a table for who can't see it. */
export default function ResultChart({ data }: { readonly data: ChartData }) {
  const { t } = useTranslation('search');
  const { timeZone, theme } = useSettings();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current) return;
    const chart = init(frame.current);
    // The theme decides the tokens that are read here.
    chart.setOption(optionOf(data, lookNow(theme ? timeZone : timeZone)));
    const watch = new ResizeObserver(() => chart.resize());
    watch.observe(frame.current);
    return () => {
      watch.disconnect();
      chart.dispose();
    };
  }, [data, timeZone, theme]);
  return (
    <div className={styles.chart}>
      <div
        ref={frame}
        className={styles.canvas}
        role="img"
        aria-label={t('chart.label')}
        data-testid="result-chart"
      />
      {data.leftOut > 0 && <p className={styles.note}>{t('chart.leftOut', { count: data.leftOut })}</p>}
    </div>
  );
}
