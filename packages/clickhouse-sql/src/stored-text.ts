import type { Sql } from './sql.ts';
import type { SqlValue } from './sql-value.ts';

// A path of a stored dynamic column may hold a number in one event and a text in the next. To compare it with a
// constant that no number, truth value, date, array or object is written as, the texts below the path are enough:
// ClickHouse then reads one plain subcolumn and converts nothing.

const NOT_ONLY_TEXT =
  /^(?:[-+]?(?:\d*\.?\d*(?:e[-+]?\d*)?|inf|infinity|nan)|true|false)$|^\d{4}-\d\d-\d\d|^[[{]/i;

/** The texts of `value`, null where it holds anything else; null when one of the constants could be anything else. */
export function textOnlySql(value: SqlValue, constants: readonly SqlValue[]): Sql | null {
  // A value that was wrapped since is read from elsewhere.
  if (!value.textOnly || value.textOnly.below !== value.sql) return null;
  const isText = ({ constant }: SqlValue): boolean =>
    typeof constant === 'string' && !NOT_ONLY_TEXT.test(constant);
  return constants.every(isText) ? value.textOnly.sql : null;
}
