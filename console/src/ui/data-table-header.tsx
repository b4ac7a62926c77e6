import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { ListExport } from './export-dialog.tsx';
import { TableMenu } from './table-menu.tsx';
import type { TableModel } from './table-model.ts';

const STEP_PX = 16;

interface HeaderProps<T> {
  readonly table: TableModel<T>;
  /** Columns that align to the right, by id. */
  readonly aligns?: Readonly<Record<string, 'right' | undefined>>;
  /** Id of the column that takes the width that is left over. */
  readonly growing: string | undefined;
  readonly selection: 'none' | 'some' | 'all' | undefined;
  readonly onSelectAll: () => void;
  readonly exported?: ListExport | undefined;
}

/** The sticky header: sorts on click, resizes at its edges, chooses columns at its end. */
export function DataTableHeader<T>(props: HeaderProps<T>) {
  const { table, aligns, growing, selection, onSelectAll, exported } = props;
  const { t } = useTranslation('ui');
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  return (
    <div className={classes.header} role="row">
      {selection ? (
        <div className={classes.check} role="columnheader" aria-label={t('table.selection')}>
          <Checkbox
            size="14px"
            checked={selection === 'all'}
            indeterminate={selection === 'some'}
            onChange={onSelectAll}
            aria-label={t('table.selectAll')}
          />
        </div>
      ) : null}
      {headers.map((header) => (
        <HeadCell
          key={header.id}
          header={header}
          align={aligns?.[header.column.id]}
          isGrowing={header.column.id === growing}
          onWidth={(size) => table.setColumnSizing((old) => ({ ...old, [header.column.id]: size }))}
        />
      ))}
      <div className={classes.chooser} role="columnheader" aria-label={t('table.chooseColumns')}>
        <TableMenu table={table} exported={exported} />
      </div>
    </div>
  );
}

interface HeadCellProps<T> {
  readonly header: ReturnType<TableModel<T>['getHeaderGroups']>[number]['headers'][number];
  readonly align: 'right' | undefined;
  readonly isGrowing: boolean;
  readonly onWidth: (size: number) => void;
}

/** The name of a column, which sorts where it can, and its edge. */
function HeadCell<T>(props: HeadCellProps<T>) {
  const { header, align, isGrowing } = props;
  const { column } = header;
  const sorted = column.getIsSorted();
  const title = String(column.columnDef.header);
  return (
    <div
      role="columnheader"
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
      className={classes.head}
      data-align={align}
      data-growing={isGrowing || undefined}
      style={{ width: `var(--w-${column.id})` }}
    >
      {column.getCanSort() ? (
        <button
          type="button"
          className={classes.sort}
          onClick={column.getToggleSortingHandler()}
          title={title}
        >
          <span>{title}</span>
          {sorted === 'asc' ? <IconArrowUp size={12} aria-hidden /> : null}
          {sorted === 'desc' ? <IconArrowDown size={12} aria-hidden /> : null}
        </button>
      ) : (
        <span className={classes.plain} title={title}>
          {title}
        </span>
      )}
      <Edge {...props} title={title} />
    </div>
  );
}

/** The edge of a column, drawn with the mouse or moved by arrow keys; a double click gives the first width back. */
function Edge<T>({ header, isGrowing, onWidth, title }: HeadCellProps<T> & { readonly title: string }) {
  const { t } = useTranslation('ui');
  const { column } = header;
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('table.resize', { column: title })}
      aria-valuenow={column.getSize()}
      tabIndex={0}
      className={classes.resizer}
      onPointerDown={(event) => {
        if (isGrowing) onWidth(drawnWidth(event.currentTarget));
      }}
      onMouseDown={header.getResizeHandler()}
      onTouchStart={header.getResizeHandler()}
      onDoubleClick={() => column.resetSize()}
      onKeyDown={(event) =>
        resizeByKey(event, Math.max(column.getSize(), drawnWidth(event.currentTarget)), onWidth)
      }
    />
  );
}

/** Width in px of the column whose edge this is: one that has grown is wider than its size says. */
const drawnWidth = (edge: HTMLElement): number => edge.parentElement?.offsetWidth ?? 0;

function resizeByKey(event: KeyboardEvent, size: number, resize: (size: number) => void): void {
  const step = event.key === 'ArrowRight' ? STEP_PX : event.key === 'ArrowLeft' ? -STEP_PX : 0;
  if (step === 0) return;
  event.preventDefault();
  event.stopPropagation();
  resize(Math.max(48, size + step));
}
