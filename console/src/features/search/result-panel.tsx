import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../../lib/call.ts';
import { useValueNames } from '../../lib/value-words.ts';
import { mistakeText } from '../../query-kit/editor/diagnostic-text.ts';
import { renderDirective } from '../../query-kit/results/render-directive.ts';
import { isDrawnElsewhere } from '../../query-kit/results/result-chart-data.ts';
import { ResultDrawing, useDrawing } from '../../query-kit/results/result-drawing.tsx';
import { ResultGrid } from '../../query-kit/results/result-grid.tsx';
import {
  compareValues,
  defaultColumns,
  rawText,
  type ShownColumn,
  shownColumn,
} from '../../query-kit/results/result-value.ts';
import type { OpenMenu } from '../../query-kit/results/value-menu.tsx';
import type { SearchSnapshot } from '../../query-kit/runs/run-search.ts';
import { copyText } from '../../ui/copy-text.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import styles from './result-panel.module.css';
import { ResultStatus } from './result-status.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { EventSelection } from './use-event-selection.ts';
import { useHistogram } from './use-histogram.ts';
import type { SearchPageState } from './use-search-page.ts';
import { ZeroRows } from './zero-rows.tsx';

/** The columns that are shown of a result: those chosen, else those worth it. */
export function useShownColumns(snapshot: SearchSnapshot, chosen: readonly string[]): readonly ShownColumn[] {
  const { columns, rows } = snapshot;
  const firstRows = rows.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first rows decide, later pages change nothing
  return useMemo(() => {
    const named = (names: readonly string[]) =>
      names.map((name) => shownColumn(columns, name)).filter((column) => column !== null);
    const kept = named(chosen);
    return kept.length > 0 ? kept : named(defaultColumns(columns, rows));
  }, [columns, firstRows, chosen]);
}

/** Indexes of the rows in the order to show. */
export function useRowOrder(
  snapshot: SearchSnapshot,
  columns: readonly ShownColumn[],
  page: SearchPageState,
): readonly number[] {
  const { rows } = snapshot;
  const { sort } = page.link;
  return useMemo(() => {
    const order = rows.map((_, index) => index);
    const column =
      sort &&
      (columns.find((each) => each.name === sort.column) ?? shownColumn(snapshot.columns, sort.column));
    if (!column) return order;
    return order.sort((a, b) =>
      compareValues(column.read(rows[a] ?? []), column.read(rows[b] ?? []), column.type, sort.descending),
    );
  }, [rows, snapshot.columns, columns, sort]);
}

interface ResultPanelProps {
  readonly page: SearchPageState;
  readonly columns: readonly ShownColumn[];
  readonly order: readonly number[];
  readonly onMenu: (menu: OpenMenu) => void;
  /** Null where rows are no events, or nothing can be made of them. */
  readonly selection?: EventSelection | null;
}

/** Status line, notices, and the result as table or chart. */
export function ResultPanel(props: ResultPanelProps) {
  const { page } = props;
  const { t } = useTranslation('search');
  const { snapshot, asked } = page.run;
  const drawing = useDrawing(snapshot, asked?.query ?? '');
  const view = drawing ? page.link.view || 'chart' : 'table';
  const { data, isPlaceholderData } = useHistogram(page);
  const total = data?.counts_rows && !isPlaceholderData ? data.total : null;
  const empty = t('values.empty');
  const nameOf = useValueNames();
  const stack = data?.stack_by ?? '';
  const hues = useMemo(() => {
    const named = (data?.series ?? []).flatMap(({ value }, hue) =>
      value === null ? [] : [[value === '' ? empty : (nameOf(stack, value) ?? value), hue] as const],
    );
    return new Map(named);
  }, [data, empty, nameOf, stack]);
  return (
    <div className={styles.panel} data-results tabIndex={-1}>
      <ResultStatus page={page} total={total} view={view} hasChart={drawing !== null} />
      <Notices page={page} />
      {props.selection && <SelectionBar selection={props.selection} />}
      <div className={styles.result}>
        {view === 'chart' && drawing ? (
          <ResultDrawing drawing={drawing} zone={page.zone} hues={hues} />
        ) : (
          <TableOrState {...props} />
        )}
      </div>
    </div>
  );
}

function TableOrState({ page, columns, order, onMenu, selection }: ResultPanelProps) {
  const { t } = useTranslation('search');
  const { snapshot } = page.run;
  const { status, rows } = snapshot;
  if (status === 'failed') {
    const kind = snapshot.isUnanswered ? 'network' : 'failed';
    const mistake = mistakeText(snapshot.diagnostics);
    const error = new CallError(kind, mistake ?? snapshot, 0, snapshot.requestId);
    const retry = () => page.runPart(page.link.query, page.draft);
    // Asking again mends no mistake in the text.
    return (
      <ErrorPanel title={t('state.failed')} error={error} onRetry={mistake === null ? retry : undefined} />
    );
  }
  if (rows.length === 0 && status === 'done') return <ZeroRows page={page} />;
  if (rows.length === 0 && status === 'stopped') return <p className={styles.note}>{t('state.stopped')}</p>;
  if (rows.length === 0) return <ResultSkeleton />;
  return (
    <ResultGrid
      label={t('state.results')}
      columns={columns}
      rows={rows}
      order={order}
      zone={page.zone}
      sort={page.link.sort}
      openRow={page.link.row}
      isStale={page.run.isStale}
      onSort={(sort) => page.sort(sort)}
      onColumns={page.choose}
      widths={page.link.widths}
      onWidths={(widths) => page.show({ widths })}
      onOpen={(row) => page.show({ row }, page.link.row === null ? 'push' : 'replace')}
      onMenu={(target, point) => onMenu({ target, point })}
      onFilter={(target, keep) => page.filter(target, keep, 'result')}
      {...(selection ? { selection } : {})}
      hasPageKeys
      onCopy={(target) => void copyText(rawText(target.value))}
    />
  );
}

function ResultSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden>
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={`row ${String(index)}`} height={12} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  );
}

/** What the server did that nobody asked for, e.g. that the query's own time wins over the picker. */
function Notices({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const { snapshot, asked } = page.run;
  const render = renderDirective(asked?.query ?? '');
  const isElsewhere = isDrawnElsewhere(render) && snapshot.rows.length > 0;
  const shown = snapshot.notices.filter((notice) => notice.code !== 'rows-capped');
  if (shown.length === 0 && !isElsewhere) return null;
  return (
    <ul className={styles.notices}>
      {shown.map((notice) => (
        <li key={notice.code}>
          {notice.code === 'shards-missing' ? (
            <IconAlertTriangle size={14} aria-hidden />
          ) : (
            <IconInfoCircle size={14} aria-hidden />
          )}
          <span>{t(`notice.${notice.code}`, { defaultValue: notice.message, ...notice.values })}</span>
        </li>
      ))}
      {isElsewhere && (
        <li>
          <IconInfoCircle size={14} aria-hidden />
          <span>{t('chart.asTable', { kind: render?.kind })}</span>
        </li>
      )}
    </ul>
  );
}
