import type { AggregateItem, ColumnId, KqlType } from '@tyrian/plan';
import { jsonTextSql } from '../functions/json-sql.ts';
import { commaList, parameter, type SelectItem, type Sql, sql } from '../sql.ts';
import { nullToEmpty, plainValue, type SqlValue } from '../sql-value.ts';

// `arg_max` and `arg_min`: columns of the row where an expression is extreme. The engine leaves out rows whose carried
// value is null, so columns that can be null travel as one tuple, which never is. Ties fall to the row that came first,
// for every column the same. Where the expression is null in all rows one of them is picked.

const FUNCTIONS: Readonly<Record<string, Sql>> = { arg_max_value: sql`argMax`, arg_min_value: sql`argMin` };

export const isExtreme = ({ fn }: { readonly fn: string }): boolean => FUNCTIONS[fn] !== undefined;

/** Items of one call: the same function over the same compared expression. */
export function extremeRows(items: readonly AggregateItem[]): readonly (readonly AggregateItem[])[] {
  const rows = new Map<string, AggregateItem[]>();
  for (const item of items.filter(isExtreme)) {
    const key = `${item.fn} ${JSON.stringify(item.args[0])}`;
    rows.set(key, [...(rows.get(key) ?? []), item]);
  }
  return [...rows.values()];
}

export interface ExtremeColumn {
  readonly id: ColumnId;
  readonly type: KqlType;
  /** In computed form. */
  readonly carried: SqlValue;
}

/** What one call adds to the select, and what its columns hold above it. */
export function extremeColumns(
  fn: string,
  by: SqlValue,
  wanted: readonly ExtremeColumn[],
  newId: () => ColumnId,
): { items: SelectItem[]; values: [ColumnId, SqlValue][] } {
  const items: SelectItem[] = [];
  const values: [ColumnId, SqlValue][] = [];
  for (const { id, type, carried } of wanted.filter((one) => !one.carried.nullable)) {
    const picked = pick(fn, by, carried.sql);
    items.push({ alias: `c${id}`, sql: type === 'string' ? picked : orNull(picked) });
    values.push([id, plainValue(type, { kind: 'column', id }, true)]);
  }
  const together = wanted.filter((one) => one.carried.nullable);
  if (together.length === 0) return { items, values };
  const row = { kind: 'column', id: newId() } as const;
  const tuple = sql`tuple(${commaList(together.map((one) => one.carried.sql))})`;
  items.push({ alias: `c${row.id}`, sql: pick(fn, by, tuple) });
  for (const [index, { id, type }] of together.entries()) {
    const element = sql`tupleElement(${row}, ${parameter('UInt8', index + 1)})`;
    values.push([id, plainValue(type, type === 'string' ? nullToEmpty(element) : element, true)]);
  }
  return { items, values };
}

function pick(fn: string, by: SqlValue, carried: Sql): Sql {
  if (by.type === 'real') return pickReal(fn, by, carried);
  const order = by.type === 'dynamic' ? jsonTextSql(by.sql) : by.sql;
  const extreme = sql`${FUNCTIONS[fn] ?? sql``}(${carried}, ${order})`;
  return by.nullable ? sql`if(count(${order}) = 0, any(${carried}), ${extreme})` : extreme;
}

/** Among reals a NaN is both the least and the greatest. */
function pickReal(fn: string, by: SqlValue, carried: Sql): Sql {
  const first = fn === 'arg_min_value' ? sql`NOT isNaN` : sql`isNaN`;
  const name = FUNCTIONS[fn] ?? sql``;
  if (!by.nullable) return sql`${name}(${carried}, (${first}(${by.sql}), ${by.sql}))`;
  const real = sql`ifNull(${by.sql}, 0)`;
  const extreme = sql`${name}If(${carried}, (${first}(${real}), ${real}), isNotNull(${by.sql}))`;
  return sql`if(count(${by.sql}) = 0, any(${carried}), ${extreme})`;
}

/** Over no rows there is no value. */
const orNull = (picked: Sql): Sql => sql`if(count() = 0, NULL, ${picked})`;
