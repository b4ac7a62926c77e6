import type { KqlSchema } from '../event-schema.ts';
import { type KustoCode, kusto, symbolsInScope } from '../kusto.ts';
import { isSupportedFunction } from '../supported-names.ts';

// What a place of a text could name, asked of the language service, which knows what each step leaves in scope.

export interface NamesAt {
  readonly columns: readonly string[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

const TABLES = new Set(['TableSymbol', 'MaterializedViewSymbol', 'ExternalTableSymbol']);
const VALUES = new Set(['ColumnSymbol', 'VariableSymbol', 'ParameterSymbol']);

/** Names in scope at a place of the bound text. Completion would tell as much, at ten times the cost. */
export function namesAt(code: KustoCode, position: number): NamesAt {
  const symbols = symbolsInScope(code, position);
  const namesOf = (fits: (kind: string) => boolean) => [
    ...new Set(symbols.filter(({ kind }) => fits(kind)).map(({ name }) => name)),
  ];
  const functions = namesOf((kind) => kind === 'FunctionSymbol');
  // Where there are columns an expression stands, and no table.
  const isExpression = symbols.some(({ kind }) => kind === 'ColumnSymbol');
  return {
    columns: namesOf((kind) => VALUES.has(kind)),
    tables: isExpression ? [] : namesOf((kind) => TABLES.has(kind)),
    functions: functions.filter((name) => isSupportedFunction(name) || !isBuiltIn(name)),
  };
}

const isBuiltIn = (name: string): boolean => {
  const { Default } = kusto.GlobalState;
  return (Default.GetFunction(name) ?? Default.GetAggregate(name)) !== null;
};

/** Whether some table of the schema has a column of this name. */
export function isKnownColumn(name: string, schema: KqlSchema): boolean {
  // What a tenant added to one stream is a field of the source in any other.
  for (const { columns, fields, upload } of schema.tables.values())
    if (
      !upload &&
      columns.some((column) => column.name === name) &&
      !fields?.some((one) => one.name === name)
    )
      return true;
  return false;
}
