import { type DecodedEvent, type Fields, newEvent } from '../../event-row.ts';
import { setColumn } from '../../normalise/field-columns.ts';
import type { Extractor, ExtractorEntry, FieldConditions } from '../language/extractor.ts';
import { compilePattern, compileReplacement } from '../pattern/compile-pattern.ts';
import { annotateEvent, applyOutcome, type CompiledOutcome, compileOutcome } from './apply-outcome.ts';
import { valueAt } from './field-paths.ts';
import { fieldsReader, HEAD_FIELD, type ReadFields, type RecordInput } from './read-fields.ts';

// An extractor as a program: does it take this record, which entry reads it, and what event does that make.

interface CompiledEntry {
  readonly entry: ExtractorEntry;
  /** Entries that read alike share what was read. */
  readonly readsAs: string;
  readonly read: ReadFields;
  readonly fits: ((fields: Fields) => boolean) | undefined;
  readonly outcome: CompiledOutcome;
}

export interface CompiledExtractor {
  readonly id: number;
  readonly extractor: Extractor;
  /** Whether a text that begins with this code unit may be one of its records. */
  mayBeginWith(code: number): boolean;
  /** Whether each of its filters looks at the beginning of a text. */
  readonly isAnchored: boolean;
  /** Undefined where it asks nothing of the text or the fields. */
  takesText(text: string): boolean;
  takesFields(fields: Fields): boolean;
  /** The event of a record that it takes; undefined leaves the record to whoever comes next. */
  read(input: RecordInput): DecodedEvent | undefined;
  /** Adds what it says to an event that a built-in decoder made. */
  complete(event: DecodedEvent, nowMs: number): void;
}

function conditionTest(conditions: FieldConditions): ((fields: Fields) => boolean) | undefined {
  if (conditions.size === 0) return undefined;
  const tests = [...conditions].map(([path, alternatives]) => {
    const words = new Set(alternatives.flatMap((one) => (one.kind === 'is' ? [one.text] : [])));
    const isAny = alternatives.some((one) => one.kind === 'any');
    const patterns = alternatives.flatMap((one) =>
      one.kind === 'pattern' ? [compilePattern(one.source)] : [],
    );
    return (fields: Fields) => {
      const value = valueAt(fields, path);
      if (value === undefined || value === null) return false;
      if (isAny) return true;
      const text = typeof value === 'string' ? value : String(value);
      return words.has(text) || patterns.some((pattern) => pattern.test(text));
    };
  });
  return (fields) => tests.every((test) => test(fields));
}

/** All that decides how an entry reads a record. */
const waysOf = ({ format, separator, assign, columns, patterns }: ExtractorEntry) =>
  JSON.stringify([format, separator, assign, columns, patterns.map(({ source }) => source)]);

class Program implements CompiledExtractor {
  readonly id: number;
  readonly extractor: Extractor;
  readonly isAnchored: boolean;
  readonly #filters: readonly ReturnType<typeof compilePattern>[];
  readonly #fits: ((fields: Fields) => boolean) | undefined;
  readonly #entries: readonly CompiledEntry[];
  readonly #own: CompiledOutcome;
  readonly #fallback: readonly (readonly [string, string])[];
  readonly #streams: ReadonlySet<string>;
  readonly #subs: readonly ((text: string) => string)[];

  constructor(id: number, extractor: Extractor) {
    this.id = id;
    this.extractor = extractor;
    this.#filters = extractor.masterFilters.map(compilePattern);
    // The code unit 1 begins no record: only a filter that may begin anywhere takes it.
    this.isAnchored = this.#filters.length > 0 && !this.mayBeginWith(1);
    this.#fits = conditionTest(extractor.recordFilters);
    this.#own = compileOutcome(extractor);
    this.#fallback = [...compileOutcome(extractor).annotate, ...extractor.fallback.annotate];
    this.#streams = new Set(extractor.streams);
    this.#subs = extractor.subs.map(({ from, to }) => compileReplacement(from, to));
    this.#entries = extractor.entries.map((entry) => ({
      entry,
      readsAs: waysOf(entry),
      read: fieldsReader(entry),
      fits: conditionTest(entry.when),
      outcome: compileOutcome(extractor, entry),
    }));
  }

  mayBeginWith(code: number): boolean {
    return this.#filters.length === 0 || this.#filters.some((filter) => filter.mayBeginWith(code));
  }

  takesText(text: string): boolean {
    return this.#filters.length === 0 || this.#filters.some((filter) => filter.test(text));
  }

  takesFields(fields: Fields): boolean {
    return this.#fits === undefined || this.#fits(fields);
  }

  read(record: RecordInput): DecodedEvent | undefined {
    const input = this.#subs.length === 0 ? record : this.#substituted(record);
    let last = '';
    let fields: Fields | undefined;
    for (const { entry, readsAs, read, fits, outcome } of this.#entries) {
      if (readsAs !== last) fields = read(input, this.id);
      last = readsAs;
      if (fields === undefined) continue;
      if (fields[HEAD_FIELD] !== undefined) return this.#head(String(fields[HEAD_FIELD]), input.text);
      if (fits !== undefined && !fits(fields)) continue;
      const event = this.#event(entry.name);
      applyOutcome(fields, outcome, entry, event, this.#streams, input.nowMs);
      if (entry.format === 'none') setColumn(event, 'Message', input.text);
      this.#settleStream(event);
      return event;
    }
    if (this.extractor.fallback.isBuiltIn) return undefined;
    const event = this.#event(undefined);
    event.status = 'NLF';
    annotateEvent(event, this.#fallback);
    setColumn(event, 'Message', input.text);
    this.#settleStream(event);
    return event;
  }

  #substituted(record: RecordInput): RecordInput {
    const text = this.#subs.reduce((from, replace) => replace(from), record.text);
    return { ...record, text, json: undefined };
  }

  complete(event: DecodedEvent, nowMs: number): void {
    event.extractorId = this.id;
    // Who names the decoder for a source says what its fields mean.
    event.status = 'PAD';
    if (this.#own.keys.length > 0) {
      const ext = event.ext;
      event.ext = {};
      applyOutcome(ext, this.#own, undefined, event, this.#streams, nowMs);
      return;
    }
    annotateEvent(event, this.#own.annotate);
  }

  #event(entry: string | undefined): DecodedEvent {
    const event = newEvent(this.extractor.name, 'Generic');
    event.extractorId = this.id;
    if (entry !== undefined) event.extractorEntry = entry;
    return event;
  }

  /** A line of the head of a file: known, and nothing has happened. */
  #head(word: string, text: string): DecodedEvent {
    const event = this.#event(undefined);
    annotateEvent(
      event,
      [...this.#fallback].filter(([column]) => column !== 'Stream'),
    );
    event.columns.EventType = 'LogHeader';
    event.ext.header = word;
    setColumn(event, 'Message', text);
    return event;
  }

  /** An extractor of one stream need not say it again. */
  #settleStream(event: DecodedEvent): void {
    const [only, ...others] = this.extractor.streams;
    if (event.stream === 'Generic' && only !== undefined && others.length === 0) event.stream = only;
  }
}

/** Makes a program of an extractor. Throws PatternError for patterns that `readExtractor` would have refused. */
export function compileExtractor(id: number, extractor: Extractor): CompiledExtractor {
  return new Program(id, extractor);
}
