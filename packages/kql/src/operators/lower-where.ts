import { convertTo } from '../expressions/convert.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { child, type Syntax } from '../syntax.ts';
import { keepRows } from './subtables.ts';

/** `where`: rows for which the condition is true; null is not true. */
export function lowerWhere(
  node: Syntax<'FilterOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const condition = lowering.expression(child(node, 'Condition'), { names, columns: input.columns });
  const predicate = convertTo(condition, 'bool');
  return keepRows(input, predicate, lowering);
}
