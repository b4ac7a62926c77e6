import type { StreamName } from '@tyrian/catalog';
import { knownJsonNames } from '../../decoders/json-event.ts';
import type { DecodedEvent, Fields } from '../../event-row.ts';
import { CEF_FIELD_COLUMNS } from '../../mapping/cef-columns.ts';
import { KEY_VALUE_FIELD_COLUMNS } from '../../mapping/key-value-columns.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../../normalise/field-columns.ts';
import { severityFromWord } from '../../normalise/severity-names.ts';
import type { ExtractorEntry, Outcome, TimeRule } from '../language/extractor.ts';
import { type ReadTime, timeReader } from '../language/time-format.ts';
import { plainValue, valueAt, withoutPaths } from './field-paths.ts';

// From fields to columns: keys first, in the words that translations give; then the words that stand beside them.

interface KeyRule {
  readonly path: string;
  readonly targets: readonly string[];
}

/** An outcome ready to be applied to many events. */
export interface CompiledOutcome {
  readonly keys: readonly KeyRule[];
  /** Keys that lie deeper than the fields of the record, so that leaving them out means copying. */
  readonly hasPaths: boolean;
  readonly annotate: readonly (readonly [string, string])[];
  readonly translate: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly times: readonly { readonly fields: readonly string[]; readonly read: ReadTime }[];
}

const compiledTime = ({ fields, format, zoneMinutes }: TimeRule) => ({
  fields,
  read: timeReader(format, zoneMinutes),
});

/** Joins what an extractor says of all records with what an entry says of its own; the entry wins. */
export function compileOutcome(...outcomes: readonly Outcome[]): CompiledOutcome {
  const keys = new Map<string, readonly string[]>();
  const annotate = new Map<string, string>();
  const translate = new Map<string, ReadonlyMap<string, string>>();
  let times: readonly TimeRule[] = [];
  for (const outcome of outcomes) {
    for (const [path, targets] of outcome.keys) keys.set(path, targets);
    for (const [column, word] of outcome.annotate) annotate.set(column, word);
    for (const [column, words] of outcome.translate)
      translate.set(column, new Map([...(translate.get(column) ?? []), ...words]));
    if (outcome.time.length > 0) times = outcome.time;
  }
  return {
    keys: [...keys].map(([path, targets]) => ({ path, targets })),
    hasPaths: [...keys.keys()].some((path) => path.includes('.')),
    annotate: [...annotate],
    translate,
    times: times.map(compiledTime),
  };
}

/** What the column will hold for a value: the translated word, or the value itself. */
function translated(outcome: CompiledOutcome, column: string, value: unknown): unknown {
  const words = outcome.translate.get(column);
  if (words === undefined) return value;
  return words.get(String(value).toLowerCase()) ?? words.get('*') ?? value;
}

function setTarget(event: DecodedEvent, target: string, value: unknown): boolean {
  if (target === 'Stream') {
    event.stream = value as StreamName;
    return false;
  }
  if (target.startsWith('Ext.')) {
    event.ext[target.slice('Ext.'.length)] = value;
    return true;
  }
  if (target === 'EventSeverity') return setColumn(event, target, severityFromWord(value) ?? value);
  return setColumn(event, target, value);
}

/** Fills columns by the keys; answers the paths whose values a column says in the same words. */
function applyKeys(
  fields: Fields,
  outcome: CompiledOutcome,
  event: DecodedEvent,
  streams: ReadonlySet<string>,
): string[] {
  const said: string[] = [];
  for (const { path, targets } of outcome.keys) {
    const value = valueAt(fields, path);
    if (value === undefined || value === null) continue;
    const plain = plainValue(value);
    let isSaid = false;
    for (const target of targets) {
      const word = translated(outcome, target, plain);
      if (target === 'Stream' && !streams.has(String(word))) continue;
      const isSet = setTarget(event, target, word);
      isSaid ||= isSet && (target.startsWith('Ext.') || String(event.columns[target]) === String(plain));
    }
    if (isSaid) said.push(path);
  }
  return said;
}

const KEY_VALUES = new FieldColumns(KEY_VALUE_FIELD_COLUMNS);
const CEF = new FieldColumns(CEF_FIELD_COLUMNS);

function keepRest(rest: Fields, entry: ExtractorEntry | undefined, event: DecodedEvent, nowMs: number): void {
  if (entry?.hasKnownNames !== true) {
    for (const name in rest) event.ext[name] ??= rest[name];
  } else if (entry.format === 'json') knownJsonNames(rest, event, nowMs);
  else applyFieldColumns(rest, entry.format === 'key-value' ? KEY_VALUES : CEF, event);
}

function timeOf(fields: Fields, { times }: CompiledOutcome, nowMs: number): number | undefined {
  for (const { fields: names, read } of times) {
    const [first = '', ...others] = names;
    const text =
      others.length === 0
        ? valueAt(fields, first)
        : names
            .map((name) => valueAt(fields, name) ?? '')
            .join(' ')
            .trim();
    const at = read(text, nowMs);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Writes the fields of a record into an event. `streams`: those that the extractor names. */
export function applyOutcome(
  fields: Fields,
  outcome: CompiledOutcome,
  entry: ExtractorEntry | undefined,
  event: DecodedEvent,
  streams: ReadonlySet<string>,
  nowMs: number,
): void {
  const said = applyKeys(fields, outcome, event, streams);
  const time = timeOf(fields, outcome, nowMs);
  if (time !== undefined) event.time = time;
  annotateEvent(event, outcome.annotate);
  const open = [...outcome.translate].filter(([column]) => event.columns[column] === undefined);
  const isWhole = said.length === 0 || entry?.keepsFields === true;
  keepRest(isWhole ? fields : withoutPaths(fields, said), entry, event, nowMs);
  for (const [column] of open) {
    const value = event.columns[column];
    if (value !== undefined) setWord(event, column, translated(outcome, column, value));
  }
}

function setWord(event: DecodedEvent, column: string, word: unknown): void {
  delete event.columns[column];
  setColumn(event, column, word);
}

/** Writes words beside the fields; a column that a field has filled keeps its value. */
export function annotateEvent(event: DecodedEvent, words: readonly (readonly [string, string])[]): void {
  for (const [column, word] of words) {
    if (column !== 'Stream') setColumn(event, column, word);
    else if (event.stream === 'Generic') event.stream = word as StreamName;
  }
}
