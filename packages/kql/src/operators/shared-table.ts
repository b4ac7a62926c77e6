import { type ColumnId, isReduced, type OnceColumn } from '@tyrian/plan';
import type { Binding, Lowering, Table } from '../lowering.ts';
import { child, isKind, type Syntax } from '../syntax.ts';

/**
 * A use of a named table that is computed once however often it is named: what `materialize` says, and what groups or
 * cuts stored events. Anything else is lowered in place, so that the conditions of each use reach the scan.
 */
export function sharedTable(binding: Binding, table: Table, lowering: Lowering): Table {
  if (binding.kind !== 'table' || table.subtables) return table;
  if (!isMaterialized(binding.expression) && !isReduced(table.node)) return table;
  const ids = new Map<ColumnId, ColumnId>();
  const columns: OnceColumn[] = [];
  for (const { id, type } of table.columns) {
    if (ids.has(id)) continue;
    const own = lowering.newId();
    ids.set(id, own);
    columns.push({ id: own, type, source: id });
  }
  return {
    node: { kind: 'once', key: lowering.keyOf(binding), input: table.node, columns },
    columns: table.columns.map((column) => ({ ...column, id: ids.get(column.id) ?? column.id })),
  };
}

function isMaterialized(expression: Syntax): boolean {
  if (isKind(expression, 'MaterializeExpression')) return true;
  return isKind(expression, 'ParenthesizedExpression') && isMaterialized(child(expression, 'Expression'));
}
