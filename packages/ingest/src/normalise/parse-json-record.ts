// JSON.parse loses digits of whole numbers beyond 2^53 (record numbers, keyword masks). Such numbers are read as
// text instead, so that `Ext` says what the source said.

const HAS_LONG_NUMBER = /[:,[]\s*-?\d{16}/;
/** Strings are matched so that digits inside of them are passed over. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?\d{16,}$/;

function quoteUnsafe(token: string): string {
  return WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

/** Parses one JSON text. Throws SyntaxError as JSON.parse does. */
export function parseJsonRecord(text: string): unknown {
  return JSON.parse(HAS_LONG_NUMBER.test(text) ? text.replace(STRING_OR_NUMBER, quoteUnsafe) : text);
}

/** True for a JSON object, as opposed to an array, a scalar or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
