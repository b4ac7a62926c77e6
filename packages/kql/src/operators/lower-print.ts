import type { ExpressionContext, Lowering, NamedColumn, Table } from '../lowering.ts';
import { boundColumns, type Syntax } from '../syntax.ts';
import { ColumnMaker, expressionsOf } from './compute-columns.ts';

/** `print`: one row of expressions. */
export function lowerPrint(
  node: Syntax<'PrintOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const ordinal = lowering.newId();
  const row: Table = { node: { kind: 'values', columns: [], rows: [[]], ordinal }, columns: [] };
  const maker = new ColumnMaker(row, context.names, lowering);
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
    const column = bound[columns.length];
    columns.push(maker.make(expression, column?.name ?? `print_${columns.length}`, column?.type ?? null));
  }
  return { node: maker.node(), columns };
}
