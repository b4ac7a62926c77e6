import { type Aggregate, type ColumnId, inputsOf, type PlanNode } from '@tyrian/plan';
import { AGGREGATE_BUILDERS } from '../functions/aggregate-builders.ts';
import type { ScalarContext } from '../scalar-context.ts';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import type { Select, SelectItem, Sql } from '../sql.ts';
import { sql } from '../sql.ts';
import { computed, nullToEmpty, plainValue, type SqlValue } from '../sql-value.ts';
import { extremeColumns, extremeRows, isExtreme } from './extreme-rows.ts';
import { closed, contextOf, openRelation, type Relation, ready, type SplitState } from './relation.ts';

/** Aggregations whose value depends on the order of the rows. */
const ORDERED = /^(make_list|list_of_values|make_bag|make_set|take_any)/;

/** `summarize` and `distinct`. */
export function splitAggregate(node: Aggregate, input: Relation, state: SplitState): Relation {
  const scalars = [...node.keys.map((key) => key.expression), ...node.items.flatMap((item) => item.args)];
  const base = inOrder(ready(input, scalars), node);
  const context = withoutIndex(contextOf(base, state));
  const items: SelectItem[] = [];
  const columns = new Map<ColumnId, SqlValue>();
  const groupBy: Sql[] = [];
  const isStored = readsStored(node.input);
  for (const { id, expression } of node.keys) {
    const value = scalarSql(expression, context);
    const column = { kind: 'column', id } as const;
    items.push({ alias: `c${id}`, sql: value.sql });
    groupBy.push(column);
    columns.set(id, { ...plainValue(value.type, column, value.nullable), form: value.form });
  }
  for (const item of node.items.filter((one) => !isExtreme(one))) {
    const builder = AGGREGATE_BUILDERS[item.fn];
    if (!builder) throw new Error(`No SQL builder for the aggregation ${item.fn}`);
    const args = item.args.map((arg) => computed(scalarSql(arg, context)));
    const conditions = item.args.map((arg) => (arg.type === 'bool' ? predicateSql(arg, context) : null));
    const built = builder(args, { item, conditions, inOrder: !isStored });
    const piece = item.type === 'string' ? nullToEmpty(built) : built;
    items.push({ alias: `c${item.id}`, sql: piece });
    columns.set(item.id, plainValue(item.type, { kind: 'column', id: item.id }, true));
  }
  for (const row of extremeRows(node.items)) {
    const [by] = row.flatMap((item) => item.args[0] ?? []);
    if (!by) throw new Error('An aggregation lacks an argument');
    const wanted = row.flatMap(({ id, type, args: [, arg] }) =>
      arg ? { id, type, carried: computed(scalarSql(arg, context)) } : [],
    );
    const found = extremeColumns(row[0]?.fn ?? '', computed(scalarSql(by, context)), wanted, state.newId);
    items.push(...found.items);
    for (const [id, value] of found.values) columns.set(id, value);
  }
  if (items.length === 0) items.push({ alias: `c${state.newId()}`, sql: sql`count()` });
  const select: Select = {
    items,
    source: base.source,
    arrayJoin: [],
    where: base.where,
    groupBy,
    orderBy: [],
    limitBy: [],
    limit: null,
  };
  return openRelation({ kind: 'select', select }, columns);
}

/** What is aggregated has been read already: to ask an index first is work for nothing. */
const withoutIndex = (context: ScalarContext): ScalarContext => ({
  ...context,
  column: (id) => {
    const { indexed: _, ...value } = context.column(id);
    return value;
  },
});

/** Whether a plan reads stored events. */
const readsStored = (node: PlanNode): boolean => node.kind === 'scan' || inputsOf(node).some(readsStored);

/** Sorts below the aggregation when the rows have an order that it can see. */
function inOrder(relation: Relation, node: Aggregate): Relation {
  if (relation.order.length === 0 || !node.items.some((item) => ORDERED.test(item.fn))) return relation;
  const select = closed(relation);
  const orderBy = relation.order.map((key) => ({
    sql: { kind: 'column', id: key.id } as const,
    descending: key.descending,
    nullsFirst: key.nullsFirst,
  }));
  const columns = new Map(
    [...relation.columns].map(([id, value]) => [id, { ...value, sql: { kind: 'column', id } as const }]),
  );
  return openRelation({ kind: 'select', select: { ...select, orderBy } }, columns);
}
