import { EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import type { KqlSchema } from '../event-schema.ts';
import type { FieldFacts } from './complete-kql.ts';

// Where a value of a field is being written: behind a comparison, or in the list of `in`. What values there are only
// the data knows; here is said which field and which streams to ask for.

/** A field whose values are wanted at a position. */
export interface KqlValuePosition {
  /** A column, or `Ext.path`. */
  readonly field: string;
  /** Values are written in quotes. */
  readonly isText: boolean;
  /** Streams that the query names; empty: all. */
  readonly streams: readonly string[];
}

const REFERENCE = String.raw`(?:to(?:string|lower|upper)\(\s*)?(Ext(?:\.\w+|\["[^"\n]*"\])+|[A-Za-z_][\w.]*)\)?`;
const COMPARISON =
  '(?:==|!=|=~|!~|(?:\\s!?(?:has|contains|startswith|endswith|hasprefix|hassuffix)(?:_cs)?\\b)|\\s(?:like|equals)\\b)';
const LIST = '\\s(?:!?in~?|has_any|has_all)\\s*\\(\\s*(?:(?:"[^"\\n]*"|\'[^\'\\n]*\'|[\\w.-]+)\\s*,\\s*)*';
const BEGUN = `("[^"\\n]*|'[^'\\n]*|[\\w.-]*)$`;
const BEHIND_COMPARISON = new RegExp(`${REFERENCE}\\s*${COMPARISON}\\s*${BEGUN}`);
const IN_LIST = new RegExp(`${REFERENCE}${LIST}${BEGUN}`);
const LOOKED_AT = 2000;

const types = new Map<string, string>(EVENT_COLUMNS.map(({ name, type }) => [name, type]));
const streams = new Set<string>(STREAMS.map(({ name }) => name));

/** The field whose value stands, or is about to stand, at a position; null elsewhere. Pure. */
export function valuePlaceKql(
  text: string,
  position: number,
  schema: KqlSchema,
  facts: FieldFacts = new Map(),
): KqlValuePosition | null {
  const before = text.slice(Math.max(0, position - LOOKED_AT), position);
  const found = BEHIND_COMPARISON.exec(before) ?? IN_LIST.exec(before);
  const written = found?.[1];
  if (!written) return null;
  const field = fieldOf(written, schema);
  if (field === null) return null;
  const type = types.get(field) ?? facts.get(field)?.type ?? 'string';
  if (type === 'datetime' || type === 'timespan') return null;
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  const named = [...streams].filter((stream) => words.has(stream));
  return { field, isText: !['int', 'long', 'real', 'decimal', 'bool'].includes(type), streams: named };
}

/** A column by its own or another name, a field of Ext by its path; null for names that the text made up. */
function fieldOf(written: string, schema: KqlSchema): string | null {
  if (types.has(written)) return written;
  const alias = schema.aliases.get(written);
  if (alias !== undefined) return alias;
  const path = written.startsWith('Ext')
    ? written
        .slice('Ext'.length)
        .replace(/\["([^"]*)"\]/g, '.$1')
        .replace(/^\./, '')
    : written;
  return schema.extPaths.has(path) ? `Ext.${path}` : null;
}
