// JSON.parse loses digits of whole numbers beyond 2^53 (record numbers, keyword masks). Such numbers are read as
// text instead, so that `Ext` says what the source said.

/** Whole numbers with so many digits that some may be lost; some may stand inside of strings. */
const LONG_NUMBER = /[:,[]\s*(-?\d{16,})(?![\d.eE])/g;
/** Strings are matched so that digits inside of them are passed over. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** More long numbers are not looked for by their names, one after the other. */
const MOST_BY_NAME = 4;
const WHOLE = /^-?\d{16,}$/;

const isUnsafe = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

const quoteUnsafe = (token: string): string =>
  WHOLE.test(token) && isUnsafe(Number(token)) ? `"${token}"` : token;

type Container = Record<string, unknown>;

/** Where a number stands that may have lost digits. */
interface Place {
  readonly container: Container;
  readonly name: string;
}

/** At all levels; an array is a container whose names are positions. */
function unsafePlaces(root: Container): readonly Place[] {
  const places: Place[] = [];
  const open = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const name in container) {
      const value = container[name];
      if (typeof value === 'object' && value !== null) open.push(value as Container);
      else if (typeof value === 'number' && isUnsafe(value)) places.push({ container, name });
    }
  }
  return places;
}

const IS_LETTER = /^[A-Za-z_@]/;
const BACKSLASH = 92;
/** A whole number behind a name, and what ends it. */
const VALUE = /\s*:\s*(-?\d+)(?=\s*[,}])/y;

/**
 * What was written behind a name that stands in the text once; undefined when that is not certain. A quote that no backslash
 * precedes begins or ends a string, and what stands between two strings begins with no letter; so the name is a whole string.
 */
function writtenBehind(name: string, text: string): string | undefined {
  if (!IS_LETTER.test(name)) return undefined;
  const quoted = `"${name}"`;
  const at = text.indexOf(quoted);
  if (at < 0 || text.charCodeAt(at - 1) === BACKSLASH) return undefined;
  if (text.indexOf(quoted, at + 1) >= 0) return undefined;
  VALUE.lastIndex = at + quoted.length;
  return VALUE.exec(text)?.[1];
}

/** The same as `putTexts` where each place has a name of its own, without reading the whole text. False: nothing was put. */
function putNamedTexts(places: readonly Place[], text: string): boolean {
  if (places.length > MOST_BY_NAME) return false;
  const written = places.map(({ name }) => writtenBehind(name, text));
  const isCertain = places.every(({ container, name }, at) => Number(written[at]) === container[name]);
  if (!isCertain) return false;
  for (const [at, { container, name }] of places.entries()) container[name] = written[at];
  return true;
}

/**
 * Puts what was written in the places. False when it is not certain which text belongs where: one stands inside of a string,
 * or two that differ become the same number. Some places may have been filled then.
 */
function putTexts(places: readonly Place[], text: string): boolean {
  const written = new Map<number, string>();
  let left = 0;
  for (const [, digits = ''] of text.matchAll(LONG_NUMBER)) {
    const value = Number(digits);
    if (!isUnsafe(value)) continue;
    if ((written.get(value) ?? digits) !== digits) return false;
    written.set(value, digits);
    left += 1;
  }
  for (const { container, name } of places) {
    const digits = written.get(container[name] as number);
    if (digits === undefined) continue;
    container[name] = digits;
    left -= 1;
  }
  return left === 0;
}

/**
 * Parses one JSON text. Throws SyntaxError as JSON.parse does. Long numbers are found in what was parsed, which takes less time
 * than reading the text string by string; the latter is done where it is not certain which number was written how.
 */
export function parseJsonRecord(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return value;
  const places = unsafePlaces(value as Container);
  if (places.length === 0 || putNamedTexts(places, text) || putTexts(places, text)) return value;
  return JSON.parse(text.replace(STRING_OR_NUMBER, quoteUnsafe));
}

/** True for a JSON object, as opposed to an array, a scalar or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
