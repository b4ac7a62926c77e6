import { TIME_PARTS } from '../detection/match-value.ts';
import { TOP_KEYS } from '../lint/lint-head.ts';
import { TAG_NAMESPACES } from '../lint/lint-tags.ts';
import { fieldSourceText } from '../mapping/field-source.ts';
import { fieldNamesOf, KNOWN_SOURCES } from '../mapping/known-names.ts';
import { resolveField } from '../mapping/resolve-field.ts';
import { resolveLogSource } from '../mapping/resolve-log-source.ts';
import type { LogSourceMapping } from '../mapping/source-condition.ts';
import { BOUNDS, CORRELATION_TYPES, LEVELS, STATUSES } from '../sigma-document.ts';
import { identifiersIn, type LineContext, lineContext, valueUnder } from './line-context.ts';

// What may stand where somebody writes: keys, values of a few, log sources that mappings know, fields of the log source,
// modifiers, words and names of conditions, tags of ATT&CK.

export const SIGMA_WORDS = ['key', 'value', 'field', 'modifier', 'condition', 'tag', 'source'] as const;
export type SigmaWordKind = (typeof SIGMA_WORDS)[number];

export interface SigmaCompletion {
  readonly label: string;
  readonly kind: SigmaWordKind;
  /** The columns of a field, the name of a technique. */
  readonly detail?: string;
  /** What takes the place of the word, when it is more than the label. */
  readonly insert?: string;
}

export interface SigmaCompletions {
  readonly from: number;
  readonly options: readonly SigmaCompletion[];
}

/** Techniques and tactics with their names, by what tags call them: `t1059.001`, `defense-evasion`. */
export type AttackNames = ReadonlyMap<string, string>;

export const SIGMA_MODIFIERS = [
  ...['contains', 'startswith', 'endswith', 'all', 'cased', 're', 'i', 'm', 's', 'cidr', 'exists', 'windash'],
  ...['base64', 'base64offset', 'wide', 'utf16', 'utf16le', 'utf16be', 'lt', 'lte', 'gt', 'gte', 'neq'],
  ...['fieldref', 'expand', ...TIME_PARTS],
] as const;
export const CONDITION_WORDS = ['and', 'or', 'not', '1 of', 'all of', 'them'] as const;
const SOURCE_KEYS = ['product', 'category', 'service', 'definition'] as const;
const CORRELATION_KEYS = [
  'type',
  'rules',
  'group-by',
  'timespan',
  'condition',
  'aliases',
  'generate',
] as const;
const RELATED_TYPES = ['derived', 'correlation', 'obsolete', 'merged', 'renamed', 'similar'] as const;

/** The mapping of the log source that a text names, as far as it can be read. */
export function mappingOf(text: string): LogSourceMapping | undefined {
  const keys = ['product', 'category', 'service'] as const;
  const source = Object.fromEntries(
    keys.flatMap((key) => {
      const value = valueUnder(text, 'logsource', key);
      return value === undefined ? [] : [[key, value.toLowerCase()]];
    }),
  );
  return Object.keys(source).length === 0 ? undefined : resolveLogSource(source);
}

/** What may stand at a position of a text; null where nothing is known. */
export function completeSigma(text: string, position: number, attack: AttackNames): SigmaCompletions | null {
  const context = lineContext(text, position);
  const options = context.isValue ? valuesAt(text, context, attack) : keysAt(text, context);
  if (!options) return null;
  const word = wordStart(context);
  return options.length === 0 ? null : { from: context.from + word, options };
}

/** Behind what the completed word begins: a `|` of a field, a blank of a condition, a bracket. */
function wordStart({ typed, isValue, key, path }: LineContext): number {
  if (!isValue) return typed.lastIndexOf('|') + 1;
  if (key === 'condition' || path.at(-1) === 'condition') return typed.search(/[^\s()]*$/);
  return typed.search(/[^\s['",{]*$/);
}

const option = (label: string, kind: SigmaWordKind, detail?: string, insert?: string): SigmaCompletion => ({
  label,
  kind,
  ...(detail === undefined ? {} : { detail }),
  ...(insert === undefined ? {} : { insert }),
});
const keys = (names: readonly string[]): SigmaCompletion[] =>
  names.map((name) => option(name, 'key', undefined, `${name}: `));

function keysAt(text: string, { path, typed }: LineContext): readonly SigmaCompletion[] | null {
  const [outer, inner] = path;
  if (outer === undefined) return keys(TOP_KEYS.filter((key) => key !== 'action' && !hasKey(text, key)));
  if (outer === 'logsource')
    return keys(SOURCE_KEYS.filter((key) => valueUnder(text, outer, key) === undefined));
  if (outer === 'correlation')
    return inner === 'condition' ? keys([...BOUNDS, 'field']) : keys(CORRELATION_KEYS);
  if (outer === 'related') return keys(['id', 'type']);
  if (outer !== 'detection' && outer !== 'filter') return null;
  if (inner === undefined)
    return keys(['selection', 'filter', 'condition'].filter((key) => !identifiersIn(text).includes(key)));
  if (inner === 'condition') return null;
  return typed.includes('|') ? modifiersAt(typed) : fieldsOf(text);
}

const hasKey = (text: string, key: string): boolean => new RegExp(`^${key}\\s*:`, 'm').test(text);

function modifiersAt(typed: string): readonly SigmaCompletion[] {
  const used = new Set(typed.split('|').slice(1, -1));
  return SIGMA_MODIFIERS.filter(
    (name) => !used.has(name) && (!['i', 'm', 's'].includes(name) || used.has('re')),
  ).map((name) => option(name, 'modifier'));
}

function fieldsOf(text: string): readonly SigmaCompletion[] {
  const mapping = mappingOf(text);
  if (!mapping) return [];
  return fieldNamesOf(mapping).map((name) => {
    const { sources } = resolveField(name, mapping);
    return option(name, 'field', sources.map(fieldSourceText).slice(0, 3).join(', '));
  });
}

function valuesAt(
  text: string,
  { path, key }: LineContext,
  attack: AttackNames,
): readonly SigmaCompletion[] | null {
  const [outer] = path;
  const values = (names: readonly string[]): SigmaCompletion[] => names.map((name) => option(name, 'value'));
  if (outer === undefined) {
    if (key === 'status') return values(STATUSES);
    if (key === 'level') return values(LEVELS);
    return key === 'tags' ? tagsOf(attack) : null;
  }
  if (outer === 'tags') return tagsOf(attack);
  if (outer === 'logsource') return sourcesOf(text, key);
  if (outer === 'correlation') return correlationValues(key);
  if (outer === 'related' && key === 'type') return values(RELATED_TYPES);
  const isCondition = key === 'condition' || path.at(-1) === 'condition';
  return (outer === 'detection' || outer === 'filter') && isCondition ? conditionWords(text) : null;
}

const correlationValues = (key: string): readonly SigmaCompletion[] | null => {
  if (key === 'type') return CORRELATION_TYPES.map((name) => option(name, 'value'));
  return key === 'generate' ? ['true', 'false'].map((name) => option(name, 'value')) : null;
};

/** Values that stand in some mapping beside what the log source says already. */
function sourcesOf(text: string, key: string): readonly SigmaCompletion[] | null {
  if (key !== 'product' && key !== 'category' && key !== 'service') return null;
  const others = (['product', 'category', 'service'] as const).filter((one) => one !== key);
  const fits = KNOWN_SOURCES.filter((source) =>
    others.every((other) => {
      const said = valueUnder(text, 'logsource', other);
      return said === undefined || source[other] === undefined || source[other] === said;
    }),
  );
  const names = new Set(fits.flatMap((source) => source[key] ?? []));
  return [...names].sort().map((name) => option(name, 'source'));
}

function conditionWords(text: string): readonly SigmaCompletion[] {
  const names = identifiersIn(text);
  const prefixes = names.flatMap((name) => /^(.+_)[^_]+$/.exec(name)?.[1] ?? []);
  const patterns = [...new Set(prefixes.filter((one, at) => prefixes.indexOf(one) !== at))].map(
    (one) => `${one}*`,
  );
  return [
    ...[...names, ...patterns].map((name) => option(name, 'value')),
    ...CONDITION_WORDS.map((word) => option(word, 'condition', undefined, `${word} `)),
  ];
}

const tagsOf = (attack: AttackNames): readonly SigmaCompletion[] => [
  ...[...attack].map(([id, name]) => option(`attack.${id}`, 'tag', name)),
  ...TAG_NAMESPACES.filter((one) => one !== 'attack').map((one) => option(`${one}.`, 'tag')),
];
