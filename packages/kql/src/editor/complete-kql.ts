import { ALL_EVENTS, EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import type { Span } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { type CompletionItem, kusto, kustoEnumName, kustoItems } from '../kusto.ts';
import { isSupportedFunction, SUPPORTED_OPERATORS } from '../supported-names.ts';
import {
  addedNote,
  type EditorWords,
  ENGLISH_WORDS,
  labelOf,
  operatorText,
  tableNote,
  wordOf,
} from './editor-words.ts';

// Completion by context: what the language service offers at a position, less what does not compile here, and the fields
// seen below Ext, which it cannot know.

export interface KqlSuggestion {
  readonly label: string;
  readonly kind: 'table' | 'column' | 'function' | 'aggregate' | 'operator' | 'keyword' | 'variable';
  /** Beside the name: type and an example value, or the parameters. */
  readonly detail?: string;
  /** What it is, in a few lines. */
  readonly info?: string;
  /** What is put in; the cursor ends after `insertBefore`. */
  readonly insertBefore: string;
  readonly insertAfter: string;
}

/** What the data shows of a column or of a field below Ext. */
export interface FieldFact {
  /** As KQL names it: `DvcHostname`, `Ext.user.name`. */
  readonly name: string;
  readonly type: string;
  /** A recent value; '' when none was seen. */
  readonly example: string;
  /** Streams whose recent events have it. */
  readonly streams: readonly string[];
}

export type FieldFacts = ReadonlyMap<string, FieldFact>;

const NO_FACTS: FieldFacts = new Map();

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

/** What suggestions are told by: the names, what the data shows of them, and the words of one language. */
interface Telling {
  readonly schema: KqlSchema;
  readonly facts: FieldFacts;
  readonly words: EditorWords;
}

/** Suggestions at a position of the text, the likeliest first, told in the given words. Pure; some 10 ms. */
export function completeKql(
  text: string,
  position: number,
  schema: KqlSchema,
  facts: FieldFacts = NO_FACTS,
  words: EditorWords = ENGLISH_WORDS,
): KqlCompletion {
  const telling: Telling = { schema, facts, words };
  const below = extPosition(text, position);
  if (below) return belowExt(text, below, telling);
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const service = new kusto.Editor.KustoCodeService.ctor(code);
  const found = service.GetCompletionItems(position);
  const items = kustoItems(found.Items);
  const own = items.flatMap((item) => suggestionOf(item, telling));
  const span = { start: found.EditStart, end: found.EditStart + found.EditLength };
  const hasExt = own.some((one) => one.kind === 'column' && one.label === 'Ext');
  const typed = text.slice(span.start, position).toLowerCase();
  const fields = hasExt ? extSuggestions(typed, telling) : [];
  const columns = seenFirst(
    own.filter((one) => one.kind === 'column'),
    text,
    facts,
  );
  const rest = own.filter((one) => one.kind !== 'column');
  return { span, suggestions: [...columns, ...fields, ...usualFirst(rest, facts)] };
}

/** Comparisons by how often they are written; those that are not named here follow. */
const USUAL = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'between',
  'has',
  'contains',
  'in',
  '=~',
  'startswith',
  'endswith',
  'has_any',
  'has_all',
  '!has',
  '!contains',
  '!in',
  'in~',
  'matches regex',
];
const STREAM_NAMES = new Set<string>([ALL_EVENTS, ...STREAMS.map(({ name }) => name)]);

/** Tables that hold events come first, then the other streams; `==` comes before what few people write. */
function usualFirst(suggestions: readonly KqlSuggestion[], facts: FieldFacts): KqlSuggestion[] {
  const filled = new Set([...facts.values()].flatMap(({ streams }) => streams));
  const rank = ({ label, kind }: KqlSuggestion): number => {
    if (kind === 'table')
      return label === ALL_EVENTS || filled.has(label) ? 0 : STREAM_NAMES.has(label) ? 1 : 2;
    const at = kind === 'operator' ? USUAL.indexOf(label) : -1;
    return at < 0 ? USUAL.length : at;
  };
  const isRanked = suggestions.some(
    ({ kind, label }) => kind === 'table' || (kind === 'operator' && label === '=='),
  );
  return isRanked ? [...suggestions].sort((one, other) => rank(one) - rank(other)) : [...suggestions];
}

/** Columns that the events of the named streams fill come before those that stay empty. */
function seenFirst(
  columns: readonly KqlSuggestion[],
  text: string,
  facts: FieldFacts,
  prefix = '',
): KqlSuggestion[] {
  if (facts.size === 0) return [...columns];
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  const rank = ({ label }: KqlSuggestion): number => {
    const fact = facts.get(prefix + label);
    if (!fact || fact.streams.length === 0) return 2;
    return fact.streams.some((stream) => words.has(stream)) ? 0 : 1;
  };
  return [...columns].sort((one, other) => rank(one) - rank(other));
}

function suggestionOf(item: CompletionItem, telling: Telling): KqlSuggestion[] {
  const kind = KINDS[kustoEnumName(kusto.Editor.CompletionKind, item.Kind)];
  if (!kind) return [];
  const name = item.DisplayText.replace(/\(.*$/, '').trim();
  const saved = kind === 'function' ? telling.schema.functions.find((one) => one.name === name) : undefined;
  if ((kind === 'function' || kind === 'aggregate') && !saved && !isSupportedFunction(name)) return [];
  if (kind === 'operator' && /^[a-z-]+$/.test(name) && item.BeforeText.startsWith(name)) {
    const isOperator = kustoEnumName(kusto.Editor.CompletionKind, item.Kind) !== 'ScalarInfix';
    if (isOperator && !SUPPORTED_OPERATORS.has(name)) return [];
  }
  const told =
    kind === 'column' ? columnTold(name, telling) : wordTold(name, kind, item.DisplayText, telling);
  return [
    {
      label: kind === 'function' || kind === 'aggregate' ? name : item.DisplayText,
      kind,
      ...told,
      ...(saved?.description ? { info: saved.description } : {}),
      insertBefore: item.BeforeText,
      insertAfter: item.AfterText,
    },
  ];
}

/** What a table is; parameters and note of a function, note and example of an operator. */
function wordTold(
  name: string,
  kind: KqlSuggestion['kind'],
  display: string,
  { words, schema }: Telling,
): Pick<KqlSuggestion, 'detail' | 'info'> {
  const parameters = /\(.*$/.exec(display)?.[0] ?? '';
  const info =
    kind === 'table'
      ? tableNote(words, name) || addedNote(schema.catalog, name)
      : callOrStepNote(name, kind, words);
  return { ...(parameters === '' ? {} : { detail: parameters }), ...(info === '' ? {} : { info }) };
}

/** `count` and `range` are operators and functions: the kind of the suggestion decides which is told. */
function callOrStepNote(name: string, kind: KqlSuggestion['kind'], words: EditorWords): string {
  const call = wordOf(words, 'functions', name);
  if (kind === 'function' || kind === 'aggregate') return call;
  return operatorText(words, name) || wordOf(words, 'comparisons', name) || call;
}

const described = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));

function columnTold(name: string, { schema, facts, words }: Telling): Pick<KqlSuggestion, 'detail' | 'info'> {
  const fact = facts.get(name);
  const type = described.get(name)?.type ?? fact?.type ?? '';
  const aliases = [...schema.aliases].filter(([, own]) => own === name).map(([alias]) => alias);
  const lines = [
    wordOf(words, 'columns', name) || addedNote(schema.catalog, name),
    seenIn(fact, words),
    aliases.length > 0 ? labelOf(words, 'also', { names: aliases.slice(0, 4).join(', ') }) : '',
  ].filter((line) => line !== '');
  const detail = withExample(type, fact);
  return { ...(detail === '' ? {} : { detail }), ...(lines.length > 0 ? { info: lines.join('\n') } : {}) };
}

const seenIn = (fact: FieldFact | undefined, words: EditorWords): string =>
  fact && fact.streams.length > 0 ? labelOf(words, 'seenIn', { streams: fact.streams.join(', ') }) : '';

const LONGEST_EXAMPLE = 32;

function withExample(type: string, fact: FieldFact | undefined): string {
  const example = (fact?.example ?? '').replace(/\s+/g, ' ');
  if (example === '') return type;
  const cut = example.length > LONGEST_EXAMPLE ? `${example.slice(0, LONGEST_EXAMPLE - 1)}…` : example;
  return type === '' ? cut : `${type} · ${cut}`;
}

function pathTold(path: string, telling: Telling): Pick<KqlSuggestion, 'detail' | 'info'> {
  const fact = telling.facts.get(`Ext.${path}`);
  const detail = withExample(typeOfPath(path, telling), fact);
  const info = seenIn(fact, telling.words);
  return info === '' ? { detail } : { detail, info };
}

/** Fields seen below Ext, and other names of columns, that begin with what was typed. */
function extSuggestions(typed: string, telling: Telling): KqlSuggestion[] {
  const { schema } = telling;
  const paths = [...new Set(schema.extFields.map((field) => field.path))];
  const fields = paths.map(
    (path): KqlSuggestion => ({
      label: `Ext.${path}`,
      kind: 'column',
      ...pathTold(path, telling),
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

const typeOfPath = (path: string, { schema, words }: Telling): string =>
  [...new Set(schema.extFields.filter((field) => field.path === path).map((field) => field.type))].reduce(
    (first: string, second) => (first === '' ? second : labelOf(words, 'several', { first, second })),
    '',
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
function extPosition(text: string, position: number): { prefix: string; start: number; end: number } | null {
  const match = /\bExt\.((?:\w+\.)*)(\w*)$/.exec(text.slice(0, position));
  if (!match) return null;
  return { prefix: match[1] ?? '', start: position - (match[2] ?? '').length, end: position };
}

function belowExt(
  text: string,
  place: { prefix: string; start: number; end: number },
  telling: Telling,
): KqlCompletion {
  const rest = [...new Set(telling.schema.extFields.map((field) => field.path))]
    .filter((path) => path.startsWith(place.prefix))
    .map((path) => path.slice(place.prefix.length))
    .sort();
  const suggestions = rest.map(
    (path): KqlSuggestion => ({
      label: path,
      kind: 'column',
      ...pathTold(place.prefix + path, telling),
      insertBefore: path,
      insertAfter: '',
    }),
  );
  return {
    span: { start: place.start, end: place.end },
    suggestions: seenFirst(suggestions, text, telling.facts, `Ext.${place.prefix}`),
  };
}
