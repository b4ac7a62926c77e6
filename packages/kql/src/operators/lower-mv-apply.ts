import { columnReference, constant, type PlanNode } from '@tyrian/plan';
import { isWindowFunction } from '../expressions/window-call.ts';
import type { Lowering, NamedColumn, Names, Subtables, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundColumns, child, isKind, nameOf, type Syntax, spanOf, within } from '../syntax.ts';
import { expandArrays } from './expand-arrays.ts';
import { countsEmptyTables, lowerSubquery, operatorsOf } from './lower-subquery.ts';
import { united } from './subtables.ts';

// `mv-apply`: the elements of each row are a table of their own, and the subquery is run on each. All of them are worked
// out at once: each row gets a number, and what the subquery groups, counts or sorts it does within that number. The
// number and the columns of the row are read only where a step needs them, so `where` and `extend` cost what they do
// after mv-expand.

/** `mv-apply a on (subquery)`. A row whose array is empty, and only that, gives nothing. */
export function lowerMvApply(
  node: Syntax<'MvApplyOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const operators = operatorsOf(child(child(node, 'Subquery'), 'Expression'));
  const rowId = lowering.newId();
  const key = columnReference(rowId, 'long');
  const numbered = { ...input, node: numberRows(input.node, rowId) };
  const expanded = expandArrays(node, numbered, names, lowering);
  const index = columnReference(expanded.index.id, 'long');
  const own = new Set(input.columns.map((column) => column.id));
  const visible = expanded.columns.filter((column) => own.has(column.id));
  const outer = hiddenColumns(input.subtables);
  const sorted: PlanNode = {
    kind: 'sort',
    input: expanded.node,
    keys: [key, index].map((expression) => ({ expression, descending: false, nullsFirst: true })),
  };
  const tables: Table = {
    node: operators.some(seesOrder) ? sorted : expanded.node,
    columns: expanded.columns,
    subtables: { keys: [key], shared: [...visible, ...outer] },
  };
  const start = countsEmptyTables(operators) ? alive(tables, lowering) : tables;
  const result = lowerSubquery(operators, start, names, lowering);
  const shared = result.subtables?.shared ?? [];
  const beside = shared.slice(0, visible.length);
  const columns = boundColumns(node).flatMap(({ name }): NamedColumn[] => {
    const found =
      result.columns.find((column) => column.name === name) ?? beside.find((column) => column.name === name);
    return found ? [found] : [];
  });
  if (columns.length !== boundColumns(node).length)
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'mv-apply'));
  const restored = restoredTables(input.subtables, shared.slice(visible.length));
  return { node: united(result), columns, ...(restored ? { subtables: restored } : {}) };
}

/** Row by row nothing depends on the order of the elements, unless a function looks at the rows around. */
const seesOrder = (operator: Syntax): boolean =>
  !isKind(
    operator,
    'FilterOperator',
    'ExtendOperator',
    'ProjectOperator',
    'ProjectAwayOperator',
    'ProjectKeepOperator',
    'ProjectRenameOperator',
    'ProjectReorderOperator',
  ) ||
  [...within(operator)].some(
    (one) => isKind(one, 'FunctionCallExpression') && isWindowFunction(nameOf(child(one, 'Name'))),
  );

/** Numbers the rows; in their order when they have one. */
function numberRows(input: PlanNode, id: number): PlanNode {
  if (isSorted(input)) {
    const item = { id, type: 'long', fn: 'row_number', args: [constant('long', '1')] } as const;
    return { kind: 'window', input, partition: [], items: [item] };
  }
  const expression = { kind: 'call', type: 'long', fn: 'row_id', args: [] } as const;
  return { kind: 'compute', input, items: [{ id, expression }] };
}

function isSorted(node: PlanNode): boolean {
  switch (node.kind) {
    case 'sort':
      return true;
    case 'filter':
    case 'compute':
    case 'limit':
    case 'window':
    case 'expand':
      return isSorted(node.input);
    default:
      return false;
  }
}

function alive(table: Table, lowering: Lowering): Table {
  const id = lowering.newId();
  const node: PlanNode = {
    kind: 'compute',
    input: table.node,
    items: [{ id, expression: constant('bool', true) }],
  };
  const subtables = table.subtables ?? { keys: [], shared: [] };
  return { ...table, node, subtables: { ...subtables, alive: columnReference(id, 'bool') } };
}

/** What the tables around this mv-apply need is carried through it like the columns of its rows. */
function hiddenColumns(outer: Subtables | undefined): NamedColumn[] {
  if (!outer) return [];
  return [...outer.keys.map(({ id, type }) => ({ name: '', id, type })), ...outer.shared];
}

function restoredTables(
  outer: Subtables | undefined,
  carried: readonly NamedColumn[],
): Subtables | undefined {
  if (!outer) return undefined;
  const keys = carried.slice(0, outer.keys.length).map(({ id, type }) => columnReference(id, type));
  return { keys, shared: carried.slice(outer.keys.length) };
}
