import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../lib/format-number.ts';
import { useSettings } from '../lib/settings.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import classes from './list-frame.module.css';
import { PageHead } from './page-head.tsx';
import { PageLayout } from './page-layout.tsx';
import { PanelFrame } from './panel-frame.tsx';
import { SavedViews } from './saved-views.tsx';
import { TypedSearch } from './typed-search.tsx';

// A page, or a tab of one, that is one list with a search: what the lists of administration have in common.

/** The part of a query's answer that the frame reads. */
interface ListAnswer<T> {
  readonly data: { readonly data: readonly T[]; readonly total_count: number } | undefined;
  readonly isPlaceholderData: boolean;
  readonly isLoadingError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface ListFrameProps<T>
  extends Pick<DataTableProps<T>, 'columns' | 'rowId' | 'onOpen' | 'openId' | 'exported'> {
  readonly icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;
  readonly title: string;
  /** Remembers layout and saved filters. */
  readonly name: string;
  readonly list: ListAnswer<T>;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly searchLabel: string;
  readonly emptyTitle: string;
  readonly emptyText?: string;
  readonly noMatch: string;
  readonly actions?: ReactNode;
  /** More filters, beside the search. */
  readonly filters?: ReactNode;
  /** Whether one of them leaves rows out; the search does when it is not empty. */
  readonly isFiltered?: boolean;
  readonly aside?: ReactNode;
}

export function ListFrame<T>(props: ListFrameProps<T>) {
  const { list, query } = props;
  const { locale } = useSettings();
  const count = list.data ? formatInteger(list.data.total_count, locale) : undefined;
  return (
    <PageLayout
      head={<PageHead icon={props.icon} title={props.title} count={count} actions={props.actions} />}
      filters={
        <>
          <TypedSearch value={query} onChange={props.onQuery} label={props.searchLabel} />
          {props.filters}
          <SavedViews page={props.name} isOfPlatform />
        </>
      }
      aside={props.aside}
    >
      <ListTable {...props} label={props.title} />
    </PageLayout>
  );
}

interface ListPanelProps<T> extends Omit<ListTableProps<T>, 'label'> {
  readonly title: string;
  readonly onQuery: (query: string) => void;
  readonly searchLabel: string;
  /** Beside the search. */
  readonly actions?: ReactNode;
  readonly aside?: ReactNode;
}

/** A list that is a tab of a page. */
export function ListPanel<T>(props: ListPanelProps<T>) {
  return (
    <PanelFrame
      bar={
        <>
          <TypedSearch value={props.query} onChange={props.onQuery} label={props.searchLabel} />
          <SavedViews page={props.name} isOfPlatform />
          {props.actions}
        </>
      }
      aside={props.aside}
    >
      <ListTable {...props} label={props.title} />
    </PanelFrame>
  );
}

interface ListTableProps<T>
  extends Pick<
    ListFrameProps<T>,
    | 'columns'
    | 'rowId'
    | 'onOpen'
    | 'openId'
    | 'exported'
    | 'name'
    | 'list'
    | 'query'
    | 'isFiltered'
    | 'emptyTitle'
    | 'emptyText'
    | 'noMatch'
  > {
  readonly label: string;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

/** The table of a list with its states; says so when it holds only the first rows of more. */
function ListTable<T>(props: ListTableProps<T>) {
  const { list, query } = props;
  const { t } = useTranslation('ui');
  const { locale } = useSettings();
  const table = (
    <DataTable
      label={props.label}
      rows={list.data?.data}
      columns={props.columns}
      rowId={props.rowId}
      storageName={props.name}
      exported={props.exported}
      onOpen={props.onOpen}
      openId={props.openId}
      selected={props.selected}
      onSelect={props.onSelect}
      isRefetching={list.isPlaceholderData}
      failed={
        list.isLoadingError ? (
          <ErrorPanel error={list.error} title={t('error.title')} onRetry={() => void list.refetch()} />
        ) : null
      }
      empty={
        query || props.isFiltered ? (
          <EmptyState kind="filtered-out" title={props.noMatch} />
        ) : (
          <EmptyState kind="nothing-yet" title={props.emptyTitle} text={props.emptyText} />
        )
      }
    />
  );
  const total = list.data?.total_count ?? 0;
  const shown = list.data?.data.length ?? 0;
  if (shown === 0 || shown >= total) return table;
  return (
    <>
      <p className={classes.partial} role="status">
        {t('partial', { shown: formatInteger(shown, locale), total: formatInteger(total, locale) })}
      </p>
      {table}
    </>
  );
}
