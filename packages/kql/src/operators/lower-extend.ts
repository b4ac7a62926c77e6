import { tupleCall } from '../expressions/tuple-call.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, columnMadeOf, type Syntax } from '../syntax.ts';
import { ColumnMaker, expressionsOf, isCompound, writtenName } from './compute-columns.ts';

/** `extend` and `serialize`: columns added, or replaced in their place. All see the columns as they were. */
export function lowerExtend(
  node: Syntax<'ExtendOperator' | 'SerializeOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const maker = new ColumnMaker(input, names, lowering);
  const expressions = expressionsOf(node).filter(
    (one) => tupleCall(one) !== null || !isCompound(one, lowering),
  );
  const bound = boundColumns(node);
  const columns: NamedColumn[] = [...input.columns];
  const place = (column: NamedColumn): void => {
    const at = columns.findIndex((one) => one.name === column.name);
    if (at >= 0) columns[at] = column;
    else columns.push(column);
  };
  for (const expression of expressions) {
    const tuple = maker.makeSeveral(expression);
    if (tuple) {
      for (const column of tuple) place(column);
      continue;
    }
    const name = writtenName(expression);
    const made =
      name === null ? columnMadeOf(node, expression) : bound.find((column) => column.name === name);
    // The binder makes no column of `extend tolong(a)` where `a` is a long, and none of what a later one replaces.
    if (name === null && !made) continue;
    place(maker.make(expression, name ?? made?.name ?? '', made?.type ?? null));
  }
  return { node: maker.node(), columns };
}
