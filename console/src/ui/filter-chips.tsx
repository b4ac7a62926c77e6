import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './filter-chips.module.css';

export interface FilterChip {
  readonly id: string;
  /** What is filtered, e.g. `severity`. */
  readonly field: string;
  /** How, e.g. `is`; the values follow, joined by "or". Absent where the field alone leads to them, e.g. `Status:`. */
  readonly relation?: string;
  readonly values: readonly string[];
  /** Turns "is" into "is not" and back; absent where the filter has no opposite. */
  readonly onFlip?: () => void;
  readonly onRemove: () => void;
}

/** Active filters as sentences, each with its way out, and one to clear them all. */
export function FilterChips({
  chips,
  onClear,
}: {
  readonly chips: readonly FilterChip[];
  readonly onClear: () => void;
}) {
  const { t } = useTranslation('ui');
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t('filters.active')}>
      {chips.map((chip) => (
        <li key={chip.id} className={classes.chip}>
          <span className={classes.field}>{chip.field}</span>{' '}
          {chip.onFlip && chip.relation ? (
            <button
              type="button"
              className={classes.flip}
              onClick={chip.onFlip}
              title={t('filters.flip')}
              aria-label={t('filters.flipOf', { field: chip.field, relation: chip.relation })}
            >
              {chip.relation}
            </button>
          ) : (
            chip.relation && `${chip.relation} `
          )}
          {chip.onFlip && ' '}
          <strong>{chip.values.join(` ${t('filters.or')} `)}</strong>
          <button
            type="button"
            className={classes.remove}
            onClick={chip.onRemove}
            aria-label={t('filters.remove', { field: chip.field })}
          >
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.clear} onClick={onClear}>
          {t('filters.clear')}
        </button>
      </li>
    </ul>
  );
}
