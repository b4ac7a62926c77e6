import { IconAlertTriangle } from '@tabler/icons-react';
import { BarChart, LineChart, PieChart, ScatterChart, TreemapChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { type ChartTheme, chartOption } from './chart-option.ts';
import styles from './result-chart.module.css';
import type { ChartData } from './result-chart-data.ts';

// Loaded only when a result is drawn: the chart library is the largest part of the console.

use([
  BarChart,
  LineChart,
  PieChart,
  ScatterChart,
  TreemapChart,
  GridComponent,
  TitleComponent,
  TooltipComponent,
  LegendComponent,
  AriaComponent,
  CanvasRenderer,
]);

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function themeNow(zone: string): ChartTheme {
  return {
    text: token('--text-secondary'),
    strong: token('--text'),
    line: token('--line'),
    raised: token('--raised'),
    bad: token('--bad'),
    font: token('--font-text'),
    onHue: token('--ground'),
    palette: [1, 2, 3, 4, 5, 6, 7, 8]
      .map((index) => token(`--chart-${index}`))
      .concat(token('--chart-other')),
    zone,
    isCalm: matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
}

/** A result as a chart, with the same figures as a table for who can't see it. */
export default function ResultChart(props: {
  readonly data: ChartData;
  /** Rows that are drawn when the result has more; null: all of it is drawn. */
  readonly cut?: number | null;
  readonly hues?: ReadonlyMap<string, number> | undefined;
}) {
  const { data, cut = null, hues } = props;
  const { t } = useTranslation('search');
  const { timeZone, theme, locale } = useSettings();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current) return;
    const chart = init(frame.current);
    // The theme decides the tokens that are read here.
    chart.setOption(chartOption(data, themeNow(theme ? timeZone : timeZone), hues));
    const watch = new ResizeObserver(() => chart.resize());
    watch.observe(frame.current);
    return () => {
      watch.disconnect();
      chart.dispose();
    };
  }, [data, timeZone, theme, hues]);
  return (
    <div className={styles.chart}>
      {cut !== null && (
        <p className={styles.cut} role="status" data-testid="chart-cut">
          <IconAlertTriangle size={14} aria-hidden />
          {t('chart.cut', { rows: formatInteger(cut, locale) })}
        </p>
      )}
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
