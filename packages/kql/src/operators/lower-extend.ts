import { tupleCall } from '../expressions/tuple-call.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, children, type Syntax } from '../syntax.ts';
import { ColumnMaker, isCompound, writtenName } from './compute-columns.ts';

/** `extend` and `serialize`: columns added, or replaced in their place. All see the columns as they were. */
export function lowerExtend(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const maker = new ColumnMaker(input, names, lowering);
  const bound = boundColumns(node);
  const expressions = children(node, 'Expressions').filter(
    (one) => tupleCall(one) !== null || !isCompound(one, lowering),
  );
  const written = expressions.map(writtenName);
  const several = expressions.flatMap((one) => tupleCall(one)?.columns.map((column) => column.name) ?? []);
  const known = new Set([...input.columns.map((column) => column.name), ...written, ...several]);
  const madeUp = bound.filter((column) => !known.has(column.name)).map((column) => column.name);
  const columns: NamedColumn[] = [...input.columns];
  const place = (column: NamedColumn): void => {
    const at = columns.findIndex((one) => one.name === column.name);
    if (at >= 0) columns[at] = column;
    else columns.push(column);
  };
  expressions.forEach((expression, index) => {
    const tuple = maker.makeSeveral(expression);
    if (tuple) {
      for (const column of tuple) place(column);
      return;
    }
    const name = written[index] ?? madeUp.shift() ?? `Column${index + 1}`;
    const type = bound.find((column) => column.name === name)?.type ?? null;
    place(maker.make(expression, name, type));
  });
  return { node: maker.node(), columns };
}
