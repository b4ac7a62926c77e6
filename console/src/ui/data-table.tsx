import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useSettings } from '../lib/settings.ts';
import classes from './data-table.module.css';
import { DataTableHeader } from './data-table-header.tsx';
import { DataTableRow, rowElementId } from './data-table-row.tsx';
import { DataTableSkeleton } from './data-table-skeleton.tsx';
import type { ListExport } from './export-dialog.tsx';
import { type DataColumn, growingColumn, type TableSort, useTableModel } from './table-model.ts';
import { useActiveRow } from './use-active-row.ts';
import { useTableKeys } from './use-table-keys.ts';

// The one table of the console: virtual rows under a sticky header, sorted, resized, chosen and opened by mouse
// and keyboard alike. It draws what it is given and asks for nothing.

/** Height of a row in px, by the density that the user has chosen. */
const ROW_HEIGHTS = { compact: 28, normal: 32, comfortable: 40 } as const;
const NEAR_END_ROWS = 20;

export interface DataTableProps<T> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  /** Undefined while the first answer is awaited. */
  readonly rows: readonly T[] | undefined;
  readonly columns: readonly DataColumn<T>[];
  readonly rowId: (row: T) => string;
  /** Shown instead of rows when there are none. */
  readonly empty?: ReactNode;
  /** Shown instead of everything when the first answer failed. */
  readonly failed?: ReactNode;
  /** Old rows stay while others are fetched; they are dimmed. */
  readonly isRefetching?: boolean;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort | null) => void;
  /** Rows come sorted; clicks on headers only report. */
  readonly isSortedByServer?: boolean;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  readonly openId?: string | null;
  readonly onOpen?: (row: T) => void;
  /** More single keys on the row that has the focus, e.g. `{ c: addToCase }`. */
  readonly rowKeys?: Readonly<Record<string, (row: T) => void>>;
  /** The list can be taken along as a file: which it is, and what it is filtered by. */
  readonly exported?: ListExport;
  /** Remembers widths and hidden columns under this name. */
  readonly storageName?: string;
  readonly onReachEnd?: () => void;
  /** For rows of more than one line; otherwise the density of the user decides. */
  readonly rowHeight?: number;
  /** A bar at the right end of the header, e.g. the column chooser. */
  readonly onRowMenu?: (row: T, position: { readonly x: number; readonly y: number }) => void;
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { rows, columns, selected, onSelect } = props;
  const view = useTableView(props);
  const { table, shown, active } = view;
  if (props.failed) return <div className={classes.frame}>{props.failed}</div>;
  const aligns = Object.fromEntries(columns.map((column) => [column.id, column.align]));
  const widths = Object.fromEntries(
    table.getVisibleLeafColumns().map((column) => [`--w-${column.id}`, `${column.getSize()}px`]),
  );
  const growing = growingColumn(table, columns);
  const ids = () => shown.map((row) => row.id);
  const isActiveDrawn = view.items.some((item) => item.index === active);
  return (
    <div
      ref={view.scroller}
      className={classes.frame}
      role="grid"
      aria-label={props.label}
      aria-rowcount={shown.length + 1}
      aria-busy={rows === undefined || props.isRefetching}
      aria-multiselectable={onSelect ? true : undefined}
      aria-activedescendant={isActiveDrawn ? rowElementId(shown[active]?.id) : undefined}
      tabIndex={0}
      style={widths}
    >
      <DataTableHeader
        table={table}
        aligns={aligns}
        growing={growing}
        exported={props.exported}
        selection={onSelect && headerSelection(selected, shown.length)}
        onSelectAll={() => onSelect?.(toggleAll(selected, ids()))}
      />
      {rows === undefined ? <DataTableSkeleton columns={columns.length} rowHeight={view.rowHeight} /> : null}
      {rows !== undefined && shown.length === 0 ? (
        <div role="row" className={classes.empty}>
          <div role="gridcell">{props.empty}</div>
        </div>
      ) : null}
      <DrawnRows props={props} view={view} growing={growing} />
    </div>
  );
}

type TableView<T> = ReturnType<typeof useTableView<T>>;

/** What is seen of the rows and which of them is active; keys move through it. */
function useTableView<T>(props: DataTableProps<T>) {
  const { density } = useSettings();
  const rowHeight = props.rowHeight ?? ROW_HEIGHTS[density];
  const scroller = useRef<HTMLDivElement>(null);
  const table = useTableModel(props);
  const shown = table.getRowModel().rows;
  const sorting = table
    .getAllLeafColumns()
    .map((column) => column.getIsSorted() || '')
    .join();
  const [active, setActive] = useActiveRow(shown, sorting);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => shown[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 1200, height: 800 },
  });
  const toggle = useToggle(props, shown, active);
  const moveTo = (index: number) => {
    setActive(index);
    virtual.scrollToIndex(index, { align: 'auto' });
    const row = shown[index];
    if (props.openId && row) props.onOpen?.(row.original.value);
  };
  /** Brings the active row into sight; false when it is in sight already. */
  const showActive = () => {
    const { range } = virtual;
    if (!range || (active >= range.startIndex && active <= range.endIndex)) return false;
    virtual.scrollToIndex(active, { align: 'auto' });
    return true;
  };
  useTableKeys({ ...props, scroller, rows: shown, active, moveTo, showActive, toggle });
  const items = virtual.getVirtualItems();
  useReachedEnd(props.onReachEnd, shown.length, items.at(-1)?.index ?? 0);
  return {
    table,
    shown,
    active,
    setActive,
    toggle,
    items,
    height: virtual.getTotalSize(),
    rowHeight,
    scroller,
  };
}

/** Chooses a row, or with `isRange` all rows from the active one to it. */
function useToggle<T>(
  { selected, onSelect }: DataTableProps<T>,
  shown: readonly { readonly id: string }[],
  active: number,
) {
  return useCallback(
    (id: string, isRange?: boolean) => {
      const ids = shown.map((row) => row.id);
      onSelect?.(nextSelection(selected ?? new Set(), ids, id, isRange ? shown[active]?.id : id));
    },
    [onSelect, selected, shown, active],
  );
}

function useReachedEnd(onReachEnd: (() => void) | undefined, count: number, last: number): void {
  useEffect(() => {
    if (onReachEnd && count > 0 && last >= count - NEAR_END_ROWS) onReachEnd();
  }, [last, count, onReachEnd]);
}

interface DrawnRowsProps<T> {
  readonly props: DataTableProps<T>;
  readonly view: TableView<T>;
  readonly growing: string | undefined;
}

/** The rows that are in sight, each at its place in the whole height. */
function DrawnRows<T>({ props, view, growing }: DrawnRowsProps<T>) {
  const signature = view.table
    .getVisibleLeafColumns()
    .map((column) => column.id)
    .join();
  return (
    <div className={classes.body} data-dim={props.isRefetching || undefined} style={{ height: view.height }}>
      {view.items.map((item) => {
        const row = view.shown[item.index];
        return row ? (
          <DataTableRow
            key={row.id}
            row={row}
            index={item.index}
            columns={props.columns}
            signature={signature}
            growing={growing}
            start={item.start}
            height={view.rowHeight}
            isActive={item.index === view.active}
            isOpen={props.openId === row.id}
            isSelected={props.selected?.has(row.id) ?? false}
            onToggle={props.onSelect && view.toggle}
            onOpen={props.onOpen}
            onActive={view.setActive}
            onMenu={props.onRowMenu}
          />
        ) : null;
      })}
    </div>
  );
}

/** The selection after a click: one row, or every row between the anchor and it. */
export function nextSelection(
  selected: ReadonlySet<string>,
  order: readonly string[],
  id: string,
  anchor: string | undefined,
): ReadonlySet<string> {
  const next = new Set(selected);
  const isOn = !selected.has(id);
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  for (const one of from < 0 ? [id] : order.slice(from, to + 1)) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return next;
}

function headerSelection(selected: ReadonlySet<string> | undefined, count: number): 'none' | 'some' | 'all' {
  const size = selected?.size ?? 0;
  return size === 0 || count === 0 ? 'none' : size >= count ? 'all' : 'some';
}

function toggleAll(selected: ReadonlySet<string> | undefined, ids: readonly string[]): ReadonlySet<string> {
  return (selected?.size ?? 0) >= ids.length ? new Set() : new Set(ids);
}
