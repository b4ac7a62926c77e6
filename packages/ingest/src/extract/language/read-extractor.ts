import { STREAMS, type StreamName } from '@tyrian/catalog';
import { BUILT_IN_DECODERS } from '../engine/built-in-decoders.ts';
import { compilePattern, PatternError } from '../pattern/compile-pattern.ts';
import {
  type AddedNames,
  type Extractor,
  type ExtractorFault,
  type ExtractorNames,
  type Fallback,
  type RecordShape,
  SHAPES,
} from './extractor.ts';
import { FaultList, readExtractorYaml } from './extractor-yaml.ts';
import { MapReader } from './map-reader.ts';
import { nearestName } from './nearest-name.ts';
import { ENTRY_KEYS, entriesOf } from './read-entries.ts';
import { OUTCOME_KEYS, outcomeOf, readAnnotations, readConditions } from './read-outcome.ts';
import { unfoldGrok } from './unfold-grok.ts';

// From the YAML of an extractor to the extractor, or to what is wrong with it, line by line.

const HEAD_KEYS = [
  'schema-version',
  'extractor-id',
  'source-name',
  'source-type',
  'source-description',
  'streams',
  'master-filters',
  'record-shape',
  'apps',
  'record-filters',
  'built-in',
  'globals',
  'subs',
  'event-details',
  'fallback',
] as const;

const MOST_FILTERS = 20;
const MOST_APPS = 100;
const LARGEST_ID = 0x7fffffff;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;
const streamNames = STREAMS.map(({ name }) => name as string).filter((name) => name !== 'Signals');

/** What `readExtractor` makes of a text. */
export interface ReadExtractor {
  /** Null when a fault is an error. */
  readonly extractor: Extractor | null;
  readonly faults: readonly ExtractorFault[];
}

/**
 * Reads the YAML of an extractor. Never throws: what is wrong stands in `faults` with its line and column, and
 * `extractor` is null when one of them is an error. `added`: streams and fields of the tenant, which it may name beside
 * those that every tenant has.
 */
export function readExtractor(yaml: string, added: AddedNames = {}): ReadExtractor {
  const faults = new FaultList();
  const map = readExtractorYaml(yaml, faults);
  if (map === undefined) return { extractor: null, faults: faults.list };
  const head = new MapReader(map, [...HEAD_KEYS, ...OUTCOME_KEYS], faults);
  const extractor = readHead(head, added);
  const list = faults.list.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return { extractor: faults.hasErrors ? null : extractor, faults: list };
}

function readHead(head: MapReader, added: AddedNames): Extractor {
  for (const key of ['schema-version', 'source-name', 'source-type', 'streams']) head.demand(key);
  const version = head.whole('schema-version', 1, 1_000) ?? 1;
  if (version !== 1) head.faults.add(head.placeOf('schema-version'), 'unknown-version', { version });
  const name = head.text('source-name') ?? '';
  if (head.has('source-name') && !NAME.test(name))
    head.faults.add(head.placeOf('source-name'), 'bad-name', { name });
  const streams = readStreams(head, [...streamNames, ...(added.streams ?? [])]);
  const own = (added.fields ?? []).filter(({ stream }) => streams.includes(stream as StreamName));
  const names = { streams, fields: new Set(own.map((field) => field.name)) };
  const globals = readGlobals(head);
  const builtIn = readBuiltIn(head);
  const masterFilters = readFilters(head, globals);
  const apps = head.texts('apps', MOST_APPS, 100).map(({ text }) => text);
  const recordFilters = readConditions(head, 'record-filters');
  const isAimed = masterFilters.length + apps.length + recordFilters.size + builtIn.length > 0;
  if (!isAimed) head.faults.add(head.place, 'nothing-to-match');
  const isBuiltIn = builtIn.length > 0;
  if (isBuiltIn && head.has('event-details'))
    head.faults.add(head.placeOf('event-details'), 'built-in-with-entries');
  return {
    schemaVersion: version,
    id: head.whole('extractor-id', 1, LARGEST_ID),
    name,
    sourceType: head.text('source-type', 64) ?? '',
    description: head.text('source-description', 2_000) ?? '',
    streams,
    masterFilters,
    shape: readShape(head),
    apps,
    recordFilters,
    builtIn,
    subs: readSubs(head),
    entries: isBuiltIn ? [] : readEntries(head, names, globals),
    fallback: readFallback(head, streams, isBuiltIn),
    ...outcomeOf(head, names),
  };
}

/** What is stored of a stream is its name, whoever added it. */
function readStreams(head: MapReader, known: readonly string[]): readonly StreamName[] {
  return head.texts('streams', known.length).flatMap(({ text, at }) => {
    if (known.includes(text)) return [text as StreamName];
    const meant = nearestName(text, known) ?? known.join(', ');
    head.faults.add({ at }, 'unknown-stream', { stream: text, meant });
    return [];
  });
}

function readShape(head: MapReader): RecordShape {
  const shape = head.text('record-shape', 20) ?? 'any';
  const known = SHAPES.find((name) => name === shape);
  if (known === undefined)
    head.faults.add(head.placeOf('record-shape'), 'unknown-shape', { shape, known: SHAPES.join(', ') });
  return known ?? 'any';
}

function readGlobals(head: MapReader): ReadonlyMap<string, string> {
  const globals = new Map<string, string>();
  for (const { key, value } of head.map('globals', 100)?.entries ?? [])
    if (value.kind === 'scalar') globals.set(key, value.text);
    else head.faults.add(value, 'not-a-text', { key });
  return globals;
}

function readBuiltIn(head: MapReader): readonly string[] {
  return head.texts('built-in', 20).flatMap(({ text, at }) => {
    if (BUILT_IN_DECODERS.includes(text)) return [text];
    head.faults.add({ at }, 'unknown-decoder', { decoder: text, known: BUILT_IN_DECODERS.join(', ') });
    return [];
  });
}

function readFilters(head: MapReader, globals: ReadonlyMap<string, string>): readonly string[] {
  return head.texts('master-filters', MOST_FILTERS, 4_096).flatMap(({ text, at }) => {
    const unfolded = unfoldGrok(text, globals);
    if (!('source' in unfolded)) {
      const name = 'unknown' in unfolded ? unfolded.unknown : text;
      head.faults.add({ at }, 'unknown-grok', { name });
      return [];
    }
    try {
      if (!compilePattern(unfolded.source).isFast) head.faults.warn({ at }, 'slow-pattern');
      return [unfolded.source];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      head.faults.add({ at }, 'bad-pattern', { pattern: text, why: error.message });
      return [];
    }
  });
}

/** `from` is a regular expression, `to` the text that takes its place, before anything else reads the record. */
function readSubs(head: MapReader): Extractor['subs'] {
  return head.items('subs', 10).flatMap((item) => {
    if (item.kind !== 'map') {
      head.faults.add(item, 'not-a-map-of', { key: 'subs' });
      return [];
    }
    const sub = new MapReader(item, ['from', 'to'], head.faults);
    sub.demand('from');
    const from = sub.text('from', 4_096) ?? '';
    const node = sub.node('to');
    const to = node?.kind === 'scalar' ? node.text : '';
    try {
      compilePattern(from);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      head.faults.add(sub.placeOf('from'), 'bad-pattern', { pattern: from, why: error.message });
    }
    return [{ from, to }];
  });
}

function readEntries(
  head: MapReader,
  names: ExtractorNames,
  globals: ReadonlyMap<string, string>,
): Extractor['entries'] {
  const details = head.map('event-details');
  if (details === undefined) {
    if (!head.has('event-details')) head.faults.add(head.place, 'entries-missing');
    return [];
  }
  const reader = new MapReader(details, ['first-match'], head.faults);
  if (!reader.has('first-match')) head.faults.add(details, 'entries-missing');
  return entriesOf(reader, ENTRY_KEYS, names, globals);
}

function readFallback(head: MapReader, streams: readonly StreamName[], isBuiltIn: boolean): Fallback {
  if (isBuiltIn) return { annotate: new Map(), isBuiltIn: true };
  head.demand('fallback');
  const node = head.node('fallback');
  if (node?.kind === 'scalar' && node.text === 'built-in') return { annotate: new Map(), isBuiltIn: true };
  const map = head.map('fallback');
  if (map === undefined) return { annotate: new Map(), isBuiltIn: false };
  const reader = new MapReader(map, ['annotate'], head.faults);
  return { annotate: readAnnotations(reader, streams), isBuiltIn: false };
}
