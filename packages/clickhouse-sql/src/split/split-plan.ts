import type { Aggregate, ColumnId, PlanNode, Scalar, ScopedPlan } from '@tyrian/plan';
import { predicateSql } from '../scalar-sql.ts';
import { type Select, type Sql, sql, type WholeQuery } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import {
  contextOf,
  type OrderKey,
  orderItems,
  type Relation,
  ready,
  type SplitState,
  withColumns,
  wrapped,
} from './relation.ts';
import { splitAggregate } from './split-aggregate.ts';
import { splitExpand } from './split-expand.ts';
import { splitJoin } from './split-join.ts';
import { splitMatchSteps } from './split-match-steps.ts';
import { splitOnce } from './split-once.ts';
import { splitRange } from './split-range.ts';
import { splitScan } from './split-scan.ts';
import { splitStoreScan } from './split-store-scan.ts';
import { splitUnion } from './split-union.ts';
import { splitValues } from './split-values.ts';
import { splitWindow } from './split-window.ts';

// Decides where a new SELECT begins: after a limit, an aggregation, a join, and where a node reads a column that the
// open select only just computes. Nesting costs nothing: ClickHouse pushes conditions down to the scan.

/** The select of a whole query; its columns are the result columns in order. */
export function splitPlan(plan: ScopedPlan): WholeQuery {
  let nextId = plan.nextId;
  const state: SplitState = {
    shared: new Map(),
    newId: () => nextId++,
    subselect: (inner, column) => {
      const relation = split(inner, state);
      const value = relation.columns.get(column);
      if (!value) throw new Error(`Column ${column} is not there`);
      return finished(relation, [{ alias: `c${column}`, sql: value.sql }]);
    },
  };
  const relation = split(plan.root, state);
  const items = plan.columns.map((column, index) => {
    const value = relation.columns.get(column.id);
    if (!value) throw new Error(`Column ${column.id} is not there`);
    return { alias: `r${index}`, sql: outputSql(value) };
  });
  const shared = [...state.shared].map(([key, table]) => ({ key, select: table.select }));
  return { shared, select: finished(relation, items) };
}

/** Whole numbers of 64 bits leave as text: a JSON number would be rounded by whoever reads it. */
function outputSql(value: SqlValue): Sql {
  const wide = value.type === 'long' || value.type === 'datetime' || value.type === 'timespan';
  return wide && value.form === 'plain' ? sql`toString(${value.sql})` : value.sql;
}

function finished(relation: Relation, items: Select['items']): Select {
  return {
    items,
    source: relation.source,
    arrayJoin: [],
    where: relation.where,
    groupBy: [],
    orderBy: orderItems(relation),
    limitBy: [],
    limit: null,
  };
}

/** The relation of one node and all below it. */
function split(node: PlanNode, state: SplitState): Relation {
  switch (node.kind) {
    case 'scan':
      return splitScan(node);
    case 'store-scan':
      return splitStoreScan(node);
    case 'values':
      return splitValues(node);
    case 'range':
      return splitRange(node, state);
    case 'filter': {
      const input = ready(split(node.input, state), [node.predicate]);
      return { ...input, where: [...input.where, predicateSql(node.predicate, contextOf(input, state))] };
    }
    case 'compute':
      return withColumns(split(node.input, state), node.items, state);
    case 'sort':
      return splitSort(node, state);
    case 'limit':
      return wrapped(split(node.input, state), { limit: node.count });
    case 'unique-by':
      return splitUnique(node, state);
    case 'aggregate':
      return splitAggregate(node, countedScan(node) ?? split(node.input, state), state);
    case 'join':
      return splitJoin(node, split(node.left, state), split(node.right, state), state);
    case 'union':
      return splitUnion(
        node,
        node.branches.map((branch) => split(branch.input, state)),
        state,
      );
    case 'expand':
      return splitExpand(node, split(node.input, state), state);
    case 'window':
      return splitWindow(node, split(node.input, state), state);
    case 'once':
      return splitOnce(node, (input) => split(input, state), state);
    case 'match-steps':
      return splitMatchSteps(node, split(node.input, state), state);
  }
}

/** The scan below a bare `count`; null of anything else. */
function countedScan({ input, keys, items }: Aggregate): Relation | null {
  const isBare = keys.length === 0 && items.every(({ fn, args }) => fn === 'count' && args.length === 0);
  return isBare && input.kind === 'scan' ? splitScan(input, true) : null;
}

/** Keys by the columns that hold them; what is computed becomes a column of the relation first. */
function keyColumns(
  keys: readonly Scalar[],
  input: Relation,
  state: SplitState,
): { readonly relation: Relation; readonly ids: readonly ColumnId[] } {
  const items: { id: ColumnId; expression: Scalar }[] = [];
  const ids = keys.map((expression) => {
    if (expression.kind === 'column') return expression.id;
    const id = state.newId();
    items.push({ id, expression });
    return id;
  });
  return { relation: items.length > 0 ? withColumns(input, items, state) : input, ids };
}

function splitUnique(node: Extract<PlanNode, { kind: 'unique-by' }>, state: SplitState): Relation {
  const { relation, ids } = keyColumns(node.keys, split(node.input, state), state);
  const isFresh = ids.some((id) => relation.fresh.has(id));
  const base = isFresh ? wrapped(relation) : relation;
  const { column } = contextOf(base, state);
  return wrapped(base, { limitBy: ids.map((id) => column(id).sql) });
}

function splitSort(node: Extract<PlanNode, { kind: 'sort' }>, state: SplitState): Relation {
  const expressions = node.keys.map(({ expression }) => expression);
  const { relation, ids } = keyColumns(expressions, split(node.input, state), state);
  const order = node.keys.map(({ descending, nullsFirst }, index): OrderKey => {
    return { id: ids[index] ?? 0, descending, nullsFirst };
  });
  return { ...relation, order };
}
