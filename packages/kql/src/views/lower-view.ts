import { type ColumnId, type PlanNode, rewritePlan } from '@tyrian/plan';
import { kusto } from '../kusto.ts';
import type { Lowering, NamedColumn, Table } from '../lowering.ts';
import { asKind, child, children, isKind, type Syntax } from '../syntax.ts';
import { globalsOf, streamTables } from './table-symbols.ts';

// A view is lowered in place of its name, like a let without parameters, so that conditions, columns and the tenant
// reach the scan below it. Its text is bound against the bare streams, once.

const bare = new Map(streamTables().map((table) => [table.name, table]));
const bareGlobals = globalsOf(bare.values());
const bound = new Map<string, Syntax>();
/** Views of custom logs differ with the query; past this many the texts are bound anew. */
const MAX_KEPT = 200;

function expressionOf(text: string): Syntax {
  const known = bound.get(text);
  if (known) return known;
  const code = kusto.KustoCode.ParseAndAnalyze(text, bareGlobals);
  const [statement] = children(asKind(code.Syntax, 'QueryBlock'), 'Statements');
  if (!isKind(statement, 'ExpressionStatement'))
    throw new Error(`A view cannot be read: ${text.slice(0, 60)}`);
  const expression = child(statement, 'Expression');
  if (bound.size >= MAX_KEPT) bound.clear();
  bound.set(text, expression);
  return expression;
}

/** The plan of a view, with columns of its own ids. */
export function lowerView(text: string, lowering: Lowering): Table {
  const context = { names: new Map(), columns: [] };
  const table = lowering.over(bare, () => lowering.table(expressionOf(text), context));
  return withOwnIds(table, lowering);
}

/** Two names for one stored column, such as TimeGenerated and Timestamp, become two columns of the scan. */
function withOwnIds(table: Table, lowering: Lowering): Table {
  const twins = new Map<ColumnId, ColumnId[]>();
  const seen = new Set<ColumnId>();
  const columns = table.columns.map((column): NamedColumn => {
    if (!seen.has(column.id)) {
      seen.add(column.id);
      return column;
    }
    const id = lowering.newId();
    twins.set(column.id, [...(twins.get(column.id) ?? []), id]);
    return { ...column, id };
  });
  if (twins.size === 0) return table;
  const node = rewritePlan(table.node, (one): PlanNode => {
    if (one.kind !== 'scan') return one;
    const added = one.columns.flatMap((column) =>
      (twins.get(column.id) ?? []).map((id) => ({ ...column, id })),
    );
    return { ...one, columns: [...one.columns, ...added] };
  });
  return { node, columns };
}
