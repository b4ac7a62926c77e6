import type { KqlSchema } from '../event-schema.ts';
import { type KustoCode, kusto, kustoEnumName, kustoItems } from '../kusto.ts';
import { isSupportedFunction } from '../supported-names.ts';

// What a place of a text could name, asked of the language service, which knows what each step leaves in scope.

export interface NamesAt {
  readonly columns: readonly string[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

const TABLES = new Set(['Table', 'MaterializedView', 'ExternalTable']);
const FUNCTIONS = new Set(['BuiltInFunction', 'LocalFunction', 'DatabaseFunction', 'AggregateFunction']);
const COLUMNS = new Set(['Column', 'Variable', 'Parameter']);

/** Names in scope at a place of the bound text. */
export function namesAt(code: KustoCode, position: number): NamesAt {
  const service = new kusto.Editor.KustoCodeService.ctor(code);
  const columns: string[] = [];
  const tables: string[] = [];
  const functions: string[] = [];
  for (const item of kustoItems(service.GetCompletionItems(position).Items)) {
    const kind = kustoEnumName(kusto.Editor.CompletionKind, item.Kind);
    const name = item.DisplayText.replace(/\(.*$/, '').trim();
    if (COLUMNS.has(kind)) columns.push(name);
    else if (TABLES.has(kind)) tables.push(name);
    else if (FUNCTIONS.has(kind)) functions.push(name);
  }
  const usable = functions.filter((name) => isSupportedFunction(name) || !isBuiltIn(name));
  return { columns, tables, functions: usable };
}

const isBuiltIn = (name: string): boolean => {
  const { Default } = kusto.GlobalState;
  return (Default.GetFunction(name) ?? Default.GetAggregate(name)) !== null;
};

/** Whether some table of the schema has a column of this name. */
export function isKnownColumn(name: string, schema: KqlSchema): boolean {
  for (const table of schema.tables.values())
    if (table.columns.some((column) => column.name === name)) return true;
  return false;
}
