// Finds the JSON values that stand one after another in a text, with or without anything between them, as Splunk's
// collector allows. Only borders are found here; JSON.parse decides whether what is between them is right.

interface JsonSlice {
  readonly start: number;
  readonly end: number;
  /** Where the value of the top-level key `event` stands, when there is one. */
  readonly event?: { readonly start: number; readonly end: number };
}

/** What stopped the scan: the end, or text that is no JSON value. */
export interface JsonScan {
  readonly slices: readonly JsonSlice[];
  /** Offset of the first character that belongs to no value; undefined when everything was read. */
  readonly brokenAt?: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;
const COLON = 58;

/** Offset behind the closing quote of the string that starts at `start`; -1 when it does not end. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Offset of the next character that is no space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Offset behind the object or array that starts at `start`; -1 when it does not end. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (at < 0) return -1;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return -1;
}

/** Offset behind the value that starts at `start`; -1 when it does not end or is none. */
export function valueEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return stringEnd(text, start);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return nestedEnd(text, start);
  let at = start;
  while (at < text.length) {
    const next = text.charCodeAt(at);
    if (next <= 32 || next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET) break;
    at += 1;
  }
  return at === start ? -1 : at;
}

/** Reads the members of the object at `start`, so that the value of `event` can be kept as it was written. */
function objectSlice(text: string, start: number): JsonSlice | undefined {
  let at = skipSpace(text, start + 1);
  let event: JsonSlice['event'];
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyEnd = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : -1;
    if (keyEnd < 0) return undefined;
    const colon = skipSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return undefined;
    const from = skipSpace(text, colon + 1);
    const to = valueEnd(text, from);
    if (to < 0) return undefined;
    if (keyEnd - at === 7 && text.startsWith('"event"', at)) event = { start: from, end: to };
    at = skipSpace(text, to);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  if (at >= text.length) return undefined;
  return event === undefined ? { start, end: at + 1 } : { start, end: at + 1, event };
}

/** Finds the objects in a text: concatenated, separated by space or commas, or inside of one array. */
export function scanJsonObjects(text: string): JsonScan {
  const slices: JsonSlice[] = [];
  let at = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  let inArray = false;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE) {
      const slice = objectSlice(text, at);
      if (slice === undefined) return { slices, brokenAt: at };
      slices.push(slice);
      at = skipSpace(text, slice.end);
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
    } else if (code === OPEN_BRACKET && !inArray) {
      inArray = true;
      at = skipSpace(text, at + 1);
    } else if (code === CLOSE_BRACKET && inArray) {
      inArray = false;
      at = skipSpace(text, at + 1);
    } else return { slices, brokenAt: at };
  }
  return inArray ? { slices, brokenAt: text.length } : { slices };
}
