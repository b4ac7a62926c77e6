import type { Lowering, Names, Table } from '../lowering.ts';
import { child, type Syntax } from '../syntax.ts';
import { lowerSortKey } from './lower-sort.ts';
import { rowCount } from './lower-take.ts';
import { firstRows } from './subtables.ts';

/** `top n by x`: sorted and cut. */
export function lowerTop(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const count = child(node, 'Expression');
  const by = child(node, 'ByExpression');
  const rows = count ? rowCount(count, 'top', names, lowering) : null;
  if (!by || rows === null) return input;
  const keys = [lowerSortKey(by, input, names, lowering)];
  return firstRows({ ...input, node: { kind: 'sort', input: input.node, keys } }, rows, lowering);
}
