import { Tabs } from '@mantine/core';
import { IconAlertCircle, IconPlayerStop } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { branchesIn } from '../editor/kql-branches.ts';
import type { SearchSnapshot } from '../runs/run-search.ts';
import type { SearchRun } from '../runs/use-search-runs.ts';
import styles from './result-tabs.module.css';

interface ResultTabsProps {
  /** The text whose queries run. */
  readonly text: string;
  readonly runs: readonly SearchRun[];
  /** Index of the run that is shown. */
  readonly shown: number;
  readonly onShow: (index: number) => void;
}

/** One tab for each query of a text, with its rows as they come. Nothing for a single one. */
export function ResultTabs({ text, runs, shown, onShow }: ResultTabsProps) {
  const { t } = useTranslation('search');
  const titles = useMemo(
    () => new Map(branchesIn(text).map((branch) => [branch.text, branch.title])),
    [text],
  );
  if (runs.length < 2) return null;
  return (
    <Tabs
      value={String(shown)}
      onChange={(index) => index !== null && onShow(Number(index))}
      className={styles.tabs}
      aria-label={t('tabs.title')}
    >
      <Tabs.List className={styles.list}>
        {runs.map(({ asked, snapshot }, index) => {
          const query = asked?.query ?? '';
          return (
            <Tabs.Tab key={query} value={String(index)} className={styles.tab} data-status={snapshot.status}>
              <span className={styles.number}>{index + 1}</span>
              <span className={styles.title}>{titles.get(query) ?? query}</span>
              <Figure snapshot={snapshot} />
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
    </Tabs>
  );
}

/** Rows, or what became of the search. */
function Figure({ snapshot }: { readonly snapshot: SearchSnapshot }) {
  const { t } = useTranslation('search');
  const { status, rows, truncated } = snapshot;
  if (status === 'failed')
    return <IconAlertCircle size={14} className={styles.failed} aria-label={t('state.failed')} />;
  if (status === 'stopped') return <IconPlayerStop size={14} aria-label={t('recent.status.cancelled')} />;
  if (status === 'running' && rows.length === 0) return <span className={styles.rows}>…</span>;
  return (
    <span className={styles.rows}>
      {formatCount(rows.length)}
      {truncated ? '+' : ''}
    </span>
  );
}
