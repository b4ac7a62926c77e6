import { kusto } from '../kusto.ts';
import type { Lowering, Table } from '../lowering.ts';
import { child, children, type Syntax } from '../syntax.ts';
import { globalsOf, streamTables } from './table-symbols.ts';

// A view is lowered in place of its name, like a let without parameters, so that conditions, columns and the tenant
// reach the scan below it. Its text is bound against the bare streams, once.

const bare = new Map(streamTables().map((table) => [table.name, table]));
const bareGlobals = globalsOf(bare.values());
const bound = new Map<string, Syntax>();

function expressionOf(text: string): Syntax {
  const known = bound.get(text);
  if (known) return known;
  const code = kusto.KustoCode.ParseAndAnalyze(text, bareGlobals);
  const [statement] = children(code.Syntax, 'Statements');
  const expression = statement ? child(statement, 'Expression') : null;
  if (!expression) throw new Error(`A view cannot be read: ${text.slice(0, 60)}`);
  bound.set(text, expression);
  return expression;
}

/** The plan of a view, with columns of its own ids. */
export function lowerView(text: string, lowering: Lowering): Table {
  return lowering.over(bare, () => lowering.table(expressionOf(text), { names: new Map(), columns: [] }));
}
