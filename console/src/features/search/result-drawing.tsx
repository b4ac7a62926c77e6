import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { renderDirective } from './render-directive.ts';
import { ResultCard } from './result-card.tsx';
import { type ChartData, chartOf } from './result-chart-data.ts';
import type { SearchSnapshot } from './run-search.ts';

const ResultChart = lazy(() => import('./result-chart.tsx'));

/** What a result is besides a table: a chart, or the values of its first row. */
type Drawing =
  | { readonly kind: 'chart'; readonly chart: ChartData }
  | { readonly kind: 'card'; readonly snapshot: SearchSnapshot; readonly title: string };

/** Null when the result is a table and nothing else. */
export function useDrawing(snapshot: SearchSnapshot, query: string): Drawing | null {
  const { columns, rows } = snapshot;
  const render = useMemo(() => renderDirective(query), [query]);
  const isCard = render?.kind === 'card';
  const chart = useMemo(
    () => (isCard ? null : chartOf(columns, rows, render, query)),
    [isCard, columns, rows, render, query],
  );
  if (isCard)
    return rows.length === 0 ? null : { kind: 'card', snapshot, title: render.properties.get('title') ?? '' };
  return chart && { kind: 'chart', chart };
}

export function ResultDrawing({ drawing, zone }: { readonly drawing: Drawing; readonly zone: string }) {
  if (drawing.kind === 'card') {
    const { columns, rows } = drawing.snapshot;
    return <ResultCard columns={columns} row={rows[0] ?? []} title={drawing.title} zone={zone} />;
  }
  return (
    <Suspense fallback={<Skeleton height="100%" radius={0} />}>
      <ResultChart data={drawing.chart} />
    </Suspense>
  );
}
