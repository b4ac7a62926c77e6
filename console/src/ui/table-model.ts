import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  type Row,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  type Table,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { TableLayout } from '@tyrian/contract';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { keepTableLayout, readTableLayout } from '../lib/preferences.ts';
import { headerWidth } from './header-width.ts';

// Columns as screens write them, turned into TanStack Table's model: sorting, sizes and visibility.

export interface DataColumn<T> {
  /** Letters, digits and `_-`: it also names a CSS variable. */
  readonly id: string;
  readonly header: string;
  /** What the column sorts by; a column without it can't be sorted. */
  readonly value?: (row: T) => string | number | boolean | null | undefined;
  /** What the cell shows; the value as text when absent. */
  readonly cell?: (row: T) => ReactNode;
  readonly width?: number;
  readonly align?: 'right';
  /** Takes the width that is left over, until the user gives it one; without such a column the last one does. */
  readonly grows?: boolean;
  /** Hidden until chosen. */
  readonly isHidden?: boolean;
}

export interface TableSort {
  readonly id: string;
  readonly desc: boolean;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
  columnSizingFeature,
  columnResizingFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
});

type Features = typeof features;
export type TableModel<T> = Table<Features, RowBox<T>>;
export type TableRow<T> = Row<Features, RowBox<T>>;

/** TanStack wants object rows; a box lets any value be a row. */
interface RowBox<T> {
  readonly value: T;
}

interface ModelInput<T> {
  readonly rows: readonly T[] | undefined;
  readonly columns: readonly DataColumn<T>[];
  readonly rowId: (row: T) => string;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort | null) => void;
  readonly isSortedByServer?: boolean;
  readonly storageName?: string;
}

const NONE: readonly never[] = [];

export function useTableModel<T>(input: ModelInput<T>): TableModel<T> {
  const { rows, columns, rowId, storageName } = input;
  const [memory, setMemory] = useRemembered(storageName);
  const [ownSort, setOwnSort] = useState<TableSort | null>(null);
  const sort = input.sort === undefined ? ownSort : input.sort;
  const setSort = input.onSort ?? setOwnSort;
  const data = useMemo(() => (rows ?? NONE).map((value) => ({ value })), [rows]);
  const definitions = useMemo(() => toDefinitions(columns), [columns]);
  const hidden = useMemo(
    () => Object.fromEntries(columns.filter((column) => column.isHidden).map((column) => [column.id, false])),
    [columns],
  );
  const sorting = useMemo(() => (sort ? [{ id: sort.id, desc: sort.desc }] : []), [sort]);
  const columnVisibility = useMemo(() => ({ ...hidden, ...memory.visible }), [hidden, memory.visible]);
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row: RowBox<T>) => rowId(row.value),
    columnResizeMode: 'onChange',
    manualSorting: input.isSortedByServer ?? false,
    enableMultiSort: false,
    state: { sorting, columnVisibility, columnSizing: memory.widths, columnOrder: memory.order },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sorting) : update;
      setSort(next ? { id: next.id, desc: next.desc } : null);
    },
    onColumnVisibilityChange: (update) =>
      setMemory((old) => ({
        ...old,
        visible: typeof update === 'function' ? update({ ...hidden, ...old.visible }) : update,
      })),
    onColumnOrderChange: (update) =>
      setMemory((old) => ({ ...old, order: typeof update === 'function' ? update(old.order) : update })),
    onColumnSizingChange: (update) =>
      setMemory((old) => ({ ...old, widths: typeof update === 'function' ? update(old.widths) : update })),
  });
}

function toDefinitions<T>(columns: readonly DataColumn<T>[]) {
  const helper = createColumnHelper<Features, RowBox<T>>();
  return helper.columns(
    columns.map((column) =>
      helper.accessor((row) => column.value?.(row.value) ?? undefined, {
        id: column.id,
        header: column.header,
        size: Math.max(column.width ?? 160, headerWidth(column.header, column.value !== undefined)),
        minSize: 48,
        enableSorting: column.value !== undefined,
        sortUndefined: 'last',
      }),
    ),
  );
}

/** Id of the visible column that takes the width that is left over. */
export function growingColumn<T>(
  table: TableModel<T>,
  columns: readonly DataColumn<T>[],
): string | undefined {
  const visible = table.getVisibleLeafColumns().map((column) => column.id);
  const sized = table.options.state?.columnSizing ?? {};
  const willing = columns.find(({ id, grows }) => grows && visible.includes(id) && !(id in sized));
  return willing?.id ?? visible.at(-1);
}

const AS_IT_COMES: TableLayout = { widths: {}, visible: {}, order: [] };

function useRemembered(name: string | undefined) {
  const [memory, setMemory] = useState<TableLayout>(() => (name && readTableLayout(name)) || AS_IT_COMES);
  const latest = useRef(memory);
  const change = (update: (old: TableLayout) => TableLayout) => {
    latest.current = update(latest.current);
    setMemory(latest.current);
    if (name) keepTableLayout(name, latest.current);
  };
  return [memory, change] as const;
}
