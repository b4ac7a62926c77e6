import { compilePattern, PatternError } from '../pattern/compile-pattern.ts';
import {
  type ExtractorEntry,
  type ExtractorFormat,
  type ExtractorNames,
  type ExtractorPattern,
  FORMATS,
} from './extractor.ts';
import type { YamlPlace } from './extractor-yaml.ts';
import { MapReader } from './map-reader.ts';
import { OUTCOME_KEYS, outcomeOf, readConditions } from './read-outcome.ts';
import { unfoldGrok } from './unfold-grok.ts';

// The entries of `first-match`: the first whose pattern and conditions fit reads the record.

export const ENTRY_KEYS = [
  'name',
  'decoder',
  'pattern',
  'when',
  'separator',
  'assign',
  'columns',
  'known-names',
  'keep-fields',
  ...OUTCOME_KEYS,
] as const;

const MOST_ENTRIES = 200;
const MOST_PATTERNS = 20;
const MOST_COLUMNS = 500;

/** Which decoders each key is for. */
const ONLY_FOR: Readonly<Record<string, readonly ExtractorFormat[]>> = {
  pattern: ['regex', 'grok'],
  separator: ['csv', 'tsv', 'w3c', 'key-value', 'leef'],
  assign: ['key-value'],
  columns: ['csv', 'tsv', 'w3c'],
  'known-names': ['json', 'key-value', 'cef', 'leef'],
};

function readFormat(entry: MapReader): ExtractorFormat {
  entry.demand('decoder');
  const decoder = entry.text('decoder', 40) ?? 'none';
  const format = FORMATS.find((name) => name === decoder);
  if (format === undefined)
    entry.faults.add(entry.placeOf('decoder'), 'unknown-decoder', { decoder, known: FORMATS.join(', ') });
  const found = format ?? 'none';
  for (const [key, formats] of Object.entries(ONLY_FOR))
    if (entry.has(key) && !formats.includes(found))
      entry.faults.add(entry.placeOf(key), 'not-for-decoder', { key, decoder: found });
  return found;
}

interface Patterns {
  readonly sources: readonly ExtractorPattern[];
  /** Names of fields by those of groups. */
  readonly fields: ReadonlySet<string>;
}

function readPatterns(
  entry: MapReader,
  format: ExtractorFormat,
  globals: ReadonlyMap<string, string>,
): Patterns {
  const isPattern = format === 'regex' || format === 'grok';
  const texts = entry.texts('pattern', MOST_PATTERNS, 4_096);
  if (isPattern && texts.length === 0) entry.faults.add(entry.place, 'pattern-missing', { decoder: format });
  const fields = new Set<string>();
  const sources: ExtractorPattern[] = [];
  for (const { text, at } of isPattern ? texts : []) {
    const source = readPattern(text, { at }, globals, entry, fields);
    if (source !== undefined) sources.push(source);
  }
  if (sources.length > 0 && fields.size === 0)
    entry.faults.warn(entry.placeOf('pattern'), 'pattern-without-groups');
  return { sources, fields };
}

function readPattern(
  text: string,
  place: YamlPlace,
  globals: ReadonlyMap<string, string>,
  entry: MapReader,
  fields: Set<string>,
): ExtractorPattern | undefined {
  const { faults } = entry;
  const unfolded = unfoldGrok(text, globals);
  if ('unknown' in unfolded) faults.add(place, 'unknown-grok', { name: unfolded.unknown });
  else if ('circular' in unfolded) faults.add(place, 'grok-in-circle', { name: unfolded.circular });
  else if ('long' in unfolded) faults.add(place, 'text-too-long', { key: 'pattern', most: 4_096 });
  if (!('source' in unfolded)) return undefined;
  try {
    const compiled = compilePattern(unfolded.source);
    if (!compiled.isFast) faults.warn(place, 'slow-pattern');
    for (const group of compiled.groups) if (group !== '') fields.add(unfolded.fields.get(group) ?? group);
    return unfolded;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    faults.add(place, 'bad-pattern', { pattern: text, why: error.message });
    return undefined;
  }
}

function readEntry(
  entry: MapReader,
  names: ExtractorNames,
  globals: ReadonlyMap<string, string>,
): ExtractorEntry {
  const format = readFormat(entry);
  const { sources, fields } = readPatterns(entry, format, globals);
  const outcome = outcomeOf(entry, names);
  if (sources.length > 0) {
    for (const field of outcome.keys.keys())
      if (!fields.has(field))
        entry.faults.warn(entry.placeOf('event-key-mapping'), 'key-not-in-pattern', { key: field });
  }
  return {
    name: entry.text('name', 100),
    format,
    patterns: sources,
    when: readConditions(entry, 'when'),
    separator: entry.text('separator', 8),
    assign: entry.text('assign', 8),
    columns: entry.texts('columns', MOST_COLUMNS, 200).map(({ text }) => text),
    hasKnownNames: entry.truth('known-names'),
    keepsFields: entry.truth('keep-fields'),
    ...outcome,
  };
}

/** True for an entry that takes whatever comes. */
const takesAll = ({ format, when }: ExtractorEntry) => when.size === 0 && format === 'none';

/** The entries of the list `first-match`. */
export function entriesOf(
  details: MapReader,
  keys: readonly string[],
  names: ExtractorNames,
  globals: ReadonlyMap<string, string>,
): readonly ExtractorEntry[] {
  const entries: ExtractorEntry[] = [];
  for (const item of details.items('first-match', MOST_ENTRIES)) {
    if (item.kind !== 'map') {
      details.faults.add(item, 'not-a-map-of', { key: 'first-match' });
      continue;
    }
    const before = entries.at(-1);
    if (before !== undefined && takesAll(before)) details.faults.warn(item, 'never-reached');
    entries.push(readEntry(new MapReader(item, keys, details.faults), names, globals));
  }
  return entries;
}
