import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ValueWords, withWords } from '../../lib/value-words.ts';
import styles from './result-grid.module.css';
import { isNumeric, type ResultRow, type ShownColumn, valueText } from './result-value.ts';
import type { MenuPoint, ValueTarget } from './value-target.ts';

interface ResultGridRowProps {
  readonly row: ResultRow;
  readonly columns: readonly ShownColumn[];
  readonly zone: string;
  /** What coded values mean. */
  readonly words: ValueWords;
  readonly position: number;
  readonly start: number;
  readonly isOpen: boolean;
  /** Column of the active cell, -1 when it is in another row. */
  readonly activeColumn: number;
  readonly onOpen: (position: number) => void;
  readonly onActive: (cell: { row: number; column: number }) => void;
  readonly onMenu: (target: ValueTarget, point: MenuPoint) => void;
  /** Null where rows are not selected. */
  readonly isSelected: boolean | null;
  readonly onSelect: (position: number, isOn: boolean, isRange: boolean) => void;
}

const LONGEST_SHOWN = 400;

function Row(props: ResultGridRowProps) {
  const { row, columns, zone, words, position } = props;
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      className={styles.row}
      data-open={props.isOpen || undefined}
      data-current={props.activeColumn >= 0 || undefined}
      data-odd={position % 2 === 1 || undefined}
      aria-selected={props.isSelected ?? undefined}
      style={{ transform: `translateY(${props.start}px)` }}
    >
      {props.isSelected !== null && <PickBox {...props} isSelected={props.isSelected} />}
      {columns.map((column, index) => {
        const value = column.read(row);
        const text = valueText(value, column.type, zone);
        const said = words(column.name, value);
        const menu = (point: MenuPoint) => {
          props.onActive({ row: position, column: index });
          props.onMenu({ column, value, row }, point);
        };
        return (
          <div
            key={column.name}
            id={`cell-${position}-${index}`}
            role="gridcell"
            className={styles.cell}
            data-numeric={isNumeric(column.type) || undefined}
            data-active={index === props.activeColumn || undefined}
            data-time={column.type === 'datetime' || undefined}
            style={{ width: `var(--c${index})` }}
            title={text.length > 20 || said ? withWords(text.slice(0, 2000), said) : undefined}
            onClick={() => {
              props.onActive({ row: position, column: index });
              props.onOpen(position);
            }}
            onContextMenu={(event) => {
              event.preventDefault();
              menu({ x: event.clientX, y: event.clientY });
            }}
          >
            <span className={styles.text}>
              {text.slice(0, LONGEST_SHOWN)}
              {said !== null && <span className={styles.words}>{said}</span>}
            </span>
            <MoreButton name={column.name} onMenu={menu} />
          </div>
        );
      })}
    </div>
  );
}

interface MoreButtonProps {
  readonly name: string;
  readonly onMenu: (point: MenuPoint) => void;
}

/** Opens the menu of a value. */
function MoreButton({ name, onMenu }: MoreButtonProps) {
  const { t } = useTranslation('search');
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.more}
      aria-label={t('values.actions', { field: name })}
      onClick={(event) => {
        event.stopPropagation();
        const box = event.currentTarget.getBoundingClientRect();
        onMenu({ x: box.left, y: box.bottom });
      }}
    >
      <IconDots size={14} aria-hidden />
    </button>
  );
}

interface PickBoxProps extends Pick<ResultGridRowProps, 'position' | 'onSelect'> {
  readonly isSelected: boolean;
}

/** The box that selects a row. */
function PickBox({ position, isSelected, onSelect }: PickBoxProps) {
  const { t } = useTranslation('search');
  return (
    <div role="gridcell">
      <label className={styles.pick}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t('select.row', { row: position + 1 })}
          checked={isSelected}
          onChange={(event) => {
            const { shiftKey } = event.nativeEvent as MouseEvent;
            onSelect(position, event.currentTarget.checked, shiftKey === true);
          }}
        />
      </label>
    </div>
  );
}

/** One row of a result; renders again only when it moves or its state changes. */
export const ResultGridRow = memo(Row);
