import { packSections, readSections } from './packed-sections.ts';
import { networkKey } from './read-address.ts';

// A table from texts to values, in one piece of memory: 100,000 indicators take some 6 MB, are read by all threads where
// they lie, and a lookup that finds nothing allocates nothing. Letters of the keys are small; a lookup does not tell
// large from small.

/** What kinds of keys a table holds; equal texts of two kinds are two keys. */
export const KEY_KINDS = { network: 1, domain: 2, url: 3, hash: 4, email: 5, text: 6 } as const;
export type KeyKind = (typeof KEY_KINDS)[keyof typeof KEY_KINDS];

export interface KeyEntry {
  readonly kind: KeyKind;
  readonly key: string;
  /** What is kept under the key, as JSON. Equal texts are kept once. */
  readonly value: string;
}

const WORDS_OF_ENTRY = 5;
const SLASH = 47;
const FOUR = 52;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const isBeyondAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return true;
  return false;
};

/** The code of a letter, small. */
const small = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

const ended = (hash: number, kind: number): number => {
  const mixed = Math.imul(hash ^ kind, FNV_PRIME);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/** From the last letter to the first, so that one walk over a domain meets all domains above it. */
function hashOf(kind: number, text: string): number {
  let hash = FNV_OFFSET;
  for (let at = text.length - 1; at >= 0; at -= 1)
    hash = Math.imul(hash ^ small(text.charCodeAt(at)), FNV_PRIME);
  return ended(hash, kind);
}

interface KeyTableMeta {
  readonly entries: number;
}

/** Texts behind each other, equal ones once. */
class Values {
  readonly #places = new Map<string, readonly [number, number]>();
  readonly texts: Buffer[] = [];
  #bytes = 0;

  /** Where the text stands, and its bytes. */
  put(value: string): readonly [number, number] {
    const known = this.#places.get(value);
    if (known) return known;
    const text = Buffer.from(value);
    const place = [this.#bytes, text.length] as const;
    this.#places.set(value, place);
    this.texts.push(text);
    this.#bytes += text.length;
    return place;
  }
}

/** Packs entries. A key that comes twice keeps its last value. */
export function packKeyTable(entries: Iterable<KeyEntry>): Uint8Array {
  const byKey = new Map<string, { readonly kind: KeyKind; readonly key: string; readonly value: string }>();
  let keyLength = 0;
  for (const { kind, key: written, value } of entries) {
    const key = written.toLowerCase();
    const before = byKey.size;
    byKey.set(`${kind} ${key}`, { kind, key, value });
    if (byKey.size > before) keyLength += key.length;
  }
  let slots = 16;
  while (slots < byKey.size * 2) slots *= 2;
  const table = new Uint32Array(slots);
  const words = new Uint32Array(byKey.size * WORDS_OF_ENTRY);
  const keys = new Uint16Array(keyLength);
  const values = new Values();
  let keyAt = 0;
  let number = 0;
  for (const { kind, key, value } of byKey.values()) {
    const hash = hashOf(kind, key);
    words.set([hash, keyAt, key.length | (kind << 24), ...values.put(value)], number * WORDS_OF_ENTRY);
    for (let at = 0; at < key.length; at += 1) keys[keyAt + at] = key.charCodeAt(at);
    keyAt += key.length;
    let slot = hash & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    number += 1;
    table[slot] = number;
  }
  const meta: KeyTableMeta = { entries: byKey.size };
  return packSections(meta, { table, words, keys, values: Buffer.concat(values.texts) });
}

/** Reads a packed table where it lies. */
export class KeyTable {
  readonly entries: number;
  readonly #table: Uint32Array;
  readonly #words: Uint32Array;
  readonly #keys: Uint16Array;
  readonly #values: Uint8Array;

  constructor(packed: Uint8Array) {
    const sections = readSections<KeyTableMeta>(packed);
    this.entries = sections.meta.entries;
    this.#table = sections.words('table');
    this.#words = sections.words('words');
    this.#keys = sections.shorts('keys');
    this.#values = sections.bytes('values');
  }

  /** The number of the entry with this key; -1 when there is none. */
  find(kind: KeyKind, text: string): number {
    const key = isBeyondAscii(text) ? text.toLowerCase() : text;
    return this.#at(hashOf(kind, key), kind, key, 0);
  }

  /** The entry of a network, by its key. */
  findKey(key: string): number {
    return this.find(KEY_KINDS.network, key);
  }

  /** The entry of a network of IPv4, by its number without the bits behind the prefix; no key is written for it. */
  findIpv4(network: number, prefix: number): number {
    let hash = FNV_OFFSET;
    for (let bits = 0; bits < 32; bits += 4) {
      const digit = (network >>> bits) & 15;
      hash = Math.imul(hash ^ (digit < 10 ? 48 + digit : 87 + digit), FNV_PRIME);
    }
    hash = Math.imul(hash ^ SLASH, FNV_PRIME);
    hash = Math.imul(hash ^ (48 + (prefix % 10)), FNV_PRIME);
    if (prefix >= 10) hash = Math.imul(hash ^ (48 + Math.floor(prefix / 10)), FNV_PRIME);
    hash = ended(Math.imul(Math.imul(hash ^ SLASH, FNV_PRIME) ^ FOUR, FNV_PRIME), KEY_KINDS.network);
    if (!this.#hasHash(hash)) return -1;
    return this.#at(hash, KEY_KINDS.network, networkKey({ family: 4, prefix, words: [network] }), 0);
  }

  #hasHash(hash: number): boolean {
    const table = this.#table;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = table[slot] as number;
      if (number === 0) return false;
      if (this.#words[(number - 1) * WORDS_OF_ENTRY] === hash) return true;
    }
  }

  /** The entry of a domain, or of the nearest domain above it that has one; -1 when there is none. */
  findDomain(name: string): number {
    const text = isBeyondAscii(name) ? name.toLowerCase() : name;
    let found = -1;
    let hash = FNV_OFFSET;
    for (let at = text.length - 1; at >= 0; at -= 1) {
      const code = text.charCodeAt(at);
      if (code === 46) {
        const entry = this.#at(ended(hash, KEY_KINDS.domain), KEY_KINDS.domain, text, at + 1);
        if (entry >= 0) found = entry;
      }
      hash = Math.imul(hash ^ small(code), FNV_PRIME);
    }
    const whole = this.#at(ended(hash, KEY_KINDS.domain), KEY_KINDS.domain, text, 0);
    return whole >= 0 ? whole : found;
  }

  #at(hash: number, kind: number, text: string, from: number): number {
    const table = this.#table;
    const words = this.#words;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = table[slot] as number;
      if (number === 0) return -1;
      const at = (number - 1) * WORDS_OF_ENTRY;
      if (words[at] === hash && this.#isKey(at, kind, text, from)) return number - 1;
    }
  }

  #isKey(at: number, kind: number, text: string, from: number): boolean {
    const first = this.#words[at + 1] as number;
    const length = text.length - from;
    if (this.#words[at + 2] !== (length | (kind << 24))) return false;
    for (let n = 0; n < length; n += 1)
      if (this.#keys[first + n] !== small(text.charCodeAt(from + n))) return false;
    return true;
  }

  keyOf(entry: number): string {
    const at = entry * WORDS_OF_ENTRY;
    const first = this.#words[at + 1] as number;
    const length = (this.#words[at + 2] as number) & 0xff_ffff;
    let key = '';
    for (let n = first; n < first + length; n += 1) key += String.fromCharCode(this.#keys[n] as number);
    return key;
  }

  kindOf(entry: number): KeyKind {
    return ((this.#words[entry * WORDS_OF_ENTRY + 2] as number) >>> 24) as KeyKind;
  }

  /** What is kept under the entry, read from its JSON. */
  valueOf<V>(entry: number): V {
    const at = entry * WORDS_OF_ENTRY;
    const first = this.#words[at + 3] as number;
    const { buffer, byteOffset } = this.#values;
    const text = Buffer.from(buffer, byteOffset + first, this.#words[at + 4] as number);
    return JSON.parse(text.toString('utf8')) as V;
  }
}
