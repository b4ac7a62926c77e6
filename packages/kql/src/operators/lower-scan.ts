import { rewritePlan, type ScanColumn } from '@tyrian/plan';
import type { ExpressionContext, Lowering, NamedColumn, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, isKind, type Syntax, spanOf } from '../syntax.ts';
import { lowerView } from '../views/lower-view.ts';
import { withAddedColumns } from './added-columns.ts';
import { emptyTable } from './empty-table.ts';
import { lowerUpload } from './lower-upload.ts';

/** A stored table by its name. */
export function lowerScan(name: string, node: Syntax, lowering: Lowering): Table {
  const source = lowering.tables.get(name);
  if (!source) {
    lowering.refuse(messages.unknownName(spanOf(node), name));
    return emptyTable(lowering);
  }
  const { scope, fields, upload } = source;
  if (upload) return lowerUpload(upload, lowering);
  if (source.view)
    return inScope(withAddedColumns(lowerView(source.view, lowering), fields, lowering), scope);
  lowering.sources += 1;
  const added = new Set(fields?.map((field) => field.name));
  const stored = source.columns.filter((column) => !added.has(column.name));
  const columns: NamedColumn[] = stored.map(({ name: own, type }) => ({
    name: own,
    type,
    id: lowering.newId(),
  }));
  const scanned = columns.map(
    ({ id, type, name: own }): ScanColumn => ({ id, type, source: { kind: 'column', name: own } }),
  );
  const table: Table = { node: { kind: 'scan', stream: source.stream, columns: scanned }, columns };
  return inScope(withAddedColumns(table, fields, lowering), scope);
}

/** Every scan of a table that the query reads in another scope names that scope. */
function inScope(table: Table, scope: string | undefined): Table {
  if (scope === undefined) return table;
  const node = rewritePlan(table.node, (one) => (one.kind === 'scan' ? { ...one, scope } : one));
  return { ...table, node };
}

/** `table("Dns")`; every other function of the language that gives a table is refused by name. */
export function lowerTableCall(
  name: string,
  node: Syntax,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const [first] = isKind(node, 'FunctionCallExpression') ? argumentsOf(node) : [];
  if (name === 'table' && first) {
    const value = lowering.expression(first, { names: context.names, columns: [] });
    if (value.kind === 'constant') return lowerScan(String(value.value), node, lowering);
  }
  lowering.refuse(messages.scalarFunction(spanOf(node), name));
  return emptyTable(lowering);
}
