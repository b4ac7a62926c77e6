import type { Span } from '@tyrian/diagnostics';
import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import { faults, refuse, SigmaFailure } from '../sigma-faults.ts';
import type { YamlEntry, YamlMap, YamlValue } from './yaml-value.ts';

// YAML text to plain values, within bounds: of characters, documents, depth, and of the values that aliases unfold to
// (a few lines of aliases of aliases would otherwise become billions).

/** The longest text that is read, in UTF-16 units. SigmaHQ's longest rule has 300,000. */
const LONGEST_TEXT = 1024 * 1024;
const MOST_DOCUMENTS = 500;
const DEEPEST = 32;
/** Values of one text, those of aliases counted wherever they stand. */
const MOST_VALUES = 200_000;

const OPTIONS = {
  version: '1.2',
  merge: true,
  // Compared here: the library compares each key with every other.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

type Node = Document.Parsed['contents'];

/**
 * The documents of a text that are maps, in order. Throws SigmaFailure for a text that is no YAML, is beyond the bounds,
 * or holds a document that is no map. Empty documents are left out.
 */
export function readYaml(text: string): readonly YamlMap[] {
  const whole: Span = { start: 0, end: Math.min(text.length, LONGEST_TEXT) };
  if (text.length > LONGEST_TEXT) refuse(faults.tooLong(whole, LONGEST_TEXT));
  if (!text.isWellFormed()) refuse(faults.notUtf8(whole));
  if (isTooDeep(text)) refuse(faults.tooDeep(whole, DEEPEST));
  const documents = parsed(text, whole);
  if (documents.length > MOST_DOCUMENTS) refuse(faults.tooManyDocuments(whole, MOST_DOCUMENTS));
  const budget = { left: MOST_VALUES };
  const maps: YamlMap[] = [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error && /call stack/.test(error.message)) refuse(faults.tooDeep(whole, DEEPEST));
    if (error) refuse(faults.yaml(spanOf(error.pos, whole), error.message));
    if (document.contents === null || isEmptyScalar(document.contents)) continue;
    const value = unfold(document.contents, document, 0, budget, whole);
    if (value.kind !== 'map') refuse(faults.wrongType(value.span, 'document', 'a map of a rule'));
    else maps.push(value);
  }
  if (maps.length === 0) refuse(faults.noDocument(whole));
  return maps;
}

function parsed(text: string, whole: Span): readonly Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, OPTIONS);
    return Array.isArray(documents) ? documents : [];
  } catch (error) {
    if (error instanceof SigmaFailure) throw error;
    if (error instanceof RangeError) refuse(faults.tooDeep(whole, DEEPEST));
    return refuse(faults.yaml(whole, error instanceof Error ? error.message : String(error)));
  }
}

/** Brackets that open one within the other far beyond the bound; the library would go as deep as they do. */
function isTooDeep(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) run += 1;
    else if (code === 0x5d || code === 0x7d) run = Math.max(0, run - 1);
    else if (code === 0x0a && run < 1000) run = 0;
    if (run > 1000) return true;
  }
  return false;
}

const isEmptyScalar = (node: Node): boolean => isScalar(node) && node.value === null;

const spanOf = (range: readonly number[] | null | undefined, otherwise: Span): Span => {
  const [start, end] = range ?? [];
  return start === undefined ? otherwise : { start, end: end ?? start };
};

interface Budget {
  left: number;
}

function unfold(node: unknown, document: Document, depth: number, budget: Budget, around: Span): YamlValue {
  const span = spanOf((node as { range?: readonly number[] | null } | null)?.range, around);
  budget.left -= 1;
  if (budget.left < 0) refuse(faults.tooManyNodes(span, MOST_VALUES));
  if (depth > DEEPEST) refuse(faults.tooDeep(span, DEEPEST));
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (target === undefined) refuse(faults.aliasUnknown(span));
    return unfold(target, document, depth + 1, budget, span);
  }
  if (isScalar(node)) return scalar(node.value, node.source, span);
  if (isSeq(node))
    return {
      kind: 'list',
      items: node.items.map((item) => unfold(item, document, depth + 1, budget, span)),
      span,
    };
  if (isMap(node)) return unfoldMap(node.items, document, depth, budget, span);
  return { kind: 'scalar', value: null, text: '', span };
}

function scalar(value: unknown, source: string | undefined, span: Span): YamlValue {
  const text = source ?? (value === null || value === undefined ? '' : String(value));
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', value: isPlain ? value : value === null ? null : String(value), text, span };
}

function unfoldMap(
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
  document: Document,
  depth: number,
  budget: Budget,
  span: Span,
): YamlMap {
  const entries = new Map<string, YamlEntry>();
  for (const pair of pairs) {
    const key = unfold(pair.key, document, depth + 1, budget, span);
    if (key.kind !== 'scalar') refuse(faults.wrongType(key.span, 'key', 'a text'));
    else {
      const name = typeof key.value === 'string' ? key.value : key.text;
      const value = unfold(pair.value, document, depth + 1, budget, key.span);
      if (name === '<<') merge(entries, value);
      else if (entries.has(name) && !merged.has(entries.get(name) as YamlEntry))
        refuse(faults.duplicateKey(key.span, name));
      else entries.set(name, { key: name, keySpan: key.span, value });
    }
  }
  return { kind: 'map', entries: [...entries.values()], span };
}

/** Entries that came by `<<`; a key of the map itself takes their place. */
const merged = new WeakSet<YamlEntry>();

function merge(entries: Map<string, YamlEntry>, value: YamlValue): void {
  const maps = value.kind === 'list' ? value.items : [value];
  for (const map of maps) {
    if (map.kind !== 'map') continue;
    for (const entry of map.entries) {
      if (entries.has(entry.key)) continue;
      const copy = { ...entry };
      merged.add(copy);
      entries.set(entry.key, copy);
    }
  }
}
