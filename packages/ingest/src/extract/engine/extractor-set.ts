import type { DecodedEvent, Fields } from '../../event-row.ts';
import { readExtractor } from '../language/read-extractor.ts';
import { type CompiledExtractor, compileExtractor } from './compile-extractor.ts';
import type { LogHeads, RecordInput } from './read-fields.ts';

// The extractors of a tenant, sorted so that a record meets few of them: those of its program of syslog, those that
// ask for fields of JSON, those that ask for text, and those that complete what a built-in decoder makes.

/** An extractor as it is kept: `id` is its number, whatever the text says. */
export interface ExtractorSource {
  readonly id: number;
  readonly yaml: string;
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

function programOf({ id, yaml }: ExtractorSource): CompiledExtractor | null {
  const key = `${id}\n${yaml}`;
  let program = programs.get(key);
  if (program === undefined) {
    program = compiledOf(id, yaml);
  } else programs.delete(key);
  programs.set(key, program);
  const [oldest] = programs.keys();
  if (programs.size > MOST_PROGRAMS && oldest !== undefined) programs.delete(oldest);
  return program;
}

function compiledOf(id: number, yaml: string): CompiledExtractor | null {
  try {
    const { extractor } = readExtractor(yaml);
    return extractor === null ? null : compileExtractor(id, extractor);
  } catch {
    return null;
  }
}

class Sorted implements ExtractorSet {
  readonly size: number;
  readonly broken: readonly number[];
  readonly #byApp = new Map<string, CompiledExtractor[]>();
  readonly #byDecoder = new Map<string, CompiledExtractor[]>();
  readonly #byText: CompiledExtractor[] = [];
  readonly #byFields: CompiledExtractor[] = [];

  constructor(sources: readonly ExtractorSource[]) {
    const broken: number[] = [];
    for (const source of sources) {
      const program = programOf(source);
      if (program === null) broken.push(source.id);
      else this.#place(program);
    }
    this.broken = broken;
    this.size = sources.length - broken.length;
  }

  #place(program: CompiledExtractor): void {
    const { builtIn, apps, recordFilters } = program.extractor;
    const into = (map: Map<string, CompiledExtractor[]>, key: string) => {
      const list = map.get(key) ?? [];
      list.push(program);
      map.set(key, list);
    };
    if (builtIn.length > 0) for (const name of builtIn) into(this.#byDecoder, name);
    else if (recordFilters.size > 0) this.#byFields.push(program);
    else if (apps.length > 0) for (const app of apps) into(this.#byApp, app.toLowerCase());
    else this.#byText.push(program);
  }

  readText(input: RecordInput): DecodedEvent | undefined {
    const { text, app } = input;
    if (app !== undefined && this.#byApp.size > 0) {
      for (const program of this.#byApp.get(app.toLowerCase()) ?? []) {
        const event = program.takesText(text) ? program.read(input) : undefined;
        if (event !== undefined) return event;
      }
    }
    for (const program of this.#byText) {
      const event = program.takesText(text) ? program.read(input) : undefined;
      if (event !== undefined) return event;
    }
    return undefined;
  }

  readObject(record: Fields, text: () => string, nowMs: number): DecodedEvent | undefined {
    for (const program of this.#byFields) {
      if (!program.takesFields(record)) continue;
      if (program.extractor.masterFilters.length > 0 && !program.takesText(text())) continue;
      const needsText = program.extractor.entries.some(({ format }) => format !== 'json');
      const input = { text: needsText ? text() : '', json: record, app: undefined, nowMs, heads: undefined };
      const event = program.read(input);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  complete(event: DecodedEvent, text: string | undefined, nowMs: number): void {
    if (event.extractorId !== undefined) return;
    for (const program of this.#byDecoder.get(event.sourceType) ?? []) {
      if (program.extractor.masterFilters.length > 0 && (text === undefined || !program.takesText(text)))
        continue;
      program.complete(event, nowMs);
      return;
    }
  }
}

/** Sorts and compiles extractors, the first of the list before the others. Never throws; what is broken is left out. */
export function compileExtractors(sources: readonly ExtractorSource[]): ExtractorSet {
  return new Sorted(sources);
}

export type { LogHeads };
