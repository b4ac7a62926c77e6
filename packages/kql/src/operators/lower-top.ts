import type { Lowering, Names, Table } from '../lowering.ts';
import { child, type Syntax } from '../syntax.ts';
import { lowerSortKey } from './lower-sort.ts';
import { rowCount } from './lower-take.ts';
import { firstRows } from './subtables.ts';

/** `top n by x`: sorted and cut. */
export function lowerTop(node: Syntax<'TopOperator'>, input: Table, names: Names, lowering: Lowering): Table {
  const rows = rowCount(child(node, 'Expression'), 'top', names, lowering);
  if (rows === null) return input;
  const keys = [lowerSortKey(child(node, 'ByExpression'), input, names, lowering)];
  return firstRows({ ...input, node: { kind: 'sort', input: input.node, keys } }, rows, lowering);
}
