import { rewritePlan, type ScanColumn } from '@tyrian/plan';
import type { Lowering, NamedColumn, Place, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, isKind, type Syntax, spanOf } from '../syntax.ts';
import { lowerView } from '../views/lower-view.ts';
import { emptyTable } from './empty-table.ts';

/** A stored table by its name. */
export function lowerScan(name: string, node: Syntax, lowering: Lowering): Table {
  const source = lowering.tables.get(name);
  if (!source) {
    lowering.refuse(messages.unknownName(spanOf(node), name));
    return emptyTable(lowering);
  }
  const { place } = source;
  if (source.view) return inPlace(lowerView(source.view, lowering), place);
  lowering.sources += 1;
  const columns: NamedColumn[] = source.columns.map(({ name: own, type }) => ({
    name: own,
    type,
    id: lowering.newId(),
  }));
  const scanned = columns.map(
    ({ id, type, name: own }): ScanColumn => ({ id, type, source: { kind: 'column', name: own } }),
  );
  return inPlace({ node: { kind: 'scan', stream: source.stream, columns: scanned }, columns }, place);
}

/** Every scan of a table that the query reads in a place of its own names that place. */
function inPlace(table: Table, place: string | undefined): Table {
  if (place === undefined) return table;
  const node = rewritePlan(table.node, (one) => (one.kind === 'scan' ? { ...one, scope: place } : one));
  return { ...table, node };
}

/** `table("Dns")`; every other function of the language that gives a table is refused by name. */
export function lowerTableCall(name: string, node: Syntax, place: Place, lowering: Lowering): Table {
  const [first] = isKind(node, 'FunctionCallExpression') ? argumentsOf(node) : [];
  if (name === 'table' && first) {
    const value = lowering.expression(first, { names: place.names, columns: [] });
    if (value.kind === 'constant') return lowerScan(String(value.value), node, lowering);
  }
  lowering.refuse(messages.scalarFunction(spanOf(node), name));
  return emptyTable(lowering);
}
