import { say } from '@tyrian/diagnostics';
import type { PlanNode } from '@tyrian/plan';
import type { Lowering, Names, Subtables, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, kindOf, optionalChild, type Syntax, spanOf } from '../syntax.ts';
import { separating } from './subtables.ts';

// The subquery of mv-apply and partition: a pipe without a source, whose operators work on many tables at once.

/** Operators that give rows for rows; what they make of one table does not depend on the others. */
const ROW_BY_ROW = new Set([
  'AssertSchemaOperator',
  'ExtendOperator',
  'FilterOperator',
  'MvApplyOperator',
  'MvExpandOperator',
  'ParseKvOperator',
  'ParseOperator',
  'ParseWhereOperator',
  'ProjectAwayOperator',
  'ProjectKeepOperator',
  'ProjectOperator',
  'ProjectRenameOperator',
  'ProjectReorderOperator',
  'SearchOperator',
  'SerializeOperator',
  'SortOperator',
]);

/** Operators that see whole tables and know that there are many. */
const TABLE_BY_TABLE = new Set([
  'CountOperator',
  'DistinctOperator',
  'MakeSeriesOperator',
  'SampleDistinctOperator',
  'SampleOperator',
  'ScanOperator',
  'SummarizeOperator',
  'TakeOperator',
  'TopHittersOperator',
  'TopOperator',
]);

const MAY_EMPTY = new Set(['FilterOperator', 'MvExpandOperator', 'ParseWhereOperator', 'SearchOperator']);

/** The operators of a subquery in order. */
export function operatorsOf(subquery: Syntax): Syntax[] {
  const found: Syntax[] = [];
  let node: Syntax = subquery;
  while (isKind(node, 'ParenthesizedExpression', 'PipeExpression')) {
    if (isKind(node, 'PipeExpression')) found.push(child(node, 'Operator'));
    node = child(node, 'Expression');
  }
  found.push(node);
  return found.reverse();
}

/** Whether the subquery gives a row even for a table that it has emptied: `where ... | summarize count()`. */
export function countsEmptyTables(operators: readonly Syntax[]): boolean {
  const emptied = operators.findIndex((one) => MAY_EMPTY.has(kindOf(one)));
  return emptied >= 0 && operators.slice(emptied + 1).some(givesOneRow);
}

const givesOneRow = (operator: Syntax): boolean =>
  kindOf(operator) === 'CountOperator' ||
  (isKind(operator, 'SummarizeOperator') && optionalChild(operator, 'ByClause') === null);

/** Whether the operator may work on many tables at once. */
export function worksInSubquery(operator: Syntax, input: Table, lowering: Lowering): boolean {
  const kind = kindOf(operator);
  const nested = kind === 'MvApplyOperator' && input.subtables?.alive !== undefined;
  if ((ROW_BY_ROW.has(kind) && !nested) || TABLE_BY_TABLE.has(kind)) return true;
  const word = kind.replace(/Operator$/, '').toLowerCase();
  lowering.refuse(messages.operator(spanOf(operator), say('insideSubquery', { name: word })));
  return false;
}

/** The tables after an operator: its own, or as they were; its window functions work within each. */
export function withinSubtables(result: Table, input: Table, operator: Syntax): Table {
  const { subtables } = input;
  if (!subtables) return result;
  const kept = ROW_BY_ROW.has(kindOf(operator)) ? (result.subtables ?? subtables) : result.subtables;
  const node = separateWindows(result.node, input.node, subtables);
  return kept ? { ...result, node, subtables: kept } : { ...result, node };
}

function separateWindows(node: PlanNode, until: PlanNode, subtables: Subtables): PlanNode {
  if (node === until || !('input' in node)) return node;
  const input = separateWindows(node.input, until, subtables);
  if (node.kind !== 'window' || node.partition) return { ...node, input };
  return { ...node, input, partition: separating(subtables) };
}

/** Lowers the operators of a subquery one after the other. */
export function lowerSubquery(
  operators: readonly Syntax[],
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  return operators.reduce((table, operator) => lowering.operator(operator, table, names), input);
}
