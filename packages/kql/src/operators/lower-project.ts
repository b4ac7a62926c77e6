import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, type Syntax } from '../syntax.ts';
import { ColumnMaker, expressionsOf, isCompound, writtenName } from './compute-columns.ts';

/** `project`: these columns and no others, named as the binder says. */
export function lowerProject(
  node: Syntax<'ProjectOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const maker = new ColumnMaker(input, names, lowering);
  const expressions = expressionsOf(node);
  const bound = boundColumns(node);
  const columns: NamedColumn[] = [];
  for (const expression of expressions) {
    const several = maker.makeSeveral(expression);
    if (several) {
      columns.push(
        ...several.map((one, index) => ({ ...one, name: bound[columns.length + index]?.name ?? one.name })),
      );
      continue;
    }
    if (isCompound(expression, lowering)) continue;
    const column = bound[columns.length];
    const name = column?.name ?? writtenName(expression) ?? `Column${columns.length + 1}`;
    columns.push(maker.make(expression, name, column?.type ?? null));
  }
  return { node: maker.node(), columns };
}
