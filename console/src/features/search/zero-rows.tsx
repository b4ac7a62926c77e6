import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { explainZeroRows, type OutputOf } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange } from '../../lib/time-range.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useLate } from '../../ui/use-late.ts';
import type { SearchPageState } from './use-search-page.ts';
import styles from './zero-rows.module.css';

type Explanation = OutputOf<typeof explainZeroRows>;

const HOUR_MS = 3_600_000;

/** Why a search found nothing, step by step, and what to do next. */
export function ZeroRows({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const isLate = useLate();
  const { asked } = page.run;
  const { scope_id = '', query = '', from, to, query_timezone } = asked ?? {};
  const why = useQuery(
    callQuery(
      explainZeroRows,
      { scope_id, query, from, to, query_timezone },
      { params: { clusterId: page.clusterId }, enabled: asked !== null, quiet: true },
    ),
  );
  if (why.isPending) return isLate ? <Skeleton height={96} m={16} /> : null;
  if (why.isError) return <EmptyState kind="filtered-out" title={t('zero.plain')} />;
  return <Explained page={page} why={why.data} />;
}

const KINDS = {
  'stream-empty': 'nothing-yet',
  'range-empty': 'nothing-in-range',
  'not-found': 'filtered-out',
  filtered: 'filtered-out',
  'not-empty': 'filtered-out',
  'not-applicable': 'filtered-out',
} as const;

function Explained({ page, why }: { readonly page: SearchPageState; readonly why: Explanation }) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const newest = why.newest_event;
  const { instead } = why;
  const goToNewest = () => newest !== null && page.runAgain(absoluteRange(newest - HOUR_MS, newest + 1000));
  const when = newest === null ? '' : formatTime(newest, 'iso', page.zone).slice(0, 19);
  return (
    <div className={styles.zero}>
      <EmptyState
        kind={KINDS[why.reason]}
        title={titleOf(why, t, locale)}
        text={
          why.reason === 'range-empty'
            ? t('zero.newest', { time: when })
            : instead
              ? t('zero.instead', {
                  stream: instead.stream,
                  events: formatInteger(instead.events, locale),
                  count: instead.events,
                })
              : undefined
        }
      >
        {why.reason === 'range-empty' && newest !== null && (
          <Button variant="default" onClick={goToNewest}>
            {t('zero.goToNewest')}
          </Button>
        )}
        {instead && (
          <Button variant="default" onClick={() => page.submit(instead.stream)}>
            {t('zero.showInstead', { stream: instead.stream })}
          </Button>
        )}
      </EmptyState>
      {why.steps.length > 1 && <Steps page={page} why={why} />}
    </div>
  );
}

/** What was looked for or asked of, by its name. */
function titleOf(why: Explanation, t: TFunction<'search'>, locale: string): string {
  const first = why.steps[0]?.text.trim() ?? '';
  if (why.reason === 'stream-empty' && why.table !== '') return t('zero.no-source', { table: why.table });
  if (why.reason !== 'not-found' || why.searched === null) return t(`zero.${why.reason}`);
  const word = /^search\s+(?:in\s*\([^)]*\)\s*)?@?(["'])((?:(?!\1).)*)\1$/.exec(first)?.[2];
  const counted = { count: why.searched, events: formatInteger(why.searched, locale) };
  return word
    ? t('zero.not-found', { ...counted, text: word })
    : t('zero.no-match', { ...counted, text: first });
}

/** The query step by step, with the rows that each leaves; the one that left none can be taken out. */
function Steps({ page, why }: { readonly page: SearchPageState; readonly why: Explanation }) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  return (
    <ol className={styles.steps} aria-label={t('zero.steps')}>
      {why.steps.map((step, index) => (
        <li
          key={`${step.span.start} ${step.text}`}
          className={styles.step}
          data-emptied={why.emptied_by === index || undefined}
        >
          <code>{step.text}</code>
          <span className={styles.rows}>
            {t('status.rows', { count: step.rows, rows: formatInteger(step.rows, locale) })}
          </span>
          {why.emptied_by === index && index > 0 && (
            <Button variant="default" size="compact-xs" onClick={() => page.withoutStep(step.span)}>
              {t('zero.without')}
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}
