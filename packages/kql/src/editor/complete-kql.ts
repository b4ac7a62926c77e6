import { EVENT_COLUMNS } from '@tyrian/catalog';
import type { Span } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { type CompletionItem, kusto, kustoEnumName, kustoItems } from '../kusto.ts';
import { isSupportedFunction, SUPPORTED_OPERATORS } from '../supported-names.ts';

// Completion by context: what the language service offers at a place, less what does not compile here, and the fields
// seen below Ext, which it cannot know.

export interface KqlSuggestion {
  readonly label: string;
  readonly kind: 'table' | 'column' | 'function' | 'aggregate' | 'operator' | 'keyword' | 'variable';
  readonly detail?: string;
  /** What is put in; the cursor ends after `insertBefore`. */
  readonly insertBefore: string;
  readonly insertAfter: string;
}

export interface KqlCompletion {
  /** What the suggestion replaces. */
  readonly span: Span;
  readonly suggestions: readonly KqlSuggestion[];
}

const KINDS: Readonly<Record<string, KqlSuggestion['kind']>> = {
  Table: 'table',
  Column: 'column',
  BuiltInFunction: 'function',
  LocalFunction: 'function',
  DatabaseFunction: 'function',
  AggregateFunction: 'aggregate',
  QueryPrefix: 'operator',
  TabularPrefix: 'operator',
  ScalarInfix: 'operator',
  ScalarPrefix: 'keyword',
  Keyword: 'keyword',
  Syntax: 'keyword',
  Variable: 'variable',
  Parameter: 'variable',
};

/** Suggestions at a place of the text, the likeliest first. Pure; some 10 ms. */
export function completeKql(text: string, position: number, schema: KqlSchema): KqlCompletion {
  const below = extPlace(text, position);
  if (below) return belowExt(below, schema);
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const service = new kusto.Editor.KustoCodeService.ctor(code);
  const found = service.GetCompletionItems(position);
  const items = kustoItems(found.Items);
  const own = items.flatMap((item) => suggestionOf(item, schema));
  const span = { start: found.EditStart, end: found.EditStart + found.EditLength };
  const hasExt = own.some((one) => one.kind === 'column' && one.label === 'Ext');
  const typed = text.slice(span.start, position).toLowerCase();
  const fields = hasExt ? extSuggestions(schema, typed) : [];
  const columns = own.filter((one) => one.kind === 'column');
  return { span, suggestions: [...columns, ...fields, ...own.filter((one) => one.kind !== 'column')] };
}

function suggestionOf(item: CompletionItem, schema: KqlSchema): KqlSuggestion[] {
  const kind = KINDS[kustoEnumName(kusto.Editor.CompletionKind, item.Kind)];
  if (!kind) return [];
  const name = item.DisplayText.replace(/\(.*$/, '').trim();
  if ((kind === 'function' || kind === 'aggregate') && !isSupportedFunction(name)) return [];
  if (kind === 'operator' && /^[a-z-]+$/.test(name) && item.BeforeText.startsWith(name)) {
    const isOperator = kustoEnumName(kusto.Editor.CompletionKind, item.Kind) !== 'ScalarInfix';
    if (isOperator && !SUPPORTED_OPERATORS.has(name)) return [];
  }
  const detail = kind === 'column' ? columnDetail(item.DisplayText, schema) : signatureOf(item.DisplayText);
  return [
    {
      label: kind === 'function' || kind === 'aggregate' ? name : item.DisplayText,
      kind,
      ...(detail ? { detail } : {}),
      insertBefore: item.BeforeText,
      insertAfter: item.AfterText,
    },
  ];
}

const signatureOf = (display: string): string => /\(.*$/.exec(display)?.[0] ?? '';

const described = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));

function columnDetail(name: string, schema: KqlSchema): string {
  const column = described.get(name);
  if (!column) return '';
  const aliases = [...schema.aliases].filter(([, own]) => own === name).map(([alias]) => alias);
  return `${column.type}: ${column.description}${aliases.length > 0 ? ` (${aliases.slice(0, 3).join(', ')})` : ''}`;
}

/** Fields seen below Ext, and other names of columns, that begin with what was typed. */
function extSuggestions(schema: KqlSchema, typed: string): KqlSuggestion[] {
  const paths = [...new Set(schema.extFields.map((field) => field.path))];
  const fields = paths.map(
    (path): KqlSuggestion => ({
      label: `Ext.${path}`,
      kind: 'column',
      detail: typeOfPath(schema, path),
      insertBefore: extText(path),
      insertAfter: '',
    }),
  );
  if (typed === '') return fields;
  const aliases = [...schema.aliases]
    .filter(([alias]) => alias.toLowerCase().startsWith(typed) && /^[\w.]+$/.test(alias))
    .map(
      ([alias, column]): KqlSuggestion => ({
        label: alias,
        kind: 'column',
        detail: column,
        insertBefore: column,
        insertAfter: '',
      }),
    );
  return [...fields, ...aliases];
}

const typeOfPath = (schema: KqlSchema, path: string): string =>
  [...new Set(schema.extFields.filter((field) => field.path === path).map((field) => field.type))].join(
    ' or ',
  );

const extText = (path: string): string =>
  path
    .split('.')
    .reduce(
      (before, part) =>
        /^[A-Za-z_]\w*$/.test(part) ? `${before}.${part}` : `${before}[${JSON.stringify(part)}]`,
      'Ext',
    );

/** `Ext.a.b` being typed: the path so far and the word under the cursor. */
function extPlace(text: string, position: number): { prefix: string; start: number; end: number } | null {
  const match = /\bExt\.((?:\w+\.)*)(\w*)$/.exec(text.slice(0, position));
  if (!match) return null;
  return { prefix: match[1] ?? '', start: position - (match[2] ?? '').length, end: position };
}

function belowExt(place: { prefix: string; start: number; end: number }, schema: KqlSchema): KqlCompletion {
  const rest = [...new Set(schema.extFields.map((field) => field.path))]
    .filter((path) => path.startsWith(place.prefix))
    .map((path) => path.slice(place.prefix.length))
    .sort();
  const suggestions = rest.map(
    (path): KqlSuggestion => ({
      label: path,
      kind: 'column',
      detail: typeOfPath(schema, place.prefix + path),
      insertBefore: path,
      insertAfter: '',
    }),
  );
  return { span: { start: place.start, end: place.end }, suggestions };
}
