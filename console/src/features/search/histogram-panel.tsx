import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { searchHistogram } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange, widenRange } from '../../lib/time-range.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EventHistogram, seriesColour, seriesName } from './event-histogram.tsx';
import styles from './histogram-panel.module.css';
import { kqlName } from './kql-literal.ts';
import type { SearchPageState } from './use-search-page.ts';

const STACKABLE = [
  'Stream',
  'EventType',
  'EventResult',
  'EventSeverity',
  'DvcHostname',
  'ActorUsername',
  'SourceName',
  'ParseStatus',
];
const BUCKETS = 80;
const LEGEND = 5;

/** The events of the search over time. A click on a name of the legend filters; dragging narrows the range. */
export function HistogramPanel({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const { asked } = page.run;
  const stack = page.link.stack || 'Stream';
  const { scope_id = '', query = '', from, to, query_timezone } = asked ?? {};
  const input = { scope_id, query, from, to, query_timezone, stack_by: stack, buckets: BUCKETS };
  const answer = useQuery({
    ...callQuery(searchHistogram, input, { params: { clusterId: page.clusterId }, keep: true, quiet: true }),
    enabled: asked !== null && page.run.snapshot.isTaken,
    staleTime: 60_000,
    retry: false,
  });
  if (!asked || page.run.snapshot.status === 'failed' || answer.isError || answer.data?.applicable === false)
    return null;
  const data = answer.data;
  const narrow = (start: number, end: number) => page.runAgain(absoluteRange(start, end));
  const widen = () => {
    const wider = data && widenRange(data.range);
    if (wider) narrow(wider.from, Math.min(wider.to, Math.max(Date.now(), data.range.to)));
  };
  return (
    <section className={styles.panel} aria-label={t('histogram.label')}>
      <div className={styles.head}>
        <Select
          aria-label={t('histogram.stackBy')}
          data={STACKABLE.includes(stack) ? STACKABLE : [stack, ...STACKABLE]}
          value={stack}
          onChange={(value) => page.show({ stack: value === 'Stream' || !value ? '' : value })}
          allowDeselect={false}
          searchable
          w={150}
          styles={{ input: { height: 24, minHeight: 24 } }}
        />
        <ul className={styles.legend} aria-label={t('histogram.legend')}>
          {data?.series.slice(0, LEGEND).map((each, index) => (
            <li key={each.value ?? ''}>
              <button
                type="button"
                className={styles.name}
                disabled={each.value === null}
                onClick={() =>
                  page.filter(
                    { column: { name: stack, type: 'string', reference: kqlName(stack) }, value: each.value },
                    true,
                    'source',
                  )
                }
              >
                <span className={styles.swatch} style={{ background: seriesColour(index, each.value) }} />
                {seriesName(each.value, t('histogram.other'), t('values.empty'))}
              </button>
            </li>
          ))}
          {data && data.series.length > LEGEND && (
            <li className={styles.more}>+{data.series.length - LEGEND}</li>
          )}
        </ul>
      </div>
      {data ? (
        <EventHistogram
          times={data.times}
          bucketMs={data.bucket_ms}
          series={data.series}
          range={data.range}
          zone={page.zone}
          locale={locale}
          onNarrow={narrow}
          onWiden={widen}
        />
      ) : (
        <Skeleton height={96} radius={4} />
      )}
    </section>
  );
}
