import type { Call } from '@tyrian/plan';
import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';

/** Builds the SQL of one function; the arguments have the types that the registry names, in computed form. */
export type Builder = (args: readonly SqlValue[], call: Call) => Sql;

/** The SQL of argument `index`; the compiler has checked that it is there. */
export function arg(args: readonly SqlValue[], index: number): Sql {
  return args[index]?.sql ?? sql`NULL`;
}

/** A constant argument as text; '' when it is missing. */
export function constantText(args: readonly SqlValue[], index: number): string {
  const value = args[index]?.constant;
  return value === undefined || value === null ? '' : String(value);
}

/** A constant argument as a number. */
export function constantNumber(args: readonly SqlValue[], index: number, fallback: number): number {
  const value = args[index]?.constant;
  return value === undefined || value === null ? fallback : Number(value);
}
