import { skipSpace, stringEnd, valueEnd } from './json-values.ts';

// Values inside of a JSON text, each as it is written: numbers keep their digits, and only what is asked for is read.

const QUOTE = 34;
const COLON = 58;
const COMMA = 44;
const CLOSE_BRACKET = 93;
const CLOSE_BRACE = 125;

interface Slice {
  readonly start: number;
  readonly end: number;
}

function keyOf(text: string, { start, end }: Slice): string {
  const written = text.slice(start, end);
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** Where the member of an object stands; undefined when it has none such, or cannot be read up to it. */
function memberAt(text: string, object: number, name: string): Slice | undefined {
  let at = skipSpace(text, object + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyEnd = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : -1;
    if (keyEnd < 0) return undefined;
    const colon = skipSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return undefined;
    const start = skipSpace(text, colon + 1);
    const end = valueEnd(text, start);
    if (end < 0) return undefined;
    if (keyOf(text, { start: at, end: keyEnd }) === name) return { start, end };
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** The text of the value at a way of names, such as `['data', 'items']`; undefined when there is none. */
export function jsonTextAt(text: string, path: readonly string[]): string | undefined {
  let start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  let end = valueEnd(text, start);
  for (const name of path) {
    if (end < 0 || text[start] !== '{') return undefined;
    const found = memberAt(text, start, name);
    if (found === undefined) return undefined;
    ({ start, end } = found);
  }
  return end < 0 ? undefined : text.slice(start, end);
}

/** The elements of an array, each as it is written; undefined when the text is no array that ends. */
export function jsonElements(array: string): readonly string[] | undefined {
  if (!array.startsWith('[')) return undefined;
  const elements: string[] = [];
  let at = skipSpace(array, 1);
  while (at < array.length && array.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = valueEnd(array, at);
    if (end < 0) return undefined;
    elements.push(array.slice(at, end));
    at = skipSpace(array, end);
    if (array.charCodeAt(at) === COMMA) at = skipSpace(array, at + 1);
    else if (array.charCodeAt(at) !== CLOSE_BRACKET) return undefined;
  }
  return at < array.length ? elements : undefined;
}

/** A JSON value on one line: line breaks stand between its parts only, and become spaces. */
export function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]+[ \t]*/g, ' ') : json;
}
