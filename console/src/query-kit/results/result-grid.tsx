import { useDebouncedCallback } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isSingleKey } from '../../lib/use-key-sequence.ts';
import { useValueWords, type ValueWords } from '../../lib/value-words.ts';
import type { ColumnWidths, SortBy } from '../runs/search-link.ts';
import { useStable } from '../runs/use-stable.ts';
import styles from './result-grid.module.css';
import { ResultGridHeader } from './result-grid-header.tsx';
import { ResultGridRow } from './result-grid-row.tsx';
import type { ResultRow, ShownColumn } from './result-value.ts';
import type { MenuPoint, ValueTarget } from './value-target.ts';

// The result of a query as a grid. Every value is a cell that the arrow keys reach, so that what the menu of a
// value does can be done without the mouse; that is what sets it apart from the console's list table.

const ROW_PX = 28;
const TELL_AFTER_MS = 300;
const NO_WIDTHS: ColumnWidths = {};
/** Width of the boxes before rows that can be selected. */
const PICK_PX = 34;

export interface ResultGridProps {
  readonly label: string;
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly ResultRow[];
  /** Indexes into `rows` in the order to show. */
  readonly order: readonly number[];
  readonly zone: string;
  readonly sort: SortBy | null;
  readonly openRow: number | null;
  readonly isStale?: boolean;
  readonly onSort: (sort: SortBy | null) => void;
  /** Chosen columns in a new order, or fewer of them. */
  readonly onColumns: (names: readonly string[]) => void;
  /** Widths that were chosen, px by name; the others follow from the values. */
  readonly widths?: ColumnWidths;
  readonly onWidths?: (widths: ColumnWidths) => void;
  readonly onOpen: (row: number) => void;
  readonly onMenu: (target: ValueTarget, point: MenuPoint) => void;
  readonly onFilter: (target: ValueTarget, keep: boolean) => void;
  readonly onCopy: (target: ValueTarget) => void;
  /** Rows can be selected, by the box before them, with x and the space bar. */
  readonly selection?: RowSelection;
  /** j and k come here from the page too, while nothing else has the focus. */
  readonly hasPageKeys?: boolean;
}

export interface RowSelection {
  /** Indexes into `rows`. */
  readonly rows: ReadonlySet<number>;
  readonly onSelect: (rows: readonly number[], isOn: boolean) => void;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Width for the kind of value and the longest of the first values, with what they mean. */
function columnWidth(column: ShownColumn, rows: readonly ResultRow[], words: ValueWords): number {
  if (column.type === 'datetime') return 184;
  const longest = rows.slice(0, 60).reduce((most, row) => {
    const value = column.read(row);
    const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
    const said = words(column.name, value);
    return Math.max(most, text.length + (said === null ? 0 : said.length + 2));
  }, 0);
  const wanted = Math.max(longest * 7.2 + 28, column.name.length * 7.5 + 40);
  return Math.round(Math.max(80, Math.min(420, wanted)));
}

export function ResultGrid(props: ResultGridProps) {
  const { columns, order, zone, selection } = props;
  const words = useValueWords();
  const { sizes, setWidth } = useSizes(props, words);
  const { scroller, virtual, active, setActive, open, onKeyDown } = useGridCursor(props, sizes);
  const opens = useStable(open);
  const menu = useStable(props.onMenu);
  const select = useSelect(props);
  const variables = Object.fromEntries(sizes.map((size, index) => [`--c${index}`, `${size}px`]));
  const items = inSight(virtual.getVirtualItems(), props);
  return (
    <div
      ref={scroller}
      className={styles.frame}
      role="grid"
      aria-label={props.label}
      aria-rowcount={order.length + 1}
      aria-colcount={columns.length + (selection ? 1 : 0)}
      aria-multiselectable={Boolean(selection) || undefined}
      aria-busy={props.isStale}
      aria-activedescendant={order.length > 0 ? `cell-${active.row}-${active.column}` : undefined}
      tabIndex={0}
      style={variables}
      onKeyDown={onKeyDown}
      data-testid="result-grid"
    >
      <ResultGridHeader {...props} onWidth={setWidth} sizes={sizes} hasBoxes={Boolean(selection)} />
      <div
        className={styles.body}
        data-stale={props.isStale || undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ item, index, row }) => (
          <ResultGridRow
            key={index}
            {...{ row, columns, zone, words }}
            position={item.index}
            start={item.start}
            isOpen={props.openRow === index}
            activeColumn={item.index === active.row ? active.column : -1}
            onOpen={opens}
            onActive={setActive}
            onMenu={menu}
            isSelected={selection ? selection.rows.has(index) : null}
            onSelect={select}
          />
        ))}
      </div>
    </div>
  );
}

/** Widths of the columns: chosen, or what their values need. */
function useSizes(props: ResultGridProps, words: ValueWords) {
  const { widths, setWidth } = useWidths(props);
  const sizes = props.columns.map((column) => widths[column.name] ?? columnWidth(column, props.rows, words));
  return { sizes, setWidth };
}

/** The rows at the positions that are in sight. */
const inSight = <Item extends { readonly index: number }>(
  positions: readonly Item[],
  { order, rows }: ResultGridProps,
) =>
  positions.flatMap((item) => {
    const index = order[item.index];
    const row = index === undefined ? undefined : rows[index];
    return row && index !== undefined ? [{ item, index, row }] : [];
  });

/** The cell under the cursor, what keys do about it, and the rows that are in sight. */
function useGridCursor(props: ResultGridProps, sizes: readonly number[]) {
  const { columns, order } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  useHandedFocus(scroller);
  const virtual = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 1200, height: 600 },
  });
  useShowOpenRow(props, (at) => virtual.scrollToIndex(at, { align: 'auto' }));
  const open = (at: number) => {
    const index = order[at];
    if (index !== undefined) props.onOpen(index);
  };
  const moveTo = (next: Cell) => {
    setActive(next);
    // The flyout follows the cursor, so that rows are read one after the other.
    if (props.openRow !== null && next.row !== active.row) open(next.row);
    virtual.scrollToIndex(next.row, { align: 'auto' });
    revealColumn(
      scroller.current,
      props.selection ? [PICK_PX, ...sizes] : sizes,
      next.column + (props.selection ? 1 : 0),
    );
  };
  const moved = (key: string) => movedCell(key, active, order.length, columns.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const isLetter = ['j', 'k', 'x'].includes(event.key);
    const isOff = event.altKey || event.metaKey || (isLetter && !isSingleKey(event.nativeEvent));
    const next = isOff ? null : moved(event.key);
    const target = targetAt(active, props);
    if (next) moveTo(next);
    else if (props.selection && !isOff && !event.ctrlKey && (event.key === ' ' || event.key === 'x'))
      toggleRow(props, active.row);
    else if (!runCellKey(event, target, () => open(active.row), props, scroller.current)) return;
    event.preventDefault();
  };
  usePageKeys(props.hasPageKeys === true, (key) => {
    const next = moved(key);
    scroller.current?.focus();
    if (next) moveTo(next);
  });
  return { scroller, virtual, active, setActive, open, onKeyDown };
}

function toggleRow({ selection, order }: ResultGridProps, at: number): void {
  const index = order[at];
  if (selection && index !== undefined) selection.onSelect([index], !selection.rows.has(index));
}

/** Selects a row, or with Shift all from the one before. */
function useSelect({ selection, order }: ResultGridProps) {
  const before = useRef<number | null>(null);
  return useStable((at: number, isOn: boolean, isRange: boolean) => {
    const from = isRange && before.current !== null ? before.current : at;
    before.current = at;
    const rows = order.slice(Math.min(from, at), Math.max(from, at) + 1);
    selection?.onSelect(rows, isOn);
  });
}

function targetAt(cell: Cell, { rows, order, columns }: ResultGridProps): ValueTarget | null {
  const index = order[cell.row];
  const column = columns[cell.column];
  const row = index === undefined ? undefined : rows[index];
  return row && column ? { column, value: column.read(row), row } : null;
}

/** While a new search runs there is no grid: its panel keeps the focus for it, so that keys go on in the new rows. */
function useHandedFocus(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const grid = frame.current;
    const panel = grid?.closest<HTMLElement>('[data-results]');
    if (panel && document.activeElement === panel) grid?.focus({ preventScroll: true });
    return () => {
      if (grid?.contains(document.activeElement)) panel?.focus({ preventScroll: true });
    };
  }, [frame]);
}

/** The chosen widths; they are told once the edge rests, for each telling is a change of the link. */
function useWidths({ widths: told = NO_WIDTHS, onWidths }: ResultGridProps) {
  const [widths, setWidths] = useState(told);
  const tell = useDebouncedCallback((next: ColumnWidths) => onWidths?.(next), TELL_AFTER_MS);
  // Back, forward and links bring other widths.
  useEffect(() => setWidths(told), [told]);
  const setWidth = (name: string, width: number) => {
    const next = { ...widths, [name]: Math.round(width) };
    setWidths(next);
    tell(next);
  };
  return { widths, setWidth };
}

/** Keeps the opened row in view while the flyout steps through rows. */
function useShowOpenRow({ openRow, order }: ResultGridProps, show: (at: number) => void): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const at = openRow === null ? -1 : order.indexOf(openRow);
    if (at >= 0) latest.current(at);
  }, [openRow, order]);
}

/** Hears j and k while nothing on the page has the focus. */
function usePageKeys(isOn: boolean, move: (key: string) => void): void {
  const moves = useStable(move);
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.target !== document.body || !isSingleKey(event))
        return;
      event.preventDefault();
      moves(event.key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, moves]);
}

const PAGE_ROWS = 20;

/** The cell after a key of movement, or null when the key is none. */
function movedCell(key: string, from: Cell, rows: number, columns: number): Cell | null {
  const row = (at: number) => Math.max(0, Math.min(rows - 1, at));
  const column = (at: number) => Math.max(0, Math.min(columns - 1, at));
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { ...from, row: row(from.row + 1) };
    case 'ArrowUp':
    case 'k':
      return { ...from, row: row(from.row - 1) };
    case 'ArrowRight':
      return { ...from, column: column(from.column + 1) };
    case 'ArrowLeft':
      return { ...from, column: column(from.column - 1) };
    case 'PageDown':
      return { ...from, row: row(from.row + PAGE_ROWS) };
    case 'PageUp':
      return { ...from, row: row(from.row - PAGE_ROWS) };
    case 'Home':
      return { row: 0, column: from.column };
    case 'End':
      return { row: row(rows - 1), column: from.column };
    default:
      return null;
  }
}

/** Does what a key means for the value under the cursor; false when it means nothing. */
function runCellKey(
  event: KeyboardEvent,
  target: ValueTarget | null,
  open: () => void,
  props: ResultGridProps,
  frame: HTMLElement | null,
): boolean {
  if (!target) return false;
  if (event.key === 'c' && (event.ctrlKey || event.metaKey)) props.onCopy(target);
  else if (event.ctrlKey || event.metaKey || event.altKey) return false;
  else if (event.key === 'Enter') open();
  else if (event.key === 'i') props.onFilter(target, true);
  else if (event.key === 'o') props.onFilter(target, false);
  else if (event.key === 'm' || event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    // A menu closes on keys pressed outside of it; this one has opened it and must not reach it.
    event.stopPropagation();
    props.onMenu(target, activeCellPoint(frame));
  } else return false;
  return true;
}

function activeCellPoint(frame: HTMLElement | null): MenuPoint {
  const box =
    frame?.querySelector('[data-active]')?.getBoundingClientRect() ?? frame?.getBoundingClientRect();
  return { x: (box?.left ?? 0) + 12, y: box?.bottom ?? 0 };
}

function revealColumn(frame: HTMLElement | null, sizes: readonly number[], column: number): void {
  if (!frame) return;
  const left = sizes.slice(0, column).reduce((sum, size) => sum + size, 0);
  const right = left + (sizes[column] ?? 0);
  if (left < frame.scrollLeft) frame.scrollLeft = left;
  else if (right > frame.scrollLeft + frame.clientWidth) frame.scrollLeft = right - frame.clientWidth;
}
