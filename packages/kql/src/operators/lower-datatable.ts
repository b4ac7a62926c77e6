import type { ConstantValue, KqlType, PlanColumn } from '@tyrian/plan';
import { foldScalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundColumns, children, type Syntax, spanOf } from '../syntax.ts';

/** `datatable (a:long) [1, 2]`: rows written in the query. */
export function lowerDatatable(node: Syntax<'DataTableExpression'>, lowering: Lowering): Table {
  const columns: NamedColumn[] = boundColumns(node).map((column) => ({
    name: column.name,
    id: lowering.newId(),
    type: column.type ?? 'dynamic',
  }));
  const cells = children(node, 'Values').map((value, index) =>
    cell(value, columns[index % Math.max(1, columns.length)]?.type ?? 'dynamic', lowering),
  );
  const rows: ConstantValue[][] = [];
  if (columns.length > 0)
    for (let at = 0; at + columns.length <= cells.length; at += columns.length)
      rows.push(cells.slice(at, at + columns.length));
  const planned: PlanColumn[] = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'values', columns: planned, rows, ordinal: lowering.newId() }, columns };
}

function cell(node: Syntax, type: KqlType, lowering: Lowering): ConstantValue {
  const lowered = lowering.expression(node, { names: new Map(), columns: [] });
  const value = foldScalar(convertCell(lowered, type));
  if (value.kind === 'constant') return value.value;
  lowering.refuse(messages.badLiteral(spanOf(node), type));
  return null;
}

function convertCell(value: ReturnType<typeof foldScalar>, type: KqlType): ReturnType<typeof foldScalar> {
  if (value.kind !== 'constant' || value.value === null) return convertTo(value, type);
  if (type === 'dynamic' && value.type !== 'dynamic')
    return { kind: 'constant', type, value: jsonCell(value.type, value.value) };
  return convertTo(value, type);
}

const jsonCell = (type: KqlType, value: ConstantValue): string =>
  type === 'string' || type === 'guid' ? JSON.stringify(value) : String(value);
