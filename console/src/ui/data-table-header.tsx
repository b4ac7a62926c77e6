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
  const resize = (id: string, size: number) => table.setColumnSizing((old) => ({ ...old, [id]: size }));
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
      {headers.map((header) => {
        const sorted = header.column.getIsSorted();
        const title = String(header.column.columnDef.header);
        return (
          <div
            key={header.id}
            role="columnheader"
            aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
            className={classes.head}
            data-align={aligns?.[header.column.id]}
            data-growing={header.column.id === growing || undefined}
            style={{ width: `var(--w-${header.column.id})` }}
          >
            {header.column.getCanSort() ? (
              <button
                type="button"
                className={classes.sort}
                onClick={header.column.getToggleSortingHandler()}
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
            <div
              role="separator"
              aria-orientation="vertical"
              aria-label={t('table.resize', { column: title })}
              aria-valuenow={header.column.getSize()}
              tabIndex={0}
              className={classes.resizer}
              onPointerDown={(event) => {
                if (header.column.id === growing) resize(header.column.id, drawnWidth(event.currentTarget));
              }}
              onMouseDown={header.getResizeHandler()}
              onTouchStart={header.getResizeHandler()}
              onDoubleClick={() => header.column.resetSize()}
              onKeyDown={(event) =>
                resizeByKey(
                  event,
                  Math.max(header.column.getSize(), drawnWidth(event.currentTarget)),
                  (size) => resize(header.column.id, size),
                )
              }
            />
          </div>
        );
      })}
      <div className={classes.chooser} role="columnheader" aria-label={t('table.chooseColumns')}>
        <TableMenu table={table} exported={exported} />
      </div>
    </div>
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
