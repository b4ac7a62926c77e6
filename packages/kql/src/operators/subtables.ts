import {
  type AggregateItem,
  type ColumnId,
  type ComputeItem,
  call,
  columnReference,
  constant,
  type PlanNode,
  rewriteScalar,
  type Scalar,
} from '@tyrian/plan';
import type { Lowering, NamedColumn, Subtables, Table } from '../lowering.ts';

// The rows of one plan can stand for many tables, as those of a subquery in mv-apply and partition do. What an operator
// does to one table it then does to each, by grouping, numbering and sorting within the keys that tell them apart.

type Rows = Pick<Table, 'node' | 'subtables'>;

const referenceTo = (column: NamedColumn) => columnReference(column.id, column.type);

/** Keeps the rows for which the condition is true. */
export function keepRows(input: Table, predicate: Scalar, lowering: Lowering): Table {
  const alive = input.subtables?.alive;
  if (!input.subtables || !alive) return { ...input, node: { kind: 'filter', input: input.node, predicate } };
  const id = lowering.newId();
  const both = call('bool', 'and', alive, call('bool', 'iff', predicate, TRUE, FALSE));
  return {
    ...input,
    node: { kind: 'compute', input: input.node, items: [{ id, expression: both }] },
    subtables: { ...input.subtables, alive: columnReference(id, 'bool') },
  };
}

const TRUE = constant('bool', true);
const FALSE = constant('bool', false);

/** The first rows in the present order, of each table. */
export function firstRows(input: Table, count: number, lowering: Lowering): Table {
  if (!input.subtables) return { ...input, node: { kind: 'limit', input: input.node, count } };
  const id = lowering.newId();
  const number = { id, type: 'long', fn: 'row_number', args: [constant('long', '1')] } as const;
  const node: PlanNode = {
    kind: 'window',
    input: input.node,
    partition: separating(input.subtables),
    items: [number],
  };
  const near = call('bool', 'less_or_equal', columnReference(id, 'long'), constant('long', String(count)));
  return keepRows({ ...input, node }, near, lowering);
}

/** What tells rows apart that must not meet: the tables, and in them the rows that were dropped. */
export const separating = ({ keys, alive }: Subtables): readonly Scalar[] =>
  alive ? [...keys, alive] : keys;

/** Groups the rows of each table; without keys that is one row for each, also for one without rows. */
export function groupRows(
  input: Table,
  keys: readonly ComputeItem[],
  items: readonly AggregateItem[],
  lowering: Lowering,
): Rows {
  const { subtables } = input;
  if (!subtables) return { node: { kind: 'aggregate', input: input.node, keys, items } };
  return keys.length === 0 && subtables.alive
    ? withEmptyTables(input.node, subtables, items, lowering)
    : grouped(input.node, subtables, keys, items, lowering);
}

interface GroupedRows {
  readonly node: PlanNode;
  readonly subtables: Subtables;
}

function grouped(
  input: PlanNode,
  subtables: Subtables,
  keys: readonly ComputeItem[],
  items: readonly AggregateItem[],
  lowering: Lowering,
): GroupedRows {
  const separators = separating(subtables).map((expression) => ({ id: lowering.newId(), expression }));
  const shared = subtables.shared.map((column) => ({ ...column, id: lowering.newId() }));
  const carried = shared.map(({ id, type }, index): AggregateItem => {
    const from = subtables.shared[index];
    return { id, type, fn: 'same_value', args: from ? [referenceTo(from)] : [] };
  });
  const references = separators.map(({ id, expression }) => columnReference(id, expression.type));
  const alive = subtables.alive ? references.at(-1) : undefined;
  return {
    node: { kind: 'aggregate', input, keys: [...separators, ...keys], items: [...items, ...carried] },
    subtables: {
      keys: references.slice(0, subtables.keys.length),
      shared,
      ...(alive ? { alive } : {}),
    },
  };
}

/**
 * Every table has a row for what lives, or one for what was dropped, or both. They become one; where nothing lived the
 * aggregations are those over no rows.
 */
function withEmptyTables(
  input: PlanNode,
  subtables: Subtables,
  items: readonly AggregateItem[],
  lowering: Lowering,
): GroupedRows {
  const own = items.map((item) => ({ ...item, id: lowering.newId() }));
  const rows = grouped(input, subtables, [], own, lowering);
  const { alive, ...tables } = rows.subtables;
  const yes = alive ?? TRUE;
  const mark = lowering.newId();
  const living = own.map(({ id, type }): ComputeItem => {
    const value = call(type, 'iff', yes, columnReference(id, type), nothing(type));
    return { id: lowering.newId(), expression: value };
  });
  const below: PlanNode = {
    kind: 'compute',
    input: rows.node,
    items: [
      ...living,
      { id: mark, expression: call('long', 'iff', yes, constant('long', '1'), constant('long', '0')) },
    ],
  };
  const merged = living.map(({ id, expression: { type } }): AggregateItem => {
    const fn = type === 'string' ? 'max' : 'same_value';
    return { id: lowering.newId(), type, fn, args: [columnReference(id, type)] };
  });
  const wasAlive = lowering.newId();
  const count = { id: wasAlive, type: 'long', fn: 'max', args: [columnReference(mark, 'long')] } as const;
  const one = grouped(below, tables, [], [...merged, count], lowering);
  const lived = call('bool', 'equal', columnReference(wasAlive, 'long'), constant('long', '1'));
  const results = items.map((item, index): ComputeItem => {
    const value = columnReference(merged[index]?.id ?? 0, item.type);
    return { id: item.id, expression: call(item.type, 'iff', lived, value, overNothing(item, lowering)) };
  });
  const still = lowering.newId();
  const node: PlanNode = {
    kind: 'compute',
    input: one.node,
    items: [...results, { id: still, expression: TRUE }],
  };
  return { node, subtables: { ...one.subtables, alive: columnReference(still, 'bool') } };
}

const nothing = (type: Scalar['type']) => constant(type, type === 'string' ? '' : null);

/** An aggregation over no rows. */
function overNothing(item: AggregateItem, lowering: Lowering): Scalar {
  const columns = new Map<ColumnId, NamedColumn>();
  const args = item.args.map((arg) =>
    rewriteScalar(arg, (part) => {
      if (part.kind !== 'column') return part;
      const known = columns.get(part.id) ?? { name: '', id: lowering.newId(), type: part.type };
      columns.set(part.id, known);
      return referenceTo(known);
    }),
  );
  const id = lowering.newId();
  const input: PlanNode = {
    kind: 'values',
    columns: [...columns.values()].map((column) => ({ id: column.id, type: column.type })),
    rows: [],
    ordinal: lowering.newId(),
  };
  const plan: PlanNode = { kind: 'aggregate', input, keys: [], items: [{ ...item, id, args }] };
  return { kind: 'subquery', type: item.type, plan, column: id };
}

/** The rows that live, as one table again. */
export function united(table: Table): PlanNode {
  const alive = table.subtables?.alive;
  return alive ? { kind: 'filter', input: table.node, predicate: alive } : table.node;
}
