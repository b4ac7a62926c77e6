import type { SigmaDocument } from '../sigma-document.ts';
import { faults, refuse, SigmaFailure, type SigmaFault } from '../sigma-faults.ts';
import { readYaml } from '../yaml/read-sigma-yaml.ts';
import { entryOf, type YamlEntry, type YamlMap } from '../yaml/yaml-value.ts';
import { readCorrelation } from './read-correlation.ts';
import { readFilter, readRule } from './read-rule.ts';

// A text of Sigma to its documents. A text may hold several behind `---`: rules, correlations of them and filters. Of
// Sigma 1 come `action: global`, whose values every later document of the text has as well, `repeat`, which takes the
// document before, and `reset`.

/** A document, or why it is none. What stands beside it in the text is not touched by its fault. */
export type ReadDocument =
  | { readonly ok: true; readonly document: SigmaDocument }
  | {
      readonly ok: false;
      readonly fault: SigmaFault;
      /** As far as they could be read. */
      readonly title?: string;
      readonly id?: string;
    };

/** A document with the values that it was read from; null for a text that is no YAML. */
export interface SourcedDocument {
  readonly map: YamlMap | null;
  readonly read: ReadDocument;
}

/** Reads a text. Never throws: a text that is no YAML is one fault. */
export function readSourced(text: string): readonly SourcedDocument[] {
  try {
    return withActions(readYaml(text)).map((map) => ({ map, read: readDocument(map) }));
  } catch (error) {
    return [{ map: null, read: { ok: false, fault: faultOf(error, text.length) } }];
  }
}

/** Reads a text. Never throws: a text that is no YAML is one fault. */
export const readSigma = (text: string): readonly ReadDocument[] => readSourced(text).map(({ read }) => read);

/** Reads a text that holds one rule; several are a fault at the second of them. */
export function readOneSigma(text: string): ReadDocument {
  const documents = readSigma(text);
  const [first, second] = documents;
  if (!first) throw new Error('a text is read as one document at least');
  if (!second) return first;
  const at = second.ok ? second.document.span : second.fault.span;
  return { ok: false, fault: faults.severalRules({ start: at.start, end: at.start }, documents.length) };
}

/** Reads the bytes of a file; what is no UTF-8 is a fault. */
export function readSigmaBytes(bytes: Uint8Array): readonly ReadDocument[] {
  try {
    return readSigma(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return [{ ok: false, fault: faults.notUtf8({ start: 0, end: 0 }) }];
  }
}

function faultOf(error: unknown, length: number): SigmaFault {
  if (error instanceof SigmaFailure) return error.fault;
  // Deeper than the stack: whatever it was, no rule is written so.
  if (error instanceof RangeError) return faults.tooDeep({ start: 0, end: length }, 32);
  throw error;
}

function readDocument(map: YamlMap): ReadDocument {
  try {
    return { ok: true, document: documentOf(map) };
  } catch (error) {
    const text = (key: string): string | undefined => {
      const value = entryOf(map, key)?.value;
      return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined;
    };
    const [title, id] = [text('title'), text('id')];
    return {
      ok: false,
      fault: faultOf(error, map.span.end),
      ...(title === undefined ? {} : { title }),
      ...(id === undefined ? {} : { id }),
    };
  }
}

function documentOf(map: YamlMap): SigmaDocument {
  if (entryOf(map, 'correlation')) return readCorrelation(map);
  if (entryOf(map, 'filter')) return readFilter(map);
  return readRule(map);
}

function withActions(maps: readonly YamlMap[]): readonly YamlMap[] {
  const documents: YamlMap[] = [];
  let global: YamlMap | null = null;
  let before: YamlMap | null = null;
  for (const map of maps) {
    const action = entryOf(map, 'action');
    const name = action?.value.kind === 'scalar' ? action.value.text : undefined;
    const own = without(map, 'action');
    if (action && name === 'global') {
      global = global ? combined(global, own) : own;
      continue;
    }
    if (action && name === 'reset') {
      global = null;
      if (own.entries.length === 0) continue;
    } else if (action && name !== 'repeat') refuse(faults.action(action.value.span, name ?? ''));
    const base: YamlMap | null = name === 'repeat' ? before : global;
    before = base ? combined(base, own) : own;
    documents.push(before);
  }
  // A text of global values alone is no rule; the fault says what it lacks.
  return documents.length === 0 && global ? [global] : documents;
}

const without = (map: YamlMap, key: string): YamlMap => ({
  ...map,
  entries: map.entries.filter((entry) => entry.key !== key),
});

/** The values of both; where both have a map the maps are combined, else the second has its way. */
function combined(first: YamlMap, second: YamlMap): YamlMap {
  const entries = new Map<string, YamlEntry>(first.entries.map((entry) => [entry.key, entry]));
  for (const entry of second.entries) {
    const known = entries.get(entry.key)?.value;
    const value =
      known?.kind === 'map' && entry.value.kind === 'map' ? combined(known, entry.value) : entry.value;
    entries.set(entry.key, { ...entry, value });
  }
  return { ...second, entries: [...entries.values()] };
}
