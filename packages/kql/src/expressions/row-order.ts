import { child, isKind, kindOf, nameOf, type Syntax } from '../syntax.ts';

// Functions over neighbouring rows need rows that have an order, as Kusto has it: `sort`, `top`, `serialize`, `range` give
// one, most operators keep it, and what groups or gathers rows loses it.

const LOSES_ORDER = [
  'SummarizeOperator',
  'DistinctOperator',
  'JoinOperator',
  'UnionOperator',
  'LookupOperator',
];

const KEEPS_ORDER = [
  'ExtendOperator',
  'FilterOperator',
  'ProjectOperator',
  'ProjectAwayOperator',
  'ProjectKeepOperator',
  'ProjectRenameOperator',
  'ProjectReorderOperator',
  'MvExpandOperator',
  'ParseOperator',
  'TakeOperator',
];

/** Whether the rows that an operator around a call reads are known to have no order. */
export function readsUnordered(call: Syntax, isStored: (name: string) => boolean): boolean {
  let node: Syntax = call;
  for (let parent = call.Parent; parent; node = parent, parent = parent.Parent) {
    if (!isKind(parent, 'PipeExpression')) continue;
    if (child(parent, 'Operator') !== node || isKind(node, 'SerializeOperator')) return false;
    return isUnordered(child(parent, 'Expression'), isStored);
  }
  return false;
}

function isUnordered(table: Syntax, isStored: (name: string) => boolean): boolean {
  if (isKind(table, 'DataTableExpression')) return true;
  if (isKind(table, 'NameReference')) return isStored(nameOf(table));
  if (isKind(table, 'ParenthesizedExpression')) return isUnordered(child(table, 'Expression'), isStored);
  if (!isKind(table, 'PipeExpression')) return false;
  const operator = kindOf(child(table, 'Operator'));
  if (LOSES_ORDER.includes(operator)) return true;
  return KEEPS_ORDER.includes(operator) && isUnordered(child(table, 'Expression'), isStored);
}
