import type { KqlType } from '@tyrian/plan';
import { type Sql, sql } from './sql.ts';

// How KQL values live in ClickHouse. Strings are never null. A datetime is Int64 ticks of 100 ns since 1970, so that
// arithmetic is exact over Kusto's whole range; a stored datetime stays DateTime64(3) until someone computes with it,
// so that comparisons keep using the sort key. A timespan is Int64 ticks, a dynamic value is JSON text.

export interface SqlValue {
  readonly sql: Sql;
  readonly type: KqlType;
  readonly nullable: boolean;
  /** `milliseconds`: a stored DateTime64(3). */
  readonly form: 'plain' | 'milliseconds';
  /** The column that has the text index on lower(). */
  readonly indexed?: boolean;
  /** The text subcolumn below the path that `sql` reads; see `textOnlySql`. */
  readonly textOnly?: { readonly below: Sql; readonly sql: Sql };
  /** The value, when it is a constant of the query. */
  readonly constant?: boolean | number | string | null;
}

const CLICKHOUSE_TYPE: Readonly<Record<KqlType, string>> = {
  bool: 'Bool',
  int: 'Int32',
  long: 'Int64',
  real: 'Float64',
  decimal: 'Decimal(76, 20)',
  string: 'String',
  datetime: 'Int64',
  timespan: 'Int64',
  guid: 'UUID',
  dynamic: 'String',
};

/** The ClickHouse type of a computed value. */
export function clickhouseType(type: KqlType, nullable: boolean): string {
  const plain = CLICKHOUSE_TYPE[type];
  return nullable && type !== 'string' ? `Nullable(${plain})` : plain;
}

export const plainValue = (type: KqlType, piece: Sql, nullable: boolean): SqlValue => ({
  sql: piece,
  type,
  nullable: nullable && type !== 'string',
  form: 'plain',
});

/** The value in its computed form: a stored datetime becomes ticks. */
export function computed(value: SqlValue): SqlValue {
  if (value.form === 'plain') return value;
  return { ...value, sql: sql`(toUnixTimestamp64Milli(${value.sql}) * 10000)`, form: 'plain' };
}

/** Makes a piece that may be null a string, as Kusto's strings are never null. */
export function nullToEmpty(piece: Sql): Sql {
  return sql`ifNull(${piece}, '')`;
}
