import type { Constant } from '@tyrian/plan';
import { parameter, type Sql, sql, textParameter } from './sql.ts';
import type { SqlValue } from './sql-value.ts';

/** A constant of the query as a typed parameter; null as the null of its type. */
export function constantValue(value: Constant): SqlValue {
  const nullable = value.value === null && value.type !== 'string';
  return {
    sql: constantSql(value),
    type: value.type,
    nullable,
    form: 'plain',
    constant: value.value,
  };
}

function constantSql({ type, value }: Constant): Sql {
  if (value === null) return nullOf(type);
  switch (type) {
    case 'bool':
      return parameter('Bool', Boolean(value));
    case 'int':
      return parameter('Int32', Number(value));
    case 'long':
    case 'datetime':
    case 'timespan':
      return parameter('Int64', String(value));
    case 'real':
      return parameter('Float64', realParameter(value));
    case 'decimal':
      return sql`toDecimal256(${textParameter(String(value))}, 20)`;
    case 'guid':
      return sql`toUUID(${textParameter(String(value))})`;
    case 'string':
    case 'dynamic':
      return textParameter(String(value));
  }
}

/** ClickHouse's spelling of a real. */
export function realParameter(value: unknown): number | string {
  if (value === 'NaN') return 'nan';
  if (value === 'Infinity') return 'inf';
  if (value === '-Infinity') return '-inf';
  if (Object.is(value, -0)) return '-0';
  return Number(value);
}

function nullOf(type: Constant['type']): Sql {
  switch (type) {
    case 'string':
      return sql`''`;
    case 'bool':
      return sql`CAST(NULL, 'Nullable(Bool)')`;
    case 'int':
      return sql`CAST(NULL, 'Nullable(Int32)')`;
    case 'real':
      return sql`CAST(NULL, 'Nullable(Float64)')`;
    case 'decimal':
      return sql`CAST(NULL, 'Nullable(Decimal(76, 20))')`;
    case 'guid':
      return sql`CAST(NULL, 'Nullable(UUID)')`;
    case 'dynamic':
      return sql`CAST(NULL, 'Nullable(String)')`;
    case 'long':
    case 'datetime':
    case 'timespan':
      return sql`CAST(NULL, 'Nullable(Int64)')`;
  }
}
