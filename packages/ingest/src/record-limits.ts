import { stringEnd } from './framing/json-values.ts';

// What one record may be. All limits of records stand here; docs/ingest.md names them and what happens beyond them. A
// record beyond a limit is stored with its text, as ParseStatus PER and with a mark; nothing reads into it.

/** Of longer records the store keeps the head, a mark and the length. In UTF-16 code units. */
export const MAX_RECORD_CHARS = 1024 * 1024;
/** Levels of objects and arrays in JSON, or of elements in XML. Code that walks a value may go this deep. */
export const DEEPEST_NESTING = 64;
/** Names of fields in one record, at all levels together: members of JSON objects, key=value pairs, XML elements. */
export const MAX_FIELDS = 10_000;
/** Values of the arrays of one record, at all levels together. */
export const MAX_ELEMENTS = 100_000;
/** Length of one name of a field. */
export const LONGEST_NAME = 4_096;
/** Records inside of records (`message` of a collector, syslog in syslog) that are looked through. */
export const DEEPEST_CARRYING = 8;
/** Nesting that the store's JSON column takes without risk; deeper values are kept as text. */
export const DEEPEST_EXT = 20;

/** Why a record is not read. */
export type RecordFault = 'too-deep' | 'too-many-fields' | 'too-many-elements' | 'too-long-name';

/** What a record beyond a limit says in `ParseError`. */
export const RECORD_FAULT_WORDS: Readonly<Record<RecordFault, string>> = {
  'too-deep': `nested deeper than ${DEEPEST_NESTING} levels`,
  'too-many-fields': `more than ${MAX_FIELDS} fields`,
  'too-many-elements': `more than ${MAX_ELEMENTS} values in arrays`,
  'too-long-name': `a name of a field is longer than ${LONGEST_NAME} characters`,
};

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** True when `part` stands in the text more than `most` times. */
function hasMoreThan(text: string, part: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** True for a text so short and flat that no limit can be passed; costs a few searches for single characters. */
function isHarmless(text: string): boolean {
  if (text.length > LONGEST_NAME) return false;
  return !hasMoreThan(text, '{', DEEPEST_NESTING / 2) && !hasMoreThan(text, '[', DEEPEST_NESTING / 2);
}

/**
 * The limit that a JSON text is beyond, or undefined. Reads the text once from front to back without recursion, so
 * that depth costs no stack; whether the text is valid JSON is not checked.
 */
export function jsonFault(text: string): RecordFault | undefined {
  return isHarmless(text) ? undefined : scanJson(text);
}

function scanJson(text: string): RecordFault | undefined {
  let depth = 0;
  let fields = 0;
  let elements = 0;
  let stringLength = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = stringEnd(text, at);
        if (end < 0) return undefined;
        stringLength = end - at - 2;
        at = end - 1;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > DEEPEST_NESTING) return 'too-deep';
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COLON:
        fields += 1;
        if (fields > MAX_FIELDS) return 'too-many-fields';
        if (stringLength > LONGEST_NAME) return 'too-long-name';
        break;
      case COMMA:
        elements += 1;
        if (elements > MAX_ELEMENTS) return 'too-many-elements';
        break;
    }
  }
  return undefined;
}

/** The limit that an XML text is beyond, or undefined. Counts tags only; reads front to back. */
export function xmlFault(text: string): RecordFault | undefined {
  if (!hasMoreThan(text, '<', DEEPEST_NESTING)) return undefined;
  let depth = 0;
  let elements = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text[at + 1];
    if (next === '/') {
      depth -= 1;
      continue;
    }
    if (next === '!' || next === '?') continue;
    const end = text.indexOf('>', at);
    if (end < 0) return undefined;
    elements += 1;
    if (elements > MAX_FIELDS) return 'too-many-fields';
    if (text[end - 1] !== '/') depth += 1;
    if (depth > DEEPEST_NESTING) return 'too-deep';
  }
  return undefined;
}

/** The limit that a text of key=value pairs is beyond, in any of the forms that write them. */
export function pairsFault(text: string): RecordFault | undefined {
  if (hasMoreThan(text, '=', MAX_FIELDS) || hasMoreThan(text, '][', MAX_FIELDS)) return 'too-many-fields';
  return undefined;
}
