import { call, columnReference, constant } from '@tyrian/plan';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, type Syntax } from '../syntax.ts';
import { expandArrays } from './expand-arrays.ts';
import { keepRows } from './subtables.ts';

/** `mv-expand`: a row for each element, or for each property of a bag. */
export function lowerMvExpand(
  node: Syntax<'MvExpandOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const keepEmpty = input.subtables?.alive !== undefined;
  const expanded = expandArrays(node, input, names, lowering, keepEmpty);
  const table = { ...input, ...expanded, columns: inBoundOrder(expanded.columns, boundColumns(node)) };
  if (!keepEmpty) return table;
  const index = columnReference(expanded.index.id, 'long');
  return keepRows(table, call('bool', 'greater_or_equal', index, constant('long', '0')), lowering);
}

function inBoundOrder(
  columns: readonly NamedColumn[],
  bound: readonly { name: string }[],
): readonly NamedColumn[] {
  const ordered = bound.flatMap((one) => columns.find((column) => column.name === one.name) ?? []);
  return ordered.length === columns.length ? ordered : columns;
}
