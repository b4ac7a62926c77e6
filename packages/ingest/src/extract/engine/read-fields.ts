import { readCefFields } from '../../decoders/cef.ts';
import { readKeyValues } from '../../decoders/key-value.ts';
import type { Fields } from '../../event-row.ts';
import { isJsonObject, parseJsonRecord } from '../../normalise/parse-json-record.ts';
import { jsonFault, pairsFault } from '../../record-limits.ts';
import type { ExtractorEntry } from '../language/extractor.ts';
import { compilePattern } from '../pattern/compile-pattern.ts';
import { readXmlFields } from './read-xml-fields.ts';
import { namedCells, splitCells, splitPairs } from './split-cells.ts';

// How each format of an entry reads a record into fields.

/** Names of cells that the head of a file gave, by extractor; of one delivery. */
export type LogHeads = Map<number, readonly string[]>;

export interface RecordInput {
  readonly text: string;
  /** The record as JSON, where somebody has parsed it already. */
  readonly json: Fields | undefined;
  /** The program that a syslog header named. */
  readonly app: string | undefined;
  /** A header of syslog stands in front and is still to be read. */
  readonly isHeaded: boolean;
  readonly nowMs: number;
  readonly heads: LogHeads | undefined;
}

/** What a line of the head of a file says of itself. */
export const HEAD_FIELD = '#head';

/** Undefined: the record is not in the format. */
export type ReadFields = (input: RecordInput, extractorId: number) => Fields | undefined;

function readJson({ text, json }: RecordInput): Fields | undefined {
  if (json !== undefined) return json;
  const start = text.indexOf('{');
  if (start < 0 || start > 500) return undefined;
  const body = start === 0 ? text : text.slice(start);
  if (jsonFault(body) !== undefined) return undefined;
  try {
    const value = parseJsonRecord(body);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function cellsReader(entry: ExtractorEntry, otherwise: string): ReadFields {
  const separator = entry.separator ?? otherwise;
  return ({ text }) => {
    const cells = splitCells(text, separator);
    return cells.length < 2 ? undefined : namedCells(cells, entry.columns);
  };
}

/** What W3C, Zeek and their relatives write for an empty cell. */
const isNothing = (cell: string) => cell === '-' || cell === '(empty)';

function headedReader(entry: ExtractorEntry): ReadFields {
  const { separator } = entry;
  return ({ text, heads }, extractorId) => {
    if (text.startsWith('#')) {
      const [word = '', ...names] = text.split(/[\t ]/).filter((part) => part !== '');
      if (/^#fields:?$/i.test(word)) heads?.set(extractorId, names.slice(0, 500));
      return { [HEAD_FIELD]: word.slice(1).replace(/:$/, '') };
    }
    const cells = splitCells(text, separator ?? (text.includes('\t') ? '\t' : ' '));
    const names = heads?.get(extractorId) ?? entry.columns;
    if (cells.length < 2 || names.length === 0) return undefined;
    return namedCells(
      cells.map((cell) => (isNothing(cell) ? '' : cell)),
      names,
    );
  };
}

function patternReader(entry: ExtractorEntry): ReadFields {
  const patterns = entry.patterns.map(({ source, fields }) => {
    const compiled = compilePattern(source);
    return { compiled, names: compiled.groups.map((group) => fields.get(group) ?? group) };
  });
  return ({ text }) => {
    for (const { compiled, names } of patterns) {
      const found = compiled.match(text);
      if (found === null) continue;
      const read: Fields = {};
      for (const [at, value] of found.entries()) {
        const name = names[at] ?? '';
        const said = value?.trim() ?? '';
        if (name !== '' && said !== '') read[name] ??= said;
      }
      return read;
    }
    return undefined;
  };
}

/** The priority of syslog, which touches the first pair. */
const PRIORITY = /^<\d{1,3}>/;

function pairsReader({ separator, assign }: ExtractorEntry): ReadFields {
  return ({ text }) => {
    if (pairsFault(text) !== undefined) return undefined;
    const fields =
      separator === undefined && assign === undefined
        ? readKeyValues(text.replace(PRIORITY, ''))
        : splitPairs(text, separator ?? ' ', assign ?? '=');
    return Object.keys(fields).length === 0 ? undefined : fields;
  };
}

/** How an entry reads. Throws PatternError for a pattern that is none. */
export function fieldsReader(entry: ExtractorEntry): ReadFields {
  switch (entry.format) {
    case 'json':
      return readJson;
    case 'xml':
      return ({ text }) => readXmlFields(text);
    case 'csv':
      return cellsReader(entry, ',');
    case 'tsv':
      return cellsReader(entry, '\t');
    case 'w3c':
      return headedReader(entry);
    case 'key-value':
      return pairsReader(entry);
    case 'cef':
    case 'leef':
      return ({ text }) =>
        pairsFault(text) === undefined ? readCefFields(text, entry.separator) : undefined;
    case 'regex':
    case 'grok':
      return patternReader(entry);
    case 'none':
      return () => ({});
  }
}
