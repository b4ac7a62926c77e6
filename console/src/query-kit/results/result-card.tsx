import type { ResultColumn } from '@tyrian/contract';
import { formatCount, formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import styles from './result-card.module.css';
import { isNumeric, type ResultRow, valueText } from './result-value.ts';

const LONGEST_WHOLE = 9;

/** The values of the first row, large: `render card`. */
export function ResultCard(props: {
  readonly columns: readonly ResultColumn[];
  readonly row: ResultRow;
  readonly title: string;
  readonly zone: string;
}) {
  const { columns, row, title, zone } = props;
  const { locale } = useSettings();
  return (
    <section className={styles.card} data-testid="result-card">
      {title !== '' && <h2 className={styles.title}>{title}</h2>}
      <dl className={styles.values}>
        {columns.map(({ name, type }, index) => {
          const value = row[index] ?? null;
          const whole = typeof value === 'number' ? formatInteger(value, locale) : '';
          const isNumber = isNumeric(type) && typeof value === 'number';
          const text = !isNumber
            ? valueText(value, type, zone)
            : whole.length > LONGEST_WHOLE
              ? formatCount(value)
              : whole;
          return (
            <div key={name} className={styles.value}>
              <dt>{name}</dt>
              <dd title={isNumber ? whole : text}>{text === '' ? '—' : text}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
