import type { KqlSchema } from '../event-schema.ts';
import { kusto, kustoItems } from '../kusto.ts';
import { child, children, isTabular, kindOf, nameOf, type Syntax, textOf } from '../syntax.ts';
import type { SavedFunction } from './saved-function.ts';

// A function is checked by calling it once. The call is written from its parameters: those without a default get a
// value of their type, or an empty table.

export interface FunctionProbe {
  /** A query that calls the function once. */
  readonly text: string;
  readonly kind: 'scalar' | 'table';
}

const SAMPLES: Readonly<Record<string, string>> = {
  bool: 'true',
  boolean: 'true',
  int: 'int(1)',
  long: '1',
  real: '1.0',
  double: '1.0',
  decimal: 'decimal(1)',
  string: '"x"',
  datetime: 'datetime(2026-01-01)',
  date: 'datetime(2026-01-01)',
  timespan: '1h',
  time: '1h',
  guid: 'guid(00000000-0000-0000-0000-000000000000)',
  dynamic: 'dynamic([])',
};

/** The query that calls a function once; null when the text is not one function and nothing else. */
export function functionProbe(wanted: SavedFunction, schema: KqlSchema): FunctionProbe | null {
  const { name, parameters, body } = wanted;
  const text = `let ${name} = (${parameters}) {${body}\n};`;
  const code = kusto.KustoCode.ParseAndAnalyze(`${text}\nprint 1`, schema.globals);
  const statements = children(code.Syntax, 'Statements');
  const declaration = statements[0] ? child(statements[0], 'Expression') : null;
  if (statements.length !== 2 || !declaration || kindOf(declaration) !== 'FunctionDeclaration') return null;
  if (statements[0] && statements[0].End < text.length - 1) return null;
  const result = child(declaration, 'Body');
  const expression = result ? child(result, 'Expression') : null;
  if (!expression) return null;
  const list = child(declaration, 'Parameters');
  const given = (list ? children(list, 'Parameters') : []).flatMap(sampleOf);
  const call = `${name}(${given.join(', ')})`;
  return isTabular(expression)
    ? { text: call, kind: 'table' }
    : { text: `print result = ${call}`, kind: 'scalar' };
}

/** An argument for a parameter that must be given. */
function sampleOf(parameter: Syntax): string[] {
  if (child(parameter, 'DefaultValue')) return [];
  const declared = child(parameter, 'NameAndType');
  const type = declared ? child(declared, 'Type') : null;
  if (!type) return [];
  if (kindOf(type) !== 'SchemaTypeExpression') return [SAMPLES[textOf(type)] ?? 'dynamic(null)'];
  const columns = children(type, 'Columns').flatMap((column) => {
    const columnType = child(column, 'Type');
    return columnType ? [`['${nameOf(child(column, 'Name'))}']:${textOf(columnType)}`] : [];
  });
  return columns.length === 0 ? ['Events'] : [`(datatable(${columns.join(', ')}) [])`];
}

const STATEMENTS = new Set(['let', 'set', 'declare', 'alias', 'restrict', 'pattern']);

/** Names that mean something in the language or in the schema already. */
export function isTakenName(name: string, schema: KqlSchema): boolean {
  const { Functions, Aggregates, PlugIns } = kusto.GlobalState.Default;
  const isBuiltIn = [Functions, Aggregates, PlugIns].some((list) =>
    [...list].some((one) => one.Name.toLowerCase() === name.toLowerCase()),
  );
  return isBuiltIn || schema.tables.has(name) || STATEMENTS.has(name.toLowerCase()) || isWord(name);
}

/** Whether the language reads a name as one of its own words. */
function isWord(name: string): boolean {
  const code = kusto.KustoCode.ParseAndAnalyze(`let ${name} = () { 1 };\nprint 1`, kusto.GlobalState.Default);
  return kustoItems(code.GetDiagnostics()).some((one) => one.Severity === 'Error');
}
