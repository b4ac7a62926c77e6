import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';

type WindowBuilder = (args: readonly SqlValue[], over: Sql) => Sql;

const argument = (args: readonly SqlValue[], index: number): Sql => args[index]?.sql ?? sql`NULL`;

/** Functions over ordered rows; `over` is what stands inside OVER (). */
export const WINDOW_BUILDERS: Readonly<Record<string, WindowBuilder>> = {
  row_number: (args, over) => sql`(toInt64(row_number() OVER (${over})) + ${args[0]?.sql ?? sql`1`} - 1)`,
  row_cumsum: (args, over) =>
    sql`sum(${argument(args, 0)}) OVER (${over} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`,
  prev: (args, over) => shifted(sql`lagInFrame`, args, over),
  next: (args, over) => shifted(sql`leadInFrame`, args, over),
};

function shifted(fn: Sql, args: readonly SqlValue[], over: Sql): Sql {
  const value = args[0];
  const kept = value?.type === 'string' ? argument(args, 0) : sql`toNullable(${argument(args, 0)})`;
  const offset = args[1]?.sql ?? sql`1`;
  const frame = sql`${over} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`;
  return args[2]
    ? sql`${fn}(${kept}, ${offset}, ${args[2].sql}) OVER (${frame})`
    : sql`${fn}(${kept}, ${offset}) OVER (${frame})`;
}
