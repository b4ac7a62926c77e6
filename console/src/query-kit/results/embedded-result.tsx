import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../../lib/call.ts';
import { resolveZone } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { copyText } from '../../ui/copy-text.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { GeoCredit, showsGeo } from '../../ui/geo-credit.tsx';
import { mistakeText } from '../editor/diagnostic-text.ts';
import { addCondition } from '../editor/kql-text-edit.ts';
import type { SearchSnapshot } from '../runs/run-search.ts';
import type { SortBy } from '../runs/search-link.ts';
import { progressText, resultText } from '../runs/search-progress-text.ts';
import styles from './embedded-result.module.css';
import { ResultDrawing, useDrawing } from './result-drawing.tsx';
import { ResultGrid } from './result-grid.tsx';
import { compareValues, defaultColumns, rawText, shownColumn } from './result-value.ts';
import { type OpenMenu, ValueMenu } from './value-menu.tsx';
import { conditionOf } from './value-target.ts';

interface EmbeddedResultProps {
  readonly snapshot: SearchSnapshot;
  /** The query as it ran. */
  readonly query: string;
  /** The query with a condition added; absent when it can't be changed. */
  readonly onQuery?: (query: string) => void;
  readonly onRetry: () => void;
  /** Rows in the whole panel before it scrolls. */
  readonly height?: number;
}

const NO_NAMES: readonly string[] = [];

/** A result inside another page: status line, table or chart, and the menu of its values. */
export function EmbeddedResult(props: EmbeddedResultProps) {
  const { snapshot, query, height = 300 } = props;
  const { t } = useTranslation('search');
  const { locale } = useSettings();
  const [wanted, setWanted] = useState<'chart' | 'table' | ''>('');
  const [sort, setSort] = useState<SortBy | null>(null);
  const drawing = useDrawing(snapshot, query);
  const zone = resolveZone(useSettings().timeZone);
  const view = drawing ? wanted || 'chart' : 'table';
  const isRunning = snapshot.status === 'running';
  if (snapshot.status === 'idle') return null;
  if (snapshot.status === 'failed') {
    const mistake = mistakeText(snapshot.diagnostics);
    const error = new CallError('failed', mistake ?? snapshot, 0, snapshot.requestId);
    return (
      <ErrorPanel
        title={t('state.failed')}
        error={error}
        onRetry={mistake === null ? props.onRetry : undefined}
      />
    );
  }
  return (
    <div className={styles.result}>
      <div className={styles.status} role="status">
        {isRunning ? progressText(snapshot.progress, t) : resultText(snapshot, t, locale)}
        {sort && snapshot.truncated && view === 'table' && <span>{t('status.sortsShown')}</span>}
        {drawing && (
          <SegmentedControl
            value={view}
            onChange={(next) => setWanted(next === 'table' ? 'table' : 'chart')}
            aria-label={t('chart.view')}
            data={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
          />
        )}
        {showsGeo(props.query) && <GeoCredit />}
      </div>
      {snapshot.rows.length > 0 && (
        <div
          style={{ height: view === 'chart' ? height : Math.min(height, 34 + 28 * snapshot.rows.length + 8) }}
        >
          {view === 'chart' && drawing ? (
            <ResultDrawing drawing={drawing} zone={zone} />
          ) : (
            <EmbeddedGrid {...props} sort={sort} onSort={setSort} />
          )}
        </div>
      )}
    </div>
  );
}

interface EmbeddedGridProps extends EmbeddedResultProps {
  readonly sort: SortBy | null;
  readonly onSort: (sort: SortBy | null) => void;
}

function EmbeddedGrid({ snapshot, query, onQuery, sort, onSort }: EmbeddedGridProps) {
  const { t } = useTranslation('search');
  const zone = resolveZone(useSettings().timeZone);
  const [chosen, setChosen] = useState(NO_NAMES);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { rows } = snapshot;
  const columns = useMemo(() => {
    const names = chosen.length > 0 ? chosen : defaultColumns(snapshot.columns, rows);
    return names.map((name) => shownColumn(snapshot.columns, name)).filter((column) => column !== null);
  }, [snapshot.columns, rows, chosen]);
  const order = useMemo(() => {
    const all = rows.map((_, index) => index);
    const column = sort && columns.find((each) => each.name === sort.column);
    if (!column) return all;
    return all.sort((a, b) =>
      compareValues(column.read(rows[a] ?? []), column.read(rows[b] ?? []), column.type, sort.descending),
    );
  }, [rows, columns, sort]);
  return (
    <>
      <ResultGrid
        label={t('state.results')}
        columns={columns}
        rows={rows}
        order={order}
        zone={zone}
        sort={sort}
        openRow={null}
        onSort={onSort}
        onColumns={setChosen}
        onOpen={() => undefined}
        onMenu={(target, point) => setMenu({ target, point })}
        onFilter={(target, keep) => onQuery?.(addCondition(query, conditionOf(target, keep), 'result'))}
        onCopy={(target) => void copyText(rawText(target.value))}
      />
      <ValueMenu
        open={menu}
        onClose={() => setMenu(null)}
        onFilter={
          onQuery && ((target, keep) => onQuery(addCondition(query, conditionOf(target, keep), 'result')))
        }
      />
    </>
  );
}
