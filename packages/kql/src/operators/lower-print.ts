import type { Lowering, NamedColumn, Place, Table } from '../lowering.ts';
import { boundColumns, children, type Syntax } from '../syntax.ts';
import { ColumnMaker } from './compute-columns.ts';

/** `print`: one row of expressions. */
export function lowerPrint(node: Syntax, place: Place, lowering: Lowering): Table {
  const ordinal = lowering.newId();
  const row: Table = { node: { kind: 'values', columns: [], rows: [[]], ordinal }, columns: [] };
  const maker = new ColumnMaker(row, place.names, lowering);
  const bound = boundColumns(node);
  const columns: NamedColumn[] = children(node, 'Expressions').map((expression, index) => {
    const column = bound[index];
    return maker.make(expression, column?.name ?? `print_${index}`, column?.type ?? null);
  });
  return { node: maker.node(), columns };
}
