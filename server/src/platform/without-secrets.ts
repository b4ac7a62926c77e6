import { pino } from 'pino';

// What is logged loses its secrets by the name under which they stand, at any depth, before anything is written.

/** Names whose values are secrets: `password`, `SSID`, `headers.authorization`, `bindPassword`, `api_key`, … */
export const SECRET_NAME =
  /passw(or)?d|passphrase|secret|token|ssid|authorization|cookie|api[-_]?key|private[-_]?key|credential|recovery|^otp$|^pass$/i;

/** Parts of an error of PostgreSQL that repeat values of rows. */
const ROW_VALUES = new Set(['detail', 'where', 'internalQuery', 'parameters']);

const DEEPEST = 8;
const MAX_ITEMS = 100;

/**
 * A copy of what is logged: values under a secret's name become `[secret]`, whatever is deeper than eight levels or
 * longer than a hundred items is cut and says so. Errors become plain objects with type, message, stack and code.
 */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[deeper]';
  if (value instanceof Error) return withoutSecrets(pino.stdSerializers.err(value), depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => withoutSecrets(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  const copy: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (ROW_VALUES.has(name)) continue;
    copy[name] = SECRET_NAME.test(name) && one !== null ? '[secret]' : withoutSecrets(one, depth + 1);
  }
  return copy;
}
