import { parameter, type Sql, sql } from './sql.ts';
import { computed, plainValue, type SqlValue } from './sql-value.ts';
import { textOnlySql } from './stored-text.ts';

// Comparison as Kusto has it: `==` of a null and a value is false, `!=` is true, and both are null only when both
// sides are null; `<` and its kin are null when a side is. A stored moment is compared with a constant in whole
// milliseconds, rounded the way that keeps the meaning, so that the sort key and the partitions are used.

type Comparison = 'equal' | 'not_equal' | 'less' | 'less_or_equal' | 'greater' | 'greater_or_equal';

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  equal: 'equal',
  not_equal: 'not_equal',
  less: 'greater',
  less_or_equal: 'greater_or_equal',
  greater: 'less',
  greater_or_equal: 'less_or_equal',
};

export const isComparison = (fn: string): fn is Comparison => Object.hasOwn(MIRRORED, fn);

/** `predicate`: null may stand for false; `exact`: Kusto's value. */
export function comparisonSql(
  fn: Comparison,
  left: SqlValue,
  right: SqlValue,
  use: 'predicate' | 'exact',
): SqlValue {
  if (left.form === 'milliseconds' && typeof right.constant === 'string') return stored(fn, left, right, use);
  if (right.form === 'milliseconds' && typeof left.constant === 'string')
    return stored(MIRRORED[fn], right, left, use);
  if (fn === 'equal' || fn === 'not_equal') {
    const text = textOnlySql(left, [right]);
    if (text) return withNulls(fn, textValue(text), right, use);
  }
  return withNulls(fn, computed(left), computed(right), use);
}

/** Texts that may be missing: a string is never null, a subcolumn is. */
const textValue = (piece: Sql): SqlValue => ({ ...plainValue('string', piece, false), nullable: true });

function stored(fn: Comparison, column: SqlValue, moment: SqlValue, use: 'predicate' | 'exact'): SqlValue {
  const ticks = BigInt(String(moment.constant));
  const rest = ((ticks % 10_000n) + 10_000n) % 10_000n;
  if (rest !== 0n && (fn === 'equal' || fn === 'not_equal'))
    return withNulls(fn, computed(column), moment, use);
  const down = (ticks - rest) / 10_000n;
  const up = rest === 0n ? down : down + 1n;
  const bound = fn === 'less' || fn === 'greater_or_equal' ? up : down;
  // Outside what DateTime64(3) can hold the ticks decide.
  if (bound < -2_208_988_800_000n || bound > 10_413_791_999_000n)
    return withNulls(fn, computed(column), moment, use);
  const value = sql`fromUnixTimestamp64Milli(${parameter('Int64', bound.toString())}, 'UTC')`;
  return withNulls(fn, { ...column, form: 'plain' }, plainValue('datetime', value, false), use);
}

function withNulls(fn: Comparison, left: SqlValue, right: SqlValue, use: 'predicate' | 'exact'): SqlValue {
  const plain = compare(fn, left.sql, right.sql);
  const nullable = left.nullable || right.nullable;
  if (!nullable) return plainValue('bool', plain, false);
  if (fn === 'equal') {
    if (use === 'predicate') return plainValue('bool', plain, true);
    if (!left.nullable || !right.nullable) return plainValue('bool', sql`ifNull(${plain}, false)`, false);
    const both = sql`(isNull(${left.sql}) AND isNull(${right.sql}))`;
    return plainValue('bool', sql`if(${both}, NULL, ifNull(${plain}, false))`, true);
  }
  if (fn === 'not_equal') {
    if (!left.nullable || !right.nullable) return plainValue('bool', sql`ifNull(${plain}, true)`, false);
    const both = sql`(isNull(${left.sql}) AND isNull(${right.sql}))`;
    return plainValue('bool', sql`if(${both}, NULL, ifNull(${plain}, true))`, true);
  }
  return plainValue('bool', plain, true);
}

function compare(fn: Comparison, left: Sql, right: Sql): Sql {
  switch (fn) {
    case 'equal':
      return sql`(${left} = ${right})`;
    case 'not_equal':
      return sql`(${left} != ${right})`;
    case 'less':
      return sql`(${left} < ${right})`;
    case 'less_or_equal':
      return sql`(${left} <= ${right})`;
    case 'greater':
      return sql`(${left} > ${right})`;
    case 'greater_or_equal':
      return sql`(${left} >= ${right})`;
  }
}
