// Addresses as numbers. Lookups run for every event, so nothing is allocated for an address that is read.

/** The 128 bits of the last IPv6 address that was read, the highest word first. */
export const IPV6_WORDS = new Uint32Array(4);

/** The number of an IPv4 address in dotted form; -1 for anything else. */
export function readIpv4(text: string): number {
  const { length } = text;
  if (length < 7 || length > 15) return -1;
  let number = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (digits === 0 || dots === 3) return -1;
      number = number * 256 + part;
      part = 0;
      digits = 0;
      dots += 1;
    } else {
      if (code < 48 || code > 57 || digits === 3) return -1;
      part = part * 10 + code - 48;
      digits += 1;
      if (part > 255) return -1;
    }
  }
  return dots === 3 && digits > 0 ? number * 256 + part : -1;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const low = code | 32;
  return low >= 97 && low <= 102 ? low - 87 : -1;
}

const groups = new Uint16Array(8);

/** Reads the groups of one half; answers how many there are, -1 when it is malformed. */
function readGroups(text: string, first: number, end: number, into: number): number {
  let at = first;
  let count = 0;
  while (at < end) {
    const colon = text.indexOf(':', at);
    const stop = colon < 0 || colon > end ? end : colon;
    if (stop === end && text.indexOf('.', at) >= 0) {
      const mapped = readIpv4(text.slice(at, end));
      if (mapped < 0 || into + count > 6) return -1;
      groups[into + count] = Math.floor(mapped / 65_536);
      groups[into + count + 1] = mapped % 65_536;
      return count + 2;
    }
    if (stop === at || stop - at > 4 || into + count > 7) return -1;
    let value = 0;
    for (; at < stop; at += 1) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    groups[into + count] = value;
    count += 1;
    at += 1;
    if (stop !== end && at === end) return -1;
  }
  return count;
}

/** Reads an IPv6 address into `IPV6_WORDS`; false when the text is none. */
export function readIpv6(text: string): boolean {
  const { length } = text;
  if (length < 2 || length > 45 || text.indexOf(':') < 0) return false;
  const gap = text.indexOf('::');
  groups.fill(0);
  if (gap < 0) {
    if (readGroups(text, 0, length, 0) !== 8) return false;
  } else {
    const before = readGroups(text, 0, gap, 0);
    if (before < 0 || before > 7) return false;
    const head = groups.slice(0, before);
    const after = gap + 2 === length ? 0 : readGroups(text, gap + 2, length, 0);
    if (after < 0 || before + after > 7) return false;
    const tail = groups.slice(0, after);
    groups.fill(0);
    groups.set(head, 0);
    groups.set(tail, 8 - after);
  }
  for (let word = 0; word < 4; word += 1)
    IPV6_WORDS[word] = (groups[word * 2] ?? 0) * 65_536 + (groups[word * 2 + 1] ?? 0);
  return true;
}

/** The IPv4 address within the IPv6 address that was read last (`::ffff:1.2.3.4`); -1 when there is none. */
export function mappedIpv4(): number {
  const [a, b, c, d] = IPV6_WORDS as unknown as [number, number, number, number];
  return a === 0 && b === 0 && c === 0xffff ? d : -1;
}

/** A network in CIDR form, or one address: `v4` with the number, `v6` with the words. */
export interface ReadNetwork {
  readonly family: 4 | 6;
  readonly prefix: number;
  readonly words: readonly number[];
}

function masked(words: readonly number[], prefix: number): number[] {
  return words.map((word, index) => {
    const bits = Math.min(32, Math.max(0, prefix - index * 32));
    return bits === 0 ? 0 : (word & (0xffff_ffff << (32 - bits))) >>> 0;
  });
}

/** Reads `10.0.0.0/8`, `fd00::/8` or an address alone; null when the text is neither. Bits behind the prefix are dropped. */
export function readNetwork(text: string): ReadNetwork | null {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const suffix = slash < 0 ? '' : text.slice(slash + 1);
  if (slash >= 0 && !/^\d{1,3}$/.test(suffix)) return null;
  const v4 = readIpv4(address);
  if (v4 >= 0) {
    const prefix = slash < 0 ? 32 : Number(suffix);
    return prefix > 32 ? null : { family: 4, prefix, words: masked([v4], prefix) };
  }
  if (!readIpv6(address)) return null;
  const prefix = slash < 0 ? 128 : Number(suffix);
  return prefix > 128 ? null : { family: 6, prefix, words: masked([...IPV6_WORDS], prefix) };
}

/** Prefixes of the networks of a table, the longest first. */
export interface PrefixLengths {
  readonly 4: readonly number[];
  readonly 6: readonly number[];
}

/** What networks are looked up in. */
interface NetworkTable {
  findIpv4(network: number, prefix: number): number;
  /** The network of IPv6 with this key. */
  findKey(key: string): number;
}

/** The entry of the narrowest network that holds an address; -1 when none does, or the text is no address. */
export function findNetwork(address: string, prefixes: PrefixLengths, table: NetworkTable): number {
  const plain = readIpv4(address);
  if (plain < 0 && !readIpv6(address)) return -1;
  const number = plain < 0 ? mappedIpv4() : plain;
  if (number >= 0) {
    for (const prefix of prefixes[4]) {
      const entry = table.findIpv4(
        prefix === 0 ? 0 : (number & (0xffff_ffff << (32 - prefix))) >>> 0,
        prefix,
      );
      if (entry >= 0) return entry;
    }
    return -1;
  }
  const words = [...IPV6_WORDS];
  for (const prefix of prefixes[6]) {
    const entry = table.findKey(networkKey({ family: 6, prefix, words: masked(words, prefix) }));
    if (entry >= 0) return entry;
  }
  return -1;
}

/** How a network is kept as a key: `4/24/c0a80100`. */
export function networkKey({ family, prefix, words }: ReadNetwork): string {
  return `${family}/${prefix}/${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`;
}
