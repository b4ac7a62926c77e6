import { type Sql, sql } from './sql.ts';
import type { SqlValue } from './sql-value.ts';

/** A value in exactly the ClickHouse type of its KQL type. */
export function castSql(value: SqlValue, nullable: boolean): SqlValue {
  return { ...value, sql: nullable ? castNullable(value) : castPlain(value), nullable };
}

function castNullable({ type, sql: piece }: SqlValue): Sql {
  switch (type) {
    case 'bool':
      return sql`CAST(${piece}, 'Nullable(Bool)')`;
    case 'int':
      return sql`CAST(${piece}, 'Nullable(Int32)')`;
    case 'long':
    case 'datetime':
    case 'timespan':
      return sql`CAST(${piece}, 'Nullable(Int64)')`;
    case 'real':
      return sql`CAST(${piece}, 'Nullable(Float64)')`;
    case 'decimal':
      return sql`CAST(${piece}, 'Nullable(Decimal(76, 20))')`;
    case 'guid':
      return sql`CAST(${piece}, 'Nullable(UUID)')`;
    case 'dynamic':
      return sql`CAST(${piece}, 'Nullable(String)')`;
    case 'string':
      return sql`toString(${piece})`;
  }
}

function castPlain({ type, sql: piece }: SqlValue): Sql {
  switch (type) {
    case 'bool':
      return sql`CAST(${piece}, 'Bool')`;
    case 'int':
      return sql`toInt32(${piece})`;
    case 'long':
    case 'datetime':
    case 'timespan':
      return sql`toInt64(${piece})`;
    case 'real':
      return sql`toFloat64(${piece})`;
    case 'decimal':
      return sql`toDecimal256(${piece}, 20)`;
    case 'guid':
      return sql`CAST(${piece}, 'UUID')`;
    case 'dynamic':
    case 'string':
      return sql`toString(${piece})`;
  }
}
