import type { ColumnId, Once, PlanNode } from '@tyrian/plan';
import type { SqlValue } from '../sql-value.ts';
import {
  closed,
  columnsOf,
  type OrderKey,
  openRelation,
  type Relation,
  type SplitState,
} from './relation.ts';

/**
 * A use of a table that is computed once. The first that is met says how; all read the same columns by their position. The
 * order of the rows is written down in columns, because the table that is kept has none.
 */
export function splitOnce(node: Once, split: (input: PlanNode) => Relation, state: SplitState): Relation {
  const table = state.shared.get(node.key) ?? sharedTable(node, split(node.input), state);
  const columns = new Map<ColumnId, SqlValue>();
  node.columns.forEach(({ id }, position) => {
    const value = table.columns[position];
    if (!value) throw new Error(`Column ${id} is not there`);
    columns.set(id, value);
  });
  const order = table.order.map(({ value, ...key }): OrderKey => {
    const id = state.newId();
    columns.set(id, value);
    return { ...key, id };
  });
  return openRelation({ kind: 'shared', key: node.key }, columns, order);
}

function sharedTable(node: Once, relation: Relation, state: SplitState): ReturnType<typeof tableOf> {
  const table = tableOf(node, relation);
  state.shared.set(node.key, table);
  return table;
}

function tableOf(node: Once, relation: Relation) {
  const outer = columnsOf(relation);
  const read = new Set(node.columns.map((column) => column.source));
  const columnAt = (id: ColumnId): SqlValue => {
    const value = outer.get(id);
    if (!value) throw new Error(`Column ${id} is not there`);
    return value;
  };
  const order = relation.order.filter(({ id }) => outer.has(id));
  for (const { id } of order) read.add(id);
  const kept = new Map([...relation.columns].filter(([id]) => read.has(id)));
  return {
    select: closed({ ...relation, columns: kept }),
    columns: node.columns.map(({ source }) => columnAt(source)),
    order: order.map(({ natural: _, ...key }) => ({ ...key, value: columnAt(key.id) })),
  };
}
