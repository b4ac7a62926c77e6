import type { KqlType } from '@tyrian/catalog';
import { type Diagnostic, type Span, say } from '@tyrian/diagnostics';
import { type CompileOptions, compileKql } from '../compile-kql.ts';
import { eventSchema, type KqlSchema } from '../event-schema.ts';
import { kusto, kustoItems } from '../kusto.ts';
import { messages } from '../messages.ts';
import { child, children, isKind, isTabular, nameOf, optionalChild, type Syntax, textOf } from '../syntax.ts';
import { textRefusal } from '../text-bounds.ts';
import { ASIM_PARSERS } from './asim-parsers.ts';
import { type SavedFunction, withFunctions } from './saved-function.ts';

// A function is checked by calling it once. The call is written from its parameters: those without a default get a
// value of their type, or an empty table.

interface FunctionProbe {
  /** An expression that calls the function once, as a query. */
  readonly call: string;
  readonly kind: 'scalar' | 'table';
}

export type FunctionCheck =
  | {
      readonly ok: true;
      readonly kind: 'scalar' | 'table';
      /** Of the table that it gives; one for a scalar function. */
      readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Checks a function that is to be saved beside those of the schema, where it takes the place of one of its name. */
export function checkFunction(wanted: SavedFunction, options: CompileOptions): FunctionCheck {
  const { schema } = options;
  const whole: Span = { start: 0, end: wanted.body.length };
  const refused = (one: Diagnostic): FunctionCheck => ({ ok: false, diagnostics: [one] });
  if (!/^[A-Za-z_]\w{0,99}$/.test(wanted.name))
    return refused(messages.functionName(whole, wanted.name, say('nameLetters')));
  if (isTakenName(wanted.name, schema))
    return refused(messages.functionName(whole, wanted.name, say('nameTaken')));
  const others = schema.functions.filter((one) => one.name !== wanted.name && !ASIM_PARSERS.includes(one));
  const own = eventSchema(schema.extFields, undefined, [...others, wanted], schema.catalog);
  const start = `let ${wanted.name} = (${wanted.parameters}) {`;
  const declared = `${start}${wanted.body}\n};\n`;
  const unread = textRefusal(declared);
  if (unread) return refused({ ...unread, span: inBody(unread.span, start.length, whole) });
  const within = { ...options, schema: eventSchema(schema.extFields, undefined, others, schema.catalog) };
  const placed = (found: readonly Diagnostic[]): Diagnostic[] =>
    found.map(({ fixes: _, ...one }) => ({ ...one, span: inBody(one.span, start.length, whole) }));
  const probe = functionProbe(declared, schema);
  if (!probe) {
    const { diagnostics } = compileKql(`${declared}print 1`, within);
    const mistakes = diagnostics.filter(({ severity }) => severity === 'error');
    return mistakes.length > 0
      ? { ok: false, diagnostics: placed(mistakes) }
      : refused(messages.functionText(whole));
  }
  const [recursion] = withFunctions(wanted.name, own.functions).refusals;
  if (recursion) return refused({ ...recursion, span: whole });
  const result = compileKql(`${declared}${probe.call}`, within);
  const diagnostics = placed(result.diagnostics);
  if (!result.ok) return { ok: false, diagnostics };
  return { ok: true, kind: probe.kind, columns: result.columns, diagnostics };
}

function inBody({ start, end }: Span, before: number, whole: Span): Span {
  const isInside = start >= before && end <= before + whole.end;
  return isInside ? { start: start - before, end: end - before } : whole;
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

/** How to call the function of a let once; null when the text is not one function and nothing else. */
function functionProbe(declared: string, schema: KqlSchema): FunctionProbe | null {
  const code = kusto.KustoCode.ParseAndAnalyze(`${declared}print 1`, schema.globals);
  // A body that begins with a dot is a command.
  const [first, ...more] = isKind(code.Syntax, 'QueryBlock') ? children(code.Syntax, 'Statements') : [];
  if (!isKind(first, 'LetStatement') || more.length !== 1) return null;
  const declaration = child(first, 'Expression');
  if (!isKind(declaration, 'FunctionDeclaration')) return null;
  const expression = optionalChild(child(declaration, 'Body'), 'Expression');
  if (!expression) return null;
  const given = children(child(declaration, 'Parameters'), 'Parameters').flatMap(sampleOf);
  const call = `${nameOf(child(first, 'Name'))}(${given.join(', ')})`;
  return isTabular(expression) ? { call, kind: 'table' } : { call: `print result = ${call}`, kind: 'scalar' };
}

const sampleOfType = (type: string): string =>
  (Object.hasOwn(SAMPLES, type) ? SAMPLES[type] : undefined) ?? 'dynamic(null)';

/** An argument for a parameter that must be given. */
function sampleOf(parameter: Syntax<'FunctionParameter'>): string[] {
  if (optionalChild(parameter, 'DefaultValue')) return [];
  const type = child(child(parameter, 'NameAndType'), 'Type');
  if (!isKind(type, 'SchemaTypeExpression')) return [sampleOfType(textOf(type))];
  const columns = children(type, 'Columns').flatMap((column) =>
    isKind(column, 'NameAndTypeDeclaration')
      ? [`['${nameOf(child(column, 'Name'))}']:${textOf(child(column, 'Type'))}`]
      : [],
  );
  return columns.length === 0 ? ['Events'] : [`(datatable(${columns.join(', ')}) [])`];
}

const STATEMENTS = new Set(['let', 'set', 'declare', 'alias', 'restrict', 'pattern']);

/** Names that mean something in the language or in the schema already. */
function isTakenName(name: string, schema: KqlSchema): boolean {
  const { Functions, Aggregates, PlugIns } = kusto.GlobalState.Default;
  const isBuiltIn = [Functions, Aggregates, PlugIns].some((list) =>
    [...list].some((one) => one.Name.toLowerCase() === name.toLowerCase()),
  );
  if (ASIM_PARSERS.some((one) => one.name === name)) return true;
  return isBuiltIn || schema.tables.has(name) || STATEMENTS.has(name.toLowerCase()) || isWord(name);
}

/** Whether the language reads a name as one of its own words. */
function isWord(name: string): boolean {
  const code = kusto.KustoCode.ParseAndAnalyze(`let ${name} = () { 1 };\nprint 1`, kusto.GlobalState.Default);
  return kustoItems(code.GetDiagnostics()).some((one) => one.Severity === 'Error');
}
