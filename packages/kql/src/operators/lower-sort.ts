import type { SortKey } from '@tyrian/plan';
import type { Lowering, Names, Table } from '../lowering.ts';
import { child, children, isKind, optionalChild, optionalWordOf, type Syntax, wordOf } from '../syntax.ts';

/** One key: descending unless `asc` is said; nulls stand last when descending and first when ascending. */
export function lowerSortKey(node: Syntax, input: Table, names: Names, lowering: Lowering): SortKey {
  const ordered = isKind(node, 'OrderedExpression') ? node : null;
  const inner = ordered ? child(ordered, 'Expression') : node;
  const ordering = ordered ? child(ordered, 'Ordering') : null;
  const descending = (ordering ? optionalWordOf(ordering, 'AscOrDescKeyword') : '') !== 'asc';
  const nulls = ordering ? optionalChild(ordering, 'NullsClause') : null;
  const word = nulls ? wordOf(nulls, 'FirstOrLastKeyword') : '';
  return {
    expression: lowering.expression(inner, { names, columns: input.columns }),
    descending,
    nullsFirst: word === '' ? !descending : word === 'first',
  };
}

/** `sort` and `order`. */
export function lowerSort(
  node: Syntax<'SortOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const keys = children(node, 'Expressions').map((key) => lowerSortKey(key, input, names, lowering));
  return { ...input, node: { kind: 'sort', input: input.node, keys } };
}
