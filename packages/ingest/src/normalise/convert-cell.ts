import { EVENT_COLUMNS } from '@tyrian/catalog';

// What a column accepts. A value that does not fit answers undefined, and its owner keeps it in `Ext`:
// nothing is bent to fit, and nothing is lost.

type CellKind = 'text' | 'int' | 'long' | 'ip' | 'named';

const IP_COLUMNS = new Set(['SrcIpAddr', 'DstIpAddr', 'DvcIpAddr']);
/** Columns in which the `-` of Windows and web logs means "nothing", not a name. */
const NAMED_COLUMNS = new Set([
  'SrcHostname',
  'DstHostname',
  'FileHashMd5',
  'FileHashSha1',
  'FileHashSha256',
  'FileHashImphash',
  'Hashes',
  'HttpReferrer',
  'HttpUserAgent',
]);

function kindOf(name: string, type: string): CellKind {
  if (type === 'int') return 'int';
  if (type === 'long') return 'long';
  if (IP_COLUMNS.has(name)) return 'ip';
  return NAMED_COLUMNS.has(name) ? 'named' : 'text';
}

const CELL_KINDS: ReadonlyMap<string, CellKind> = new Map(
  EVENT_COLUMNS.map(({ name, type }) => [name, kindOf(name, type)]),
);

const WHOLE_NUMBER = /^\s*[+-]?\d{1,15}(\.0+)?\s*$/;
const HEX_NUMBER = /^\s*0x[0-9a-f]{1,13}\s*$/i;

/** Reads a whole number: decimal text, hexadecimal text with `0x`, or a number. Else undefined. */
export function toWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (WHOLE_NUMBER.test(value)) return Math.trunc(Number(value));
  return HEX_NUMBER.test(value) ? Number(value) : undefined;
}

/** The longest text form of an IPv6 address with a zone; the expressions below are not tried on longer text. */
const LONGEST_IP = 80;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(%[\w.-]+)?$/i;

/** An IP address as text, an IPv4 address mapped into IPv6 as IPv4; undefined when it is no address. */
export function toIpAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_IP) return undefined;
  const bare = value.startsWith('::ffff:') && IPV4.test(value.slice(7)) ? value.slice(7) : value;
  return IPV4.test(bare) || IPV6.test(bare) ? bare : undefined;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** The value as the column stores it, or undefined when it does not fit (or there is no such column). */
export function toCell(column: string, value: unknown): string | number | undefined {
  switch (CELL_KINDS.get(column)) {
    case 'text':
      return toText(value);
    case 'int': {
      const whole = toWholeNumber(value);
      return whole !== undefined && Math.abs(whole) <= 0x7fffffff ? whole : undefined;
    }
    case 'long':
      return toWholeNumber(value);
    case 'ip':
      return toIpAddress(value);
    case 'named':
      return value === '-' ? undefined : toText(value);
    default:
      return undefined;
  }
}
