import { EVENT_COLUMNS, type StreamName } from '@tyrian/catalog';
import { OUR_COLUMNS } from '../../mapping/our-columns.ts';
import { compilePattern, PatternError } from '../pattern/compile-pattern.ts';
import type {
  ExtractorNames,
  FieldConditions,
  FieldTest,
  Outcome,
  TimeRule,
  Translations,
} from './extractor.ts';
import type { YamlMapping, YamlNode } from './extractor-yaml.ts';
import { type MapReader, MapReader as Reader, textOf } from './map-reader.ts';
import { nearestName } from './nearest-name.ts';
import { timeReader, zoneMinutesOf } from './time-format.ts';

// What becomes of fields: keys to columns, words beside them, words in the place of words, and the time.

export const OUTCOME_KEYS = ['event-key-mapping', 'annotate', 'translate', 'time'] as const;

const MOST_KEYS = 500;
const MOST_WORDS = 500;
const columnNames = EVENT_COLUMNS.map(({ name }) => name).filter((name) => !OUR_COLUMNS.has(name));
const known = new Set(columnNames);

/** Says what is wrong with the name of a column; true when it is one that an extractor may fill. */
function isColumn(name: string, place: { at: number }, { faults }: MapReader): boolean {
  if (known.has(name)) return true;
  if (OUR_COLUMNS.has(name)) {
    faults.add(place, 'our-column', { column: name });
    return false;
  }
  const meant = nearestName(name, columnNames);
  if (meant === undefined) faults.add(place, 'unknown-column', { column: name });
  else faults.add(place, 'unknown-column-meant', { column: name, meant });
  return false;
}

/** A name below `Ext`, under which a field without a column may be kept. */
const isExt = (name: string) => /^Ext\.[\w.@-]{1,200}$/.test(name);

/** Fields that the tenant added stay below `Ext`, where queries read them under their name. */
function readKeys(reader: MapReader, { fields }: ExtractorNames): Outcome['keys'] {
  const keys = new Map<string, readonly string[]>();
  for (const { key, value } of reader.map('event-key-mapping', MOST_KEYS)?.entries ?? []) {
    const items: readonly YamlNode[] = value.kind === 'list' ? value.items : [value];
    const columns = items.flatMap((item) => {
      const name = textOf(item, key, reader.faults, 200);
      if (name === undefined) return [];
      if (fields.has(name)) return [`Ext.${name}`];
      return name === 'Stream' || isExt(name) || isColumn(name, item, reader) ? [name] : [];
    });
    keys.set(key, columns);
  }
  return keys;
}

/** Words that are written into columns whatever the record says; `Stream` is one of those listed. */
export function readAnnotations(
  reader: MapReader,
  streams: readonly StreamName[],
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { key, keyAt, value } of reader.map('annotate', 100)?.entries ?? []) {
    const text = textOf(value, key, reader.faults);
    if (text === undefined) continue;
    if (key === 'Stream') {
      if (!streams.includes(text as StreamName))
        reader.faults.add(value, 'stream-not-listed', { stream: text });
    } else if (!isColumn(key, { at: keyAt }, reader)) continue;
    words.set(key, text);
  }
  return words;
}

function readTranslations(reader: MapReader, streams: readonly StreamName[]): Translations {
  const all = new Map<string, ReadonlyMap<string, string>>();
  for (const { key, keyAt, value } of reader.map('translate', 100)?.entries ?? []) {
    if (key !== 'Stream' && !isColumn(key, { at: keyAt }, reader)) continue;
    if (value.kind !== 'map') {
      reader.faults.add(value, 'not-a-map-of', { key });
      continue;
    }
    if (value.entries.length > MOST_WORDS) reader.faults.add(value, 'too-many', { key, most: MOST_WORDS });
    const words = new Map<string, string>();
    for (const entry of value.entries) {
      const text = textOf(entry.value, entry.key, reader.faults);
      if (text === undefined) continue;
      if (key === 'Stream' && !streams.includes(text as StreamName))
        reader.faults.add(entry.value, 'stream-not-listed', { stream: text });
      words.set(entry.key.toLowerCase(), text);
    }
    all.set(key, words);
  }
  return all;
}

/** One rule or a list of them, of which the first that gives a time counts. */
function readTimes(reader: MapReader): readonly TimeRule[] {
  const node = reader.node('time');
  if (node === undefined) return [];
  const items = node.kind === 'list' ? node.items.slice(0, 10) : [node];
  return items.flatMap((item) => {
    if (item.kind === 'map') return [readTime(item, reader)];
    reader.faults.add(item, 'not-a-map-of', { key: 'time' });
    return [];
  });
}

function readTime(map: YamlMapping, reader: MapReader): TimeRule {
  const time = new Reader(map, ['field', 'format', 'zone'], reader.faults);
  time.demand('field');
  const fields = time.texts('field', 5, 200).map(({ text }) => text);
  const format = time.text('format', 100) ?? 'auto';
  const zone = time.text('zone', 10) ?? 'Z';
  const zoneMinutes = zoneMinutesOf(zone);
  if (zoneMinutes === undefined) reader.faults.add(time.placeOf('zone'), 'bad-zone', { zone });
  try {
    timeReader(format, 0);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    reader.faults.add(time.placeOf('format'), 'bad-time-format', { format, why: error.message });
  }
  return { fields, format, zoneMinutes: zoneMinutes ?? 0 };
}

/** What the map says of its fields. */
export function outcomeOf(reader: MapReader, names: ExtractorNames): Outcome {
  return {
    keys: readKeys(reader, names),
    annotate: readAnnotations(reader, names.streams),
    translate: readTranslations(reader, names.streams),
    time: readTimes(reader),
  };
}

function testOf(text: string, node: YamlNode, { faults }: MapReader): FieldTest {
  if (text === '*') return { kind: 'any' };
  if (text.length < 3 || !text.startsWith('/') || !text.endsWith('/')) return { kind: 'is', text };
  const source = text.slice(1, -1);
  try {
    compilePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    faults.add(node, 'bad-pattern', { pattern: source, why: error.message });
  }
  return { kind: 'pattern', source };
}

/** `field: value`, `field: [value, value]`, `field: '*'`, `field: /regular expression/`. */
export function readConditions(reader: MapReader, key: string): FieldConditions {
  const conditions = new Map<string, readonly FieldTest[]>();
  for (const entry of reader.map(key, 50)?.entries ?? []) {
    const items = entry.value.kind === 'list' ? entry.value.items : [entry.value];
    const tests = items.flatMap((item) => {
      const text = textOf(item, entry.key, reader.faults);
      return text === undefined ? [] : [testOf(text, item, reader)];
    });
    if (tests.length > 0) conditions.set(entry.key, tests);
  }
  return conditions;
}
