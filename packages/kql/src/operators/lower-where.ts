import { convertTo } from '../expressions/convert.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { child, type Syntax } from '../syntax.ts';
import { keepRows } from './subtables.ts';

/** `where`: rows for which the condition is true; null is not true. */
export function lowerWhere(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const condition = child(node, 'Condition');
  if (!condition) return input;
  const predicate = convertTo(lowering.expression(condition, { names, columns: input.columns }), 'bool');
  return keepRows(input, predicate, lowering);
}
