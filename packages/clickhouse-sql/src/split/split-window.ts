import type { Window } from '@tyrian/plan';
import { WINDOW_BUILDERS } from '../functions/window-builders.ts';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import { commaList, type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import { contextOf, orderItems, type Relation, type SplitState, wrapped } from './relation.ts';
import { withSessions } from './split-session.ts';

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
  const runs = withRuns(node, base, partition, state);
  const sessions = withSessions(node, runs.relation, partition, overSql, state);
  base = sessions.relation;
  const context = contextOf(base, state);
  const columns = new Map(base.columns);
  for (const item of node.items) {
    const run = runs.of.get(item.id);
    if (run) {
      const within = [...partition, ...listed(restarts.get(item.id))];
      columns.set(item.id, plainValue('long', rankSql(item.fn, run, within, base), false));
      continue;
    }
    const session = sessions.of.get(item.id);
    if (session) {
      columns.set(item.id, plainValue('datetime', session, true));
      continue;
    }
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
  return (fn === 'row_number' || fn === 'row_cumsum' || isRank(fn)) && count === 2;
}

const isRank = (fn: string): boolean => fn === 'row_rank_dense' || fn === 'row_rank_min';

const listed = (piece: Sql | undefined): readonly Sql[] => (piece ? [piece] : []);

interface Runs {
  readonly relation: Relation;
  /** By the id of the item, the number of its run: neighbours of equal value. */
  readonly of: ReadonlyMap<number, Sql>;
}

/** Numbers the runs of what is ranked: a select tells where a value changes, one around it counts the changes. */
function withRuns(node: Window, input: Relation, partition: readonly Sql[], state: SplitState): Runs {
  const ranked = node.items.filter((item) => isRank(item.fn));
  if (ranked.length === 0) return { relation: input, of: new Map() };
  const frame = sql`${overSql(partition, input)} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`;
  const context = contextOf(input, state);
  const marked = new Map(input.columns);
  const changes = ranked.flatMap((item) => {
    const [term] = item.args;
    if (!term) return [];
    const value = computed(scalarSql(term, context)).sql;
    const id = state.newId();
    const same = sql`(${value} <=> lagInFrame(${value}) OVER (${frame}))`;
    marked.set(id, plainValue('long', sql`toInt64(NOT ${same})`, false));
    return [{ item: item.id, change: id, run: state.newId() }];
  });
  const relation = wrapped({ ...input, columns: marked });
  const columns = new Map(relation.columns);
  for (const { change, run } of changes) {
    const counted = sql`sum(${{ kind: 'column', id: change }}) OVER (${overSql(partition, relation)} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
    columns.set(run, plainValue('long', counted, false));
  }
  return {
    relation: wrapped({ ...relation, columns }),
    of: new Map(changes.map(({ item, run }): [number, Sql] => [item, { kind: 'column', id: run }])),
  };
}

/** The rank of a run among those since the restart: by runs when dense, else by the rows before it. */
function rankSql(fn: string, run: Sql, within: readonly Sql[], base: Relation): Sql {
  const all = overSql(within, base);
  if (fn === 'row_rank_dense') return sql`(${run} - min(${run}) OVER (${partitionSql(within)}) + 1)`;
  const own = overSql([...within, run], base);
  return sql`(toInt64(row_number() OVER (${all})) - toInt64(row_number() OVER (${own})) + 1)`;
}

const partitionSql = (partition: readonly Sql[]): Sql =>
  partition.length === 0 ? sql`` : sql`PARTITION BY ${commaList(partition)}`;

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
