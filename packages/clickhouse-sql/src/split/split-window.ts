import type { Window } from '@tyrian/plan';
import { WINDOW_BUILDERS } from '../functions/window-builders.ts';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import { commaList, type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import { contextOf, orderItems, type Relation, type SplitState, wrapped } from './relation.ts';

/** Functions over the rows in their present order. Those that restart count the restarts in a select below. */
export function splitWindow(node: Window, input: Relation, state: SplitState): Relation {
  let base = wrapped(input);
  const partition = (node.partition ?? []).map(
    (scalar): Sql => computed(scalarSql(scalar, contextOf(base, state))).sql,
  );
  const restarts = new Map<number, Sql>();
  const restarting = node.items.filter((item) => restartOf(item.fn, item.args.length));
  if (restarting.length > 0) {
    const columns = new Map(base.columns);
    const context = contextOf(base, state);
    for (const item of restarting) {
      const last = item.args.at(-1);
      if (!last) continue;
      const id = state.newId();
      const condition = sql`toInt64(ifNull(${predicateSql(last, context)}, false))`;
      const piece = sql`sum(${condition}) OVER (${overSql(partition, base)} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
      columns.set(id, plainValue('long', piece, false));
      restarts.set(item.id, { kind: 'column', id });
    }
    base = wrapped({ ...base, columns });
  }
  const context = contextOf(base, state);
  const columns = new Map(base.columns);
  for (const item of node.items) {
    const builder = WINDOW_BUILDERS[item.fn];
    if (!builder) throw new Error(`No SQL builder for the window function ${item.fn}`);
    const restart = restarts.get(item.id);
    const over = overSql(restart ? [...partition, restart] : partition, base);
    const args = item.args.map((arg) => computed(scalarSql(arg, context)));
    columns.set(item.id, plainValue(item.type, builder(args, over), true));
  }
  return wrapped({ ...base, columns });
}

/** `row_number(start, restart)` and `row_cumsum(x, restart)` restart where their last argument is true. */
function restartOf(fn: string, count: number): boolean {
  return (fn === 'row_number' || fn === 'row_cumsum') && count === 2;
}

const overSql = (partition: readonly Sql[], base: Relation): Sql =>
  partition.length === 0 ? orderSql(base) : sql`PARTITION BY ${commaList(partition)} ${orderSql(base)}`;

function orderSql(relation: Relation): Sql {
  const keys = orderItems(relation).map((key) => {
    if (key.descending)
      return key.nullsFirst ? sql`${key.sql} DESC NULLS FIRST` : sql`${key.sql} DESC NULLS LAST`;
    return key.nullsFirst ? sql`${key.sql} ASC NULLS FIRST` : sql`${key.sql} ASC NULLS LAST`;
  });
  return keys.length === 0 ? sql`` : sql`ORDER BY ${commaList(keys)}`;
}
