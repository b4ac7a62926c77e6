import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPlay, IconRowInsertBottom, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { forgetSearches, listSearchHistory, type OutputOf } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatTime } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import styles from '../../query-kit/library/library.module.css';
import { PickList } from '../../query-kit/library/pick-list.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useRangeLabel } from '../../ui/use-range-label.ts';

export type PastSearch = OutputOf<typeof listSearchHistory>[number];

interface HistoryListProps {
  readonly onTake: (search: PastSearch) => void;
  readonly onRun: (search: PastSearch) => void;
  /** Puts the query below what stands in the editor; absent where there is no editor yet. */
  readonly onAppend?: (search: PastSearch) => void;
  /** Entries of a page. */
  readonly limit?: number;
  readonly hasFilter?: boolean;
}

/** What the caller searched in this scope, newest first. */
export function HistoryList({ onTake, onRun, onAppend, limit = 50, hasFilter = true }: HistoryListProps) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const past = usePastSearches(clusterId, scopeId, search, limit);
  const forget = useCallMutation(forgetSearches, { stale: [listSearchHistory] });
  const remove = ({ id }: PastSearch) =>
    forget.mutate({ params: { clusterId }, input: { scope_id: scopeId, ids: [id] } });
  const why = past.isPending ? 'loading' : past.isError ? 'failed' : search === '' ? 'none' : 'noMatch';
  return (
    <PickList
      items={past.data?.pages.flat() ?? []}
      keyOf={({ id }) => id}
      label={t('recent.title')}
      filter={hasFilter ? { value: typed, label: t('recent.filter'), onChange: setTyped } : undefined}
      empty={t(`recent.${why}`)}
      onTake={onTake}
      onRun={onRun}
      onRemove={remove}
      actions={(entry) => (
        <>
          <IconButton label={t('library.run')} size={24} onClick={() => onRun(entry)}>
            <IconPlayerPlay size={14} />
          </IconButton>
          {onAppend && (
            <IconButton label={t('library.append')} size={24} onClick={() => onAppend(entry)}>
              <IconRowInsertBottom size={14} />
            </IconButton>
          )}
          <IconButton label={t('recent.forget')} size={24} onClick={() => remove(entry)}>
            <IconTrash size={14} />
          </IconButton>
        </>
      )}
      more={
        hasFilter && past.hasNextPage ? (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={past.isFetchingNextPage}
            onClick={() => void past.fetchNextPage()}
          >
            {t('recent.older')}
          </Button>
        ) : undefined
      }
    >
      {(entry) => (
        <>
          <code className={styles.query}>{entry.query}</code>
          <Facts search={entry} />
        </>
      )}
    </PickList>
  );
}

function usePastSearches(clusterId: string, scopeId: string, search: string, limit: number) {
  return useInfiniteQuery({
    queryKey: [listSearchHistory.name, { clusterId }, { scope_id: scopeId, search, limit }],
    queryFn: ({ pageParam, signal }) =>
      call(listSearchHistory, {
        params: { clusterId },
        input: { scope_id: scopeId, search, limit, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)?.started),
    placeholderData: (before) => before,
    staleTime: 0,
    meta: { quiet: true },
  });
}

const NOW_MS = 60_000;

/** The range in words: one that ended when it was asked for is told by its length, any other by its ends. */
function rangeSaid({ from, to, started }: PastSearch): TimeRange {
  if (typeof from !== 'number' || typeof to !== 'number') return { from: String(from), to: String(to) };
  const minutes = Math.round((to - from) / 60_000);
  if (Math.abs(started - to) < NOW_MS && minutes > 0) return { from: `now-${spanText(minutes)}`, to: 'now' };
  const toSecond = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString();
  return { from: toSecond(from), to: toSecond(to) };
}

function spanText(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

function Facts({ search }: { readonly search: PastSearch }) {
  const { t } = useTranslation('search');
  const { timeZone, locale } = useSettings();
  const rangeOf = useRangeLabel();
  const facts = [
    rangeOf(rangeSaid(search)),
    ...(search.times > 1 ? [t('recent.times', { count: search.times })] : []),
    formatTime(search.started, 'iso', timeZone).slice(0, 19),
    ...(search.status === 'done' ? [] : [t(`recent.status.${search.status}`)]),
    ...(search.rows === null
      ? []
      : [t('status.rows', { count: search.rows, rows: formatInteger(search.rows, locale) })]),
    ...(search.elapsed_ms === null ? [] : [formatDuration(search.elapsed_ms)]),
  ];
  return <span className={styles.facts}>{facts.join(' · ')}</span>;
}
