import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, children, type Syntax } from '../syntax.ts';
import { ColumnMaker, isCompound, writtenName } from './compute-columns.ts';

/** `extend` and `serialize`: columns added, or replaced in their place. All see the columns as they were. */
export function lowerExtend(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const maker = new ColumnMaker(input, names, lowering);
  const bound = boundColumns(node);
  const expressions = children(node, 'Expressions').filter((one) => !isCompound(one, lowering));
  const written = expressions.map(writtenName);
  const known = new Set([...input.columns.map((column) => column.name), ...written]);
  const madeUp = bound.filter((column) => !known.has(column.name)).map((column) => column.name);
  const columns: NamedColumn[] = [...input.columns];
  expressions.forEach((expression, index) => {
    const name = written[index] ?? madeUp.shift() ?? `Column${index + 1}`;
    const type = bound.find((column) => column.name === name)?.type ?? null;
    const column = maker.make(expression, name, type);
    const at = columns.findIndex((one) => one.name === name);
    if (at >= 0) columns[at] = column;
    else columns.push(column);
  });
  return { node: maker.node(), columns };
}
