// JSON.parse loses digits of whole numbers beyond 2^53 (record numbers, keyword masks). Such numbers are read as
// text instead, so that `Ext` says what the source said.

const LONG_NUMBER = /([:,[]\s*)(-?\d{16,})(?=\s*[,}\]])/g;
const HAS_LONG_NUMBER = /[:,[]\s*-?\d{16}/;

function quoteUnsafe(match: string, before: string, digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? match : `${before}"${digits}"`;
}

/** Parses one JSON text. Throws SyntaxError as JSON.parse does. */
export function parseJsonRecord(text: string): unknown {
  if (!HAS_LONG_NUMBER.test(text)) return JSON.parse(text);
  try {
    // Digits inside of a string are quoted too and break its syntax; then the plain reading is right.
    return JSON.parse(text.replace(LONG_NUMBER, quoteUnsafe));
  } catch {
    return JSON.parse(text);
  }
}

/** True for a JSON object, as opposed to an array, a scalar or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
