import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange, widenRange } from '../../lib/time-range.ts';
import { useValueWords, withWords } from '../../lib/value-words.ts';
import {
  EventHistogram,
  type HistogramSeries,
  seriesColour,
  seriesName,
} from '../../query-kit/results/event-histogram.tsx';
import styles from './histogram-panel.module.css';
import { StackFieldSelect } from './stack-field-select.tsx';
import { stackedValue } from './stacked-value.ts';
import { USUAL_STACK, useHistogram } from './use-histogram.ts';
import type { SearchPageState } from './use-search-page.ts';

const LEGEND = 5;

interface HistogramPanelProps {
  readonly page: SearchPageState;
  /** Streams that the query reads; empty: all. */
  readonly streams: readonly string[];
}

/** The events of the search over time. A click on a name of the legend filters; a bar or dragging narrows the range. */
export function HistogramPanel({ page, streams }: HistogramPanelProps) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const { asked } = page.run;
  const answer = useHistogram(page);
  const words = useValueWords();
  if (!asked || page.run.snapshot.status === 'failed' || answer.isError || answer.data?.applicable === false)
    return null;
  const data = answer.data;
  const stack = data?.stack_by ?? USUAL_STACK;
  const nameOf = (value: string) => withWords(value, words(stack, value));
  const keep = (value: string | null) => {
    const { target, position } = stackedValue(stack, value);
    page.filter(target, true, position);
  };
  const narrow = (start: number, end: number) => page.runAgain(absoluteRange(start, end));
  const widen = () => {
    const wider = data && widenRange(data.range);
    if (wider) narrow(wider.from, Math.min(wider.to, Math.max(Date.now(), data.range.to)));
  };
  return (
    <section className={styles.panel} aria-label={t('histogram.label')}>
      <div className={styles.head}>
        <StackFieldSelect
          page={page}
          streams={streams}
          value={page.link.stack || USUAL_STACK}
          onChange={(field) => page.show({ stack: field === USUAL_STACK ? '' : field })}
        />
        {data ? <Legend series={data.series} nameOf={nameOf} onKeep={keep} /> : null}
      </div>
      {data ? (
        <EventHistogram
          times={data.times}
          bucketMs={data.bucket_ms}
          series={data.series}
          range={data.range}
          zone={page.zone}
          locale={locale}
          nameOf={nameOf}
          onNarrow={narrow}
          onWiden={widen}
        />
      ) : (
        <Skeleton height={96} radius={4} />
      )}
    </section>
  );
}

interface LegendProps {
  readonly series: readonly HistogramSeries[];
  readonly nameOf: (value: string) => string;
  readonly onKeep: (value: string | null) => void;
}

/** What the colours stand for; a click keeps only these events. */
function Legend({ series, nameOf, onKeep }: LegendProps) {
  const { t } = useTranslation('search');
  return (
    <ul className={styles.legend} aria-label={t('histogram.legend')}>
      {series.slice(0, LEGEND).map((each, index) => (
        <li key={each.value ?? ''}>
          <button
            type="button"
            className={styles.name}
            disabled={each.value === null}
            onClick={() => onKeep(each.value)}
          >
            <span className={styles.swatch} style={{ background: seriesColour(index, each.value) }} />
            {seriesName(each.value, t('histogram.other'), t('values.empty'), nameOf)}
          </button>
        </li>
      ))}
      {series.length > LEGEND && <li className={styles.more}>+{series.length - LEGEND}</li>}
    </ul>
  );
}
