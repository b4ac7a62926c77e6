import type { Window } from '@tyrian/plan';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import { type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import { contextOf, type Relation, type SplitState, wrapped } from './relation.ts';

// Sessions of `row_window_session`. Rows that are close enough to the one before form a run; only within a run does
// the distance from the first moment matter, and there the moments are folded in order.

export interface Sessions {
  readonly relation: Relation;
  /** By the id of the item, the moment at which the session of a row begins. */
  readonly of: ReadonlyMap<number, Sql>;
}

/** Adds the runs to the relation; `over` writes a window of some keys in the order of the rows. */
export function withSessions(
  node: Window,
  input: Relation,
  partition: readonly Sql[],
  over: (keys: readonly Sql[], relation: Relation) => Sql,
  state: SplitState,
): Sessions {
  const items = node.items.filter((item) => item.fn === 'row_window_session');
  if (items.length === 0) return { relation: input, of: new Map() };
  const frame = sql`${over(partition, input)} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`;
  const context = contextOf(input, state);
  const marked = new Map(input.columns);
  const sessions = items.flatMap((item) => {
    const [moment, first, neighbour, restart] = item.args;
    if (!moment || !first || !neighbour) return [];
    const value = sql`toNullable(${computed(scalarSql(moment, context)).sql})`;
    const before = sql`lagInFrame(${value}) OVER (${frame})`;
    const far = sql`${value} >= ${before} + ${computed(scalarSql(neighbour, context)).sql}`;
    const asked = restart ? sql`ifNull(${predicateSql(restart, context)}, false)` : sql`false`;
    const added = { value: state.newId(), limit: state.newId(), change: state.newId(), run: state.newId() };
    const change = sql`toInt64(isNull(${value}) OR ifNull(${far}, true) OR ${asked})`;
    marked.set(added.value, plainValue('datetime', value, true));
    marked.set(added.limit, plainValue('timespan', computed(scalarSql(first, context)).sql, true));
    marked.set(added.change, plainValue('long', change, false));
    return [{ item: item.id, ...added }];
  });
  const relation = wrapped({ ...input, columns: marked });
  const columns = new Map(relation.columns);
  for (const { change, run } of sessions) {
    const count = sql`sum(${{ kind: 'column', id: change }}) OVER (${over(partition, relation)} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
    columns.set(run, plainValue('long', count, false));
  }
  const numbered = wrapped({ ...relation, columns });
  const of = sessions.map(({ item, value, limit, run }): [number, Sql] => {
    // A window is no expression: each use is written anew.
    const window = (): Sql => over([...partition, { kind: 'column', id: run }], numbered);
    return [item, sessionStart({ kind: 'column', id: value }, { kind: 'column', id: limit }, window)];
  });
  return { relation: numbered, of: new Map(of) };
}

function sessionStart(value: Sql, limit: Sql, window: () => Sql): Sql {
  const moments = sql`groupArray(ifNull(${value}, 0)) OVER (${window()} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const from = sql`min(${value}) OVER (${window()} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const first = sql`first_value(${value}) OVER (${window()} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const until = sql`max(${value}) OVER (${window()} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const folded = sql`arrayFold((s, x) -> if(x >= s + ifNull(${limit}, 0), x, s), ${moments}, ifNull(${first}, toInt64(0)))`;
  return sql`multiIf(isNull(${value}), NULL, ${from} = ${first} AND ${until} < ${first} + ${limit}, ${first}, ${folded})`;
}
