import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, children, type Syntax } from '../syntax.ts';
import { ColumnMaker, isCompound, writtenName } from './compute-columns.ts';

/** `project`: these columns and no others, named as the binder says. */
export function lowerProject(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const maker = new ColumnMaker(input, names, lowering);
  const bound = boundColumns(node);
  const columns: NamedColumn[] = [];
  children(node, 'Expressions').forEach((expression, index) => {
    if (isCompound(expression, lowering)) return;
    const column = bound[index];
    const name = column?.name ?? writtenName(expression) ?? `Column${index + 1}`;
    columns.push(maker.make(expression, name, column?.type ?? null));
  });
  return { node: maker.node(), columns };
}
