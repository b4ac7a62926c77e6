import { Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconChevronDown,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SortBy } from '../runs/search-link.ts';
import styles from './result-grid.module.css';
import { isNumeric, type ShownColumn } from './result-value.ts';
import { type ColumnDrag, movedBefore, useColumnDrag } from './use-column-drag.ts';

interface ResultGridHeaderProps {
  readonly columns: readonly ShownColumn[];
  readonly sort: SortBy | null;
  readonly onSort: (sort: SortBy | null) => void;
  /** Chosen columns in a new order, or fewer of them. */
  readonly onColumns: (names: readonly string[]) => void;
  readonly sizes: readonly number[];
  readonly onWidth: (name: string, width: number) => void;
  /** Boxes that select rows stand before them. */
  readonly hasBoxes: boolean;
}

const NARROWEST = 60;
const STEP_PX = 16;

/** Names of the columns: click sorts, drag or Alt and arrows move, the arrow opens the menu, the edge resizes. */
export function ResultGridHeader(props: ResultGridHeaderProps) {
  const { t } = useTranslation('search');
  const names = props.columns.map((column) => column.name);
  const dragging = useColumnDrag(names, props.sizes, props.onColumns);
  return (
    <div role="row" aria-rowindex={1} className={styles.header}>
      {props.hasBoxes && <div role="columnheader" aria-label={t('select.column')} className={styles.pick} />}
      {props.columns.map((column, index) => (
        <HeaderCell key={column.name} {...props} {...{ column, index, dragging }} />
      ))}
    </div>
  );
}

interface HeaderCellProps extends ResultGridHeaderProps {
  readonly column: ShownColumn;
  readonly index: number;
  readonly dragging: ColumnDrag;
}

function HeaderCell(props: HeaderCellProps) {
  const { column, index, columns, sizes, onWidth, dragging } = props;
  const { t } = useTranslation('search');
  const { sorted, cycle } = sortOf(props);
  return (
    <div
      role="columnheader"
      aria-sort={sorted}
      className={styles.head}
      data-dragged={dragging.drag?.from === index || undefined}
      data-numeric={isNumeric(column.type) || undefined}
      data-drop={dropMark(dragging, index, columns.length)}
      style={{ width: `var(--c${index})` }}
    >
      <button
        type="button"
        className={styles.sort}
        data-column={column.name}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
        onClick={() => dragging.isDragEnd() || cycle()}
        title={`${column.name} (${column.type})`}
        {...dragging.handlers(index)}
      >
        <span className={styles.text}>{column.name}</span>
        {sorted === 'ascending' && <IconArrowUp size={12} aria-hidden />}
        {sorted === 'descending' && <IconArrowDown size={12} aria-hidden />}
      </button>
      <ColumnMenu {...props} />
      <Resizer
        label={t('columns.resize', { column: column.name })}
        width={sizes[index] ?? NARROWEST}
        onWidth={(size) => onWidth(column.name, size)}
      />
    </div>
  );
}

/** How a column is sorted, and what a click does: first the useful way (times and numbers down), the other, none. */
function sortOf({ column: { name, type }, sort, onSort }: HeaderCellProps) {
  const startsDescending = type === 'datetime' || isNumeric(type);
  if (sort?.column !== name) {
    return { sorted: 'none', cycle: () => onSort({ column: name, descending: startsDescending }) } as const;
  }
  const isFirst = sort.descending === startsDescending;
  return {
    sorted: sort.descending ? 'descending' : 'ascending',
    cycle: () => onSort(isFirst ? { column: name, descending: !startsDescending } : null),
  } as const;
}

/** What the menu of a column offers; null is a line between. */
function columnActs({ column: { name }, index, columns, onSort, onColumns }: HeaderCellProps) {
  const names = columns.map((each) => each.name);
  return [
    { key: 'ascending', Icon: IconArrowUp, act: () => onSort({ column: name, descending: false }) },
    { key: 'descending', Icon: IconArrowDown, act: () => onSort({ column: name, descending: true }) },
    null,
    {
      key: 'left',
      Icon: IconArrowLeft,
      isOff: index === 0,
      act: () => onColumns(movedBefore(names, index, index - 1)),
    },
    {
      key: 'right',
      Icon: IconArrowRight,
      isOff: index === names.length - 1,
      act: () => onColumns(movedBefore(names, index, index + 2)),
    },
    {
      key: 'remove',
      Icon: IconX,
      isOff: names.length === 1,
      act: () => onColumns(names.filter((each) => each !== name)),
    },
  ];
}

function ColumnMenu(props: HeaderCellProps) {
  const { t } = useTranslation('search');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={styles.headMenu}
          aria-label={t('columns.menu', { column: props.column.name })}
        >
          <IconChevronDown size={12} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {columnActs(props).map((item) =>
          item ? (
            <Menu.Item
              key={item.key}
              leftSection={<item.Icon size={14} />}
              disabled={item.isOff}
              onClick={item.act}
            >
              {t(`columns.${item.key}`)}
            </Menu.Item>
          ) : (
            <Menu.Divider key="line" />
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Resizer({
  label,
  width,
  onWidth,
}: {
  readonly label: string;
  readonly width: number;
  readonly onWidth: (width: number) => void;
}) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? STEP_PX : event.key === 'ArrowLeft' ? -STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(Math.max(NARROWEST, width + step));
  };
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (start.current) onWidth(Math.max(NARROWEST, start.current.width + event.clientX - start.current.x));
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      tabIndex={0}
      className={styles.resizer}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}

/** At which edge of a head the dragged column would be put. */
function dropMark({ drag }: ColumnDrag, index: number, count: number): 'before' | 'after' | undefined {
  if (!drag || drag.to === drag.from || drag.to === drag.from + 1) return undefined;
  if (drag.to === index) return 'before';
  return drag.to === count && index === count - 1 ? 'after' : undefined;
}
