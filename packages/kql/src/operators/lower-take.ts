import { foldScalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, type Syntax, spanOf } from '../syntax.ts';
import { firstRows } from './subtables.ts';

/** A count of rows that must be known before the query runs; null when it is not. */
export function rowCount(node: Syntax, owner: string, names: Names, lowering: Lowering): number | null {
  const count = foldScalar(convertTo(lowering.expression(node, { names, columns: [] }), 'long'));
  if (count.kind === 'constant' && count.value !== null) {
    const rows = Number(count.value);
    if (Number.isSafeInteger(rows)) return Math.max(0, rows);
  }
  lowering.refuse(messages.mustBeConstant(spanOf(node), owner, 1));
  return null;
}

/** `take` and `limit`. */
export function lowerTake(
  node: Syntax<'TakeOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const count = rowCount(child(node, 'Expression'), 'take', names, lowering);
  return count === null ? input : firstRows(input, count, lowering);
}
