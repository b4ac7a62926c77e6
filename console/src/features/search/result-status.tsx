import { Anchor, Menu, Progress, SegmentedControl } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { progressText, resultText } from '../../query-kit/runs/search-progress-text.ts';
import { GeoCredit, showsGeo } from '../../ui/geo-credit.tsx';
import styles from './result-panel.module.css';
import { ROW_LIMITS, type SearchPageState } from './use-search-page.ts';

interface ResultStatusProps {
  readonly page: SearchPageState;
  /** Rows that there are, shown or not; null while that is not known. */
  readonly total: number | null;
  readonly view: string;
  readonly hasChart: boolean;
}

/** The line above a result: how far it is, how many rows, in which order, as a table or a chart. */
export function ResultStatus({ page, total, view, hasChart }: ResultStatusProps) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const { snapshot } = page.run;
  const isRunning = snapshot.status === 'running';
  const share = Math.round(snapshot.progress.share * 100);
  const hasChoice = (snapshot.truncated || page.link.limit !== null) && !isRunning;
  return (
    <div className={styles.status}>
      {isRunning && (
        <Progress
          className={styles.progress}
          value={Math.max(2, share)}
          size={2}
          radius={0}
          aria-label={t('status.progress')}
        />
      )}
      <span role="status" data-testid="search-status">
        {isRunning
          ? progressText(snapshot.progress, t)
          : snapshot.status === 'failed'
            ? t('state.failed')
            : resultText(snapshot, t, locale, total)}
      </span>
      {hasChoice && snapshot.status !== 'failed' && <LimitMenu page={page} />}
      {view === 'table' && <ChosenOrder page={page} />}
      {showsGeo(page.run.asked?.query ?? '') && <GeoCredit />}
      {hasChart && (
        <SegmentedControl
          className={styles.view}
          value={view}
          onChange={(next) => page.show({ view: next === 'table' ? 'table' : 'chart' })}
          aria-label={t('chart.view')}
          data={[
            { value: 'chart', label: t('chart.chart') },
            { value: 'table', label: t('chart.table') },
          ]}
        />
      )}
    </div>
  );
}

/** The order that somebody chose, and the way back to that of the query. */
function ChosenOrder({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const { sort } = page.link;
  if (!sort || page.run.snapshot.rows.length === 0) return null;
  const Arrow = sort.descending ? IconArrowDown : IconArrowUp;
  return (
    <span className={styles.order}>
      <span className={styles.orderName}>{t('status.sortedBy', { column: sort.column })}</span>
      <Arrow size={12} aria-label={t(sort.descending ? 'columns.descending' : 'columns.ascending')} />
      <button
        type="button"
        aria-label={t('status.unsort')}
        title={t('status.unsort')}
        onClick={() => page.sort(null)}
      >
        <IconX size={12} aria-hidden />
      </button>
    </span>
  );
}

/** How many rows are wanted: more than are shown, or as many as the query suggests again. */
function LimitMenu({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const { snapshot } = page.run;
  const { limit } = page.link;
  const more = ROW_LIMITS.filter(
    (each) => each === limit || (snapshot.truncated && each > snapshot.rows.length),
  );
  if (limit === null && more.length === 0)
    return <span className={styles.hint}>{t('status.exportForAll')}</span>;
  const check = (isOn: boolean) => (isOn ? <IconCheck size={14} /> : <span className={styles.noCheck} />);
  const upTo = (rows: number) => t('status.upTo', { rows: formatInteger(rows, locale) });
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Anchor component="button" type="button" size="xs">
          {limit === null ? t('status.showMore') : upTo(limit)}
        </Anchor>
      </Menu.Target>
      <Menu.Dropdown>
        {limit !== null && (
          <Menu.Item leftSection={check(false)} onClick={() => page.show({ limit: null, row: null })}>
            {t('status.usualRows')}
          </Menu.Item>
        )}
        {more.map((each) => (
          <Menu.Item
            key={each}
            leftSection={check(each === limit)}
            onClick={() => page.show({ limit: each, row: null })}
          >
            {upTo(each)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
