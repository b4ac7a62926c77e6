import { ActionIcon, Popover, ScrollArea } from '@mantine/core';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { forgetSearches, listSearchHistory, type OutputOf } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './recent-searches.module.css';

export type PastSearch = OutputOf<typeof listSearchHistory>[number];

interface RecentSearchesProps {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly onChoose: (search: PastSearch) => void;
}

/** The caller's recent searches in this scope; choosing one brings back its query and range. */
export function RecentSearches(props: RecentSearchesProps) {
  const { t } = useTranslation('search');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal trapFocus width={460}>
      <Popover.Target>
        <IconButton label={t('recent.title')} onClick={() => setOpen((now) => !now)}>
          <IconHistory size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('recent.title')}>
        {isOpen && (
          <RecentList
            {...props}
            onChoose={(search) => {
              setOpen(false);
              props.onChoose(search);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The list itself, also shown where no search has run yet. */
export function RecentList({
  clusterId,
  scopeId,
  onChoose,
  limit = 50,
}: RecentSearchesProps & { readonly limit?: number }) {
  const { t } = useTranslation('search');
  const past = useQuery({
    ...callQuery(listSearchHistory, { scope_id: scopeId, limit }, { params: { clusterId }, quiet: true }),
    staleTime: 0,
  });
  const forget = useCallMutation(forgetSearches, { stale: [listSearchHistory] });
  const searches = past.data ?? [];
  if (past.isPending) return <p className={styles.none}>{t('recent.loading')}</p>;
  if (searches.length === 0)
    return <p className={styles.none}>{past.isError ? t('recent.failed') : t('recent.none')}</p>;
  return (
    <ScrollArea.Autosize mah={360} type="auto">
      <ul className={styles.list} aria-label={t('recent.title')}>
        {searches.map((search) => (
          <li key={search.id} className={styles.item}>
            <button type="button" className={styles.choose} onClick={() => onChoose(search)}>
              <code className={styles.query}>{search.query}</code>
              <Facts search={search} />
            </button>
            <ActionIcon
              aria-label={t('recent.forget')}
              onClick={() =>
                forget.mutate({ params: { clusterId }, input: { scope_id: scopeId, ids: [search.id] } })
              }
              size={24}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </ScrollArea.Autosize>
  );
}

function Facts({ search }: { readonly search: PastSearch }) {
  const { t } = useTranslation('search');
  const { timeZone, locale } = useSettings();
  const facts = [
    formatTime(search.started, 'iso', timeZone).slice(0, 19),
    ...(search.status === 'done' ? [] : [t(`recent.status.${search.status}`)]),
    ...(search.rows === null
      ? []
      : [t('status.rows', { count: search.rows, rows: formatInteger(search.rows, locale) })]),
    ...(search.elapsed_ms === null ? [] : [formatDuration(search.elapsed_ms)]),
  ];
  return <span className={styles.facts}>{facts.join(' · ')}</span>;
}
