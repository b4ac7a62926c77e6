import { type MouseEvent, memo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { DataColumn, TableRow } from './table-model.ts';

/** Id of the element of a row, by which the table names the row that its keys act on. */
export const rowElementId = (id: string | undefined): string => `row-${id}`;

interface RowProps<T> {
  readonly row: TableRow<T>;
  /** Place among the rows shown. */
  readonly index: number;
  readonly columns: readonly DataColumn<T>[];
  /** The visible columns: a change of them must render the row again. */
  readonly signature: string;
  /** Id of the column that takes the width that is left over. */
  readonly growing: string | undefined;
  readonly start: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onToggle: ((id: string, isRange?: boolean) => void) | undefined;
  readonly onOpen: ((row: T) => void) | undefined;
  readonly onActive: (index: number) => void;
  readonly onMenu: ((row: T, position: { x: number; y: number }) => void) | undefined;
}

function Row<T>(props: RowProps<T>) {
  const { row, columns } = props;
  const { t } = useTranslation('ui');
  const value = row.original.value;
  const ids = props.signature.split(',');
  const open = () => {
    props.onActive(props.index);
    props.onOpen?.(value);
  };
  const menu = (event: MouseEvent) => {
    if (!props.onMenu) return;
    event.preventDefault();
    props.onMenu(value, { x: event.clientX, y: event.clientY });
  };
  return (
    <div
      role="row"
      id={rowElementId(row.id)}
      aria-rowindex={props.index + 2}
      aria-selected={props.onToggle ? props.isSelected : undefined}
      className={classes.row}
      data-active={props.isActive || undefined}
      data-open={props.isOpen || undefined}
      data-clickable={props.onOpen ? true : undefined}
      style={{ height: props.height, transform: `translateY(${props.start}px)` }}
      onClick={open}
      onContextMenu={menu}
    >
      {props.onToggle ? (
        <div className={classes.check} role="gridcell">
          <input
            type="checkbox"
            className={classes.box}
            checked={props.isSelected}
            aria-label={t('table.selectRow')}
            onClick={(event) => {
              event.stopPropagation();
              props.onToggle?.(row.id, event.shiftKey);
            }}
            onChange={() => undefined}
          />
        </div>
      ) : null}
      {ids.map((id) => {
        const column = columns.find((candidate) => candidate.id === id);
        const text = column?.value?.(value);
        return column ? (
          <div
            key={id}
            role="gridcell"
            className={classes.cell}
            data-align={column.align}
            data-growing={id === props.growing || undefined}
            style={{ width: `var(--w-${id})` }}
          >
            {column.cell ? (
              column.cell(value)
            ) : (
              <span className={classes.text}>{text == null ? '' : String(text)}</span>
            )}
          </div>
        ) : null;
      })}
    </div>
  );
}

/** One row; renders again only when it moves, changes, or its state changes. */
export const DataTableRow = memo(
  Row,
  (a, b) =>
    a.row.original.value === b.row.original.value &&
    a.index === b.index &&
    a.columns === b.columns &&
    a.signature === b.signature &&
    a.growing === b.growing &&
    a.start === b.start &&
    a.height === b.height &&
    a.isActive === b.isActive &&
    a.isOpen === b.isOpen &&
    a.isSelected === b.isSelected &&
    a.onToggle === b.onToggle &&
    a.onOpen === b.onOpen,
) as typeof Row;
