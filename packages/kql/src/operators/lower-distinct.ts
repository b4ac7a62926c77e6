import type { ComputeItem } from '@tyrian/plan';
import { columnReference } from '@tyrian/plan';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, children, kindOf, type Syntax } from '../syntax.ts';
import { groupRows } from './subtables.ts';

/** `distinct`: every combination once. */
export function lowerDistinct(
  node: Syntax<'DistinctOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const bound = boundColumns(node);
  const scalars = children(node, 'Expressions').flatMap((expression) =>
    kindOf(expression) === 'StarExpression'
      ? input.columns.map((column) => columnReference(column.id, column.type))
      : [lowering.expression(expression, { names, columns: input.columns })],
  );
  const keys: ComputeItem[] = [];
  const columns: NamedColumn[] = scalars.map((expression, index) => {
    const id = lowering.newId();
    keys.push({ id, expression });
    return { name: bound[index]?.name ?? `Column${index + 1}`, id, type: expression.type };
  });
  return { ...groupRows(input, keys, [], lowering), columns };
}
