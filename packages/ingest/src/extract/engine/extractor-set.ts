import type { DecodedEvent, Fields } from '../../event-row.ts';
import type { AddedNames, RecordShape } from '../language/extractor.ts';
import { readExtractor } from '../language/read-extractor.ts';
import { type CompiledExtractor, compileExtractor } from './compile-extractor.ts';
import type { LogHeads, RecordInput } from './read-fields.ts';

// The extractors of a tenant, sorted so that a record meets few of them: those of its program of syslog, those that
// ask for fields of JSON, those that ask for text, and those that complete what a built-in decoder makes.

/** An extractor as it is kept: `id` is its number, whatever the text says. */
export interface ExtractorSource {
  readonly id: number;
  readonly yaml: string;
  /** What its tenant added to the data model. */
  readonly added?: AddedNames;
}

export interface ExtractorSet {
  /** Extractors that can be used. */
  readonly size: number;
  /** Numbers of those whose text is no extractor; they are left out. */
  readonly broken: readonly number[];
  /** The event of a record as text, or undefined. */
  readText(input: RecordInput): DecodedEvent | undefined;
  /** The event of a JSON object, or undefined; `text` is asked for where an extractor wants to see the text. */
  readObject(record: Fields, text: () => string, nowMs: number): DecodedEvent | undefined;
  /** Lets the extractor that has taken over the decoder of the event add to it. */
  complete(event: DecodedEvent, text: string | undefined, nowMs: number): void;
}

/** Programs by their text: tenants share the native ones, and a new version of a set has few new texts. */
const programs = new Map<string, CompiledExtractor | null>();
const MOST_PROGRAMS = 2_000;

function programOf(source: ExtractorSource): CompiledExtractor | null {
  const { id, yaml, added = {} } = source;
  // Of what a tenant added only that matters that the text may name.
  const streams = added.streams?.filter((name) => yaml.includes(name)) ?? [];
  const fields = added.fields?.filter(({ name }) => yaml.includes(name)) ?? [];
  const key = `${id} ${JSON.stringify([streams, fields])}\n${yaml}`;
  let program = programs.get(key);
  if (program === undefined) {
    program = compiledOf(id, yaml, { streams, fields });
  } else programs.delete(key);
  programs.set(key, program);
  const [oldest] = programs.keys();
  if (programs.size > MOST_PROGRAMS && oldest !== undefined) programs.delete(oldest);
  return program;
}

function compiledOf(id: number, yaml: string, added: AddedNames): CompiledExtractor | null {
  try {
    const { extractor } = readExtractor(yaml, added);
    return extractor === null ? null : compileExtractor(id, extractor);
  } catch {
    return null;
  }
}

function shapeOf(text: string): 'text' | 'json' | 'xml' {
  const first = text.charCodeAt(0);
  if (first === 0x7b) return 'json';
  return first === 0x3c && text.startsWith('<Event') ? 'xml' : 'text';
}

/** Numbers up to this belong to the extractors that come with Tyrian. */
const LAST_NATIVE_ID = 10_000;
/** First letters that have lists of their own; all others share one. */
const LETTERS = 128;

/** Programs by the first letter of the texts that they may take; each list is in the order of the set. */
type ByLetter = readonly (readonly CompiledExtractor[])[];

function byLetter(programs: readonly CompiledExtractor[]): ByLetter {
  const lists: CompiledExtractor[][] = [];
  for (let code = 0; code < LETTERS; code += 1)
    lists.push(programs.filter((program) => program.mayBeginWith(code)));
  return [...lists, [...programs]];
}

const listFor = (lists: ByLetter, text: string): readonly CompiledExtractor[] => {
  const code = text.charCodeAt(0);
  return lists[code < LETTERS ? code : LETTERS] ?? [];
};

class Sorted implements ExtractorSet {
  readonly size: number;
  readonly broken: readonly number[];
  readonly #byApp = new Map<string, CompiledExtractor[]>();
  readonly #byDecoder = new Map<string, CompiledExtractor[]>();
  readonly #byFields: CompiledExtractor[] = [];
  /** The fields that these ask for first; a record without any of them is none of theirs. */
  readonly #firstFields = new Set<string>();
  readonly #messages: Readonly<Record<'text' | 'json' | 'xml', ByLetter>>;
  /** For records whose header of syslog is still to be read: what looks behind the header comes later. */
  readonly #headed: ByLetter;

  constructor(sources: readonly ExtractorSource[]) {
    const broken: number[] = [];
    const byText: CompiledExtractor[] = [];
    for (const source of sources) {
      const program = programOf(source);
      if (program === null) broken.push(source.id);
      else this.#place(program, byText);
    }
    const shaped = (shape: RecordShape) =>
      byLetter(byText.filter(({ extractor }) => extractor.shape === 'any' || extractor.shape === shape));
    this.#messages = { text: shaped('text'), json: shaped('json'), xml: shaped('xml') };
    this.#headed = byLetter(byText.filter(({ id, isAnchored }) => isAnchored || id > LAST_NATIVE_ID));
    this.broken = broken;
    this.size = sources.length - broken.length;
  }

  #place(program: CompiledExtractor, byText: CompiledExtractor[]): void {
    const { builtIn, apps, recordFilters } = program.extractor;
    const into = (map: Map<string, CompiledExtractor[]>, key: string) => {
      const list = map.get(key) ?? [];
      list.push(program);
      map.set(key, list);
    };
    if (builtIn.length > 0) for (const name of builtIn) into(this.#byDecoder, name);
    else if (recordFilters.size > 0) this.#placeByField(program);
    else if (apps.length > 0) for (const app of apps) into(this.#byApp, app.toLowerCase());
    else byText.push(program);
  }

  #placeByField(program: CompiledExtractor): void {
    this.#byFields.push(program);
    const [path = ''] = program.extractor.recordFilters.keys();
    this.#firstFields.add(path).add(path.replace(/(?:\[\])?(?:\..*)?$/, ''));
  }

  readText(input: RecordInput): DecodedEvent | undefined {
    const { text, app, isHeaded } = input;
    if (app !== undefined && this.#byApp.size > 0) {
      for (const program of this.#byApp.get(app.toLowerCase()) ?? []) {
        const event = program.takesText(text) ? program.read(input) : undefined;
        if (event !== undefined) return event;
      }
    }
    const lists = isHeaded ? this.#headed : this.#messages[shapeOf(text)];
    for (const program of listFor(lists, text)) {
      const event = program.takesText(text) ? program.read(input) : undefined;
      if (event !== undefined) return event;
    }
    return undefined;
  }

  readObject(record: Fields, text: () => string, nowMs: number): DecodedEvent | undefined {
    if (!this.#mayTake(record)) return undefined;
    for (const program of this.#byFields) {
      const event = readObjectBy(program, record, text, nowMs);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  #mayTake(record: Fields): boolean {
    for (const name in record) if (this.#firstFields.has(name)) return true;
    return false;
  }

  complete(event: DecodedEvent, text: string | undefined, nowMs: number): void {
    if (event.extractorId !== undefined) return;
    const programs = this.#byDecoder.get(event.sourceType);
    if (programs === undefined) return;
    for (const program of programs) {
      if (program.extractor.masterFilters.length > 0 && (text === undefined || !program.takesText(text)))
        continue;
      if (!program.takesFields(event.columns)) continue;
      program.complete(event, nowMs);
      return;
    }
  }
}

function readObjectBy(
  program: CompiledExtractor,
  record: Fields,
  text: () => string,
  nowMs: number,
): DecodedEvent | undefined {
  const { extractor } = program;
  if (!program.takesFields(record)) return undefined;
  if (extractor.masterFilters.length > 0 && !program.takesText(text())) return undefined;
  const needsText = extractor.subs.length > 0 || extractor.entries.some(({ format }) => format !== 'json');
  const input = { app: undefined, isHeaded: false, nowMs, heads: undefined };
  return program.read(Object.assign(input, { text: needsText ? text() : '', json: record }));
}

/** Sorts and compiles extractors, the first of the list before the others. Never throws; what is broken is left out. */
export function compileExtractors(sources: readonly ExtractorSource[]): ExtractorSet {
  return new Sorted(sources);
}

export type { LogHeads };
