import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useValueNames } from '../../lib/value-words.ts';
import type { SearchSnapshot } from '../runs/run-search.ts';
import { renderDirective } from './render-directive.ts';
import { ResultCard } from './result-card.tsx';
import { type ChartData, chartOf } from './result-chart-data.ts';

const ResultChart = lazy(() => import('./result-chart.tsx'));

/** What a result is besides a table: a chart, or the values of its first row. */
type Drawing =
  | { readonly kind: 'chart'; readonly chart: ChartData; readonly cut: number | null }
  | { readonly kind: 'card'; readonly snapshot: SearchSnapshot; readonly title: string };

/** Null when the result is a table and nothing else. */
export function useDrawing(snapshot: SearchSnapshot, query: string): Drawing | null {
  const { columns, rows, truncated, status } = snapshot;
  const { t } = useTranslation('search');
  const nameOf = useValueNames();
  const render = useMemo(() => renderDirective(query), [query]);
  const isCard = render?.kind === 'card';
  const chart = useMemo(() => {
    const words = { empty: t('values.empty'), other: t('histogram.other'), nameOf };
    return isCard ? null : chartOf(columns, rows, render, query, words);
  }, [isCard, columns, rows, render, query, t, nameOf]);
  if (isCard)
    return rows.length === 0 ? null : { kind: 'card', snapshot, title: render.properties.get('title') ?? '' };
  const isCut = truncated || status === 'stopped';
  return chart && { kind: 'chart', chart, cut: isCut ? rows.length : null };
}

export function ResultDrawing(props: {
  readonly drawing: Drawing;
  readonly zone: string;
  /** Hues that values have elsewhere on the page, by their place in the palette. */
  readonly hues?: ReadonlyMap<string, number>;
}) {
  const { drawing, zone, hues } = props;
  if (drawing.kind === 'card') {
    const { columns, rows } = drawing.snapshot;
    return <ResultCard columns={columns} row={rows[0] ?? []} title={drawing.title} zone={zone} />;
  }
  return (
    <Suspense fallback={<Skeleton height="100%" radius={0} />}>
      <ResultChart data={drawing.chart} cut={drawing.cut} hues={hues} />
    </Suspense>
  );
}
