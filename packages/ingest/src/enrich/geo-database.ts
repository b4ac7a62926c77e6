import { packSections, readSections } from './packed-sections.ts';
import { IPV6_WORDS, mappedIpv4, readIpv4, readIpv6 } from './read-address.ts';

// Country and autonomous system of an address, out of sorted ranges in memory that all threads share. Addresses repeat,
// so what was found for the last ones is kept.

/** What is known of an address. Empty texts and 0 where nothing is. */
export interface GeoFacts {
  readonly isPrivate: boolean;
  /** English name. */
  readonly country: string;
  readonly asn: number;
  readonly organization: string;
}

/** Of each database the text of its files; absent ones are not installed. */
export interface GeoFiles {
  readonly version: string;
  /** `first,last,code` with numbers for IPv4 and addresses for IPv6. */
  readonly countryV4?: Uint8Array;
  readonly countryV6?: Uint8Array;
  /** `first,last,number,"organisation"`. */
  readonly asnV4?: Uint8Array;
  readonly asnV6?: Uint8Array;
  /** English names by ISO 3166 code. */
  readonly countryNames: Readonly<Record<string, string>>;
}

interface GeoMeta {
  readonly version: string;
  readonly countries: readonly string[];
  readonly ranges: { readonly countries: number; readonly systems: number };
}

const COMMA = 44;
const NEWLINE = 10;
const QUOTE = 34;

/** Numbers in memory that grows. */
class Words {
  #array = new Uint32Array(65_536);
  length = 0;

  push(value: number): void {
    if (this.length === this.#array.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#array);
      this.#array = grown;
    }
    this.#array[this.length] = value;
    this.length += 1;
  }

  done(): Uint32Array {
    return this.#array.slice(0, this.length);
  }
}

/** Calls `take` with the fields of each line: first, last, and where the rest begins and ends. */
function eachLine(text: Uint8Array, take: (first: string, last: string, rest: string) => void): void {
  let at = 0;
  while (at < text.length) {
    let end = text.indexOf(NEWLINE, at);
    if (end < 0) end = text.length;
    const one = text.indexOf(COMMA, at);
    const two = text.indexOf(COMMA, one + 1);
    if (one > 0 && two > one && two < end) {
      const line = Buffer.from(text.buffer, text.byteOffset + at, end - at).toString('latin1');
      take(line.slice(0, one - at), line.slice(one - at + 1, two - at), line.slice(two - at + 1));
    }
    at = end + 1;
  }
}

interface Ranges {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly values: Uint32Array;
}

function rangesV4(text: Uint8Array | undefined, valueOf: (rest: string) => number): Ranges {
  const [starts, ends, values] = [new Words(), new Words(), new Words()];
  eachLine(text ?? new Uint8Array(), (first, last, rest) => {
    starts.push(Number(first));
    ends.push(Number(last));
    values.push(valueOf(rest));
  });
  return { starts: starts.done(), ends: ends.done(), values: values.done() };
}

function rangesV6(text: Uint8Array | undefined, valueOf: (rest: string) => number): Ranges {
  const [starts, ends, values] = [new Words(), new Words(), new Words()];
  eachLine(text ?? new Uint8Array(), (first, last, rest) => {
    if (!readIpv6(first)) return;
    for (const word of IPV6_WORDS) starts.push(word);
    readIpv6(last);
    for (const word of IPV6_WORDS) ends.push(word);
    values.push(valueOf(rest));
  });
  return { starts: starts.done(), ends: ends.done(), values: values.done() };
}

/** `13335,"Cloudflare, Inc."` as number and name; names of others than ASCII come as UTF-8 read as Latin-1. */
function systemOf(rest: string): readonly [number, string] {
  const comma = rest.indexOf(',');
  let name = rest.slice(comma + 1).trim();
  if (name.charCodeAt(0) === QUOTE) name = name.slice(1, -1).replaceAll('""', '"');
  return [Number(rest.slice(0, comma)), Buffer.from(name, 'latin1').toString('utf8')];
}

/** Packs the databases into memory that threads share. Takes about a second of processor time. */
export function packGeoDatabase(files: GeoFiles): Uint8Array {
  const countries: string[] = [];
  const countryNumbers = new Map<string, number>();
  const countryOf = (written: string) => {
    const code = written.trim();
    let number = countryNumbers.get(code);
    if (number === undefined) {
      number = countries.push(files.countryNames[code] ?? code) - 1;
      countryNumbers.set(code, number);
    }
    return number;
  };
  const systems = new Map<string, number>();
  const systemNumbers = new Words();
  const names = new Words();
  const texts: Buffer[] = [];
  let nameBytes = 0;
  const systemAt = (rest: string) => {
    const known = systems.get(rest);
    if (known !== undefined) return known;
    const [number, name] = systemOf(rest);
    const text = Buffer.from(name);
    systemNumbers.push(number);
    names.push(nameBytes);
    texts.push(text);
    nameBytes += text.length;
    systems.set(rest, systems.size);
    return systems.size - 1;
  };
  const c4 = rangesV4(files.countryV4, countryOf);
  const c6 = rangesV6(files.countryV6, countryOf);
  const a4 = rangesV4(files.asnV4, systemAt);
  const a6 = rangesV6(files.asnV6, systemAt);
  names.push(nameBytes);
  const ranges = {
    countries: c4.values.length + c6.values.length,
    systems: a4.values.length + a6.values.length,
  };
  const meta: GeoMeta = { version: files.version, countries, ranges };
  return packSections(
    meta,
    {
      ...{ c4starts: c4.starts, c4ends: c4.ends, c4values: Uint16Array.from(c4.values) },
      ...{ c6starts: c6.starts, c6ends: c6.ends, c6values: Uint16Array.from(c6.values) },
      ...{ a4starts: a4.starts, a4ends: a4.ends, a4values: a4.values },
      ...{ a6starts: a6.starts, a6ends: a6.ends, a6values: a6.values },
      ...{ systemNumbers: systemNumbers.done(), names: names.done(), nameTexts: Buffer.concat(texts) },
    },
    true,
  );
}

/** Position of the range that holds the number; -1 when none does. */
function findV4(starts: Uint32Array, ends: Uint32Array, number: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= number) low = middle + 1;
    else high = middle - 1;
  }
  return high >= 0 && (ends[high] as number) >= number ? high : -1;
}

/** Whether four words at a position come after those that were read last: > 0, 0 or < 0. */
function compareV6(words: Uint32Array, position: number): number {
  for (let n = 0; n < 4; n += 1) {
    const difference = (words[position * 4 + n] as number) - (IPV6_WORDS[n] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function findV6(starts: Uint32Array, ends: Uint32Array): number {
  let low = 0;
  let high = starts.length / 4 - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compareV6(starts, middle) <= 0) low = middle + 1;
    else high = middle - 1;
  }
  return high >= 0 && compareV6(ends, high) >= 0 ? high : -1;
}

const PRIVATE_V4 = [
  [0x0a000000, 8],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0, 8],
  [0xe0000000, 3],
].map(([network = 0, prefix = 0]) => ({ network, mask: (0xffff_ffff << (32 - prefix)) >>> 0 }));

/** Addresses that no public network has: private, shared by carriers, loopback, link-local, multicast, reserved. */
function isPrivateV4(number: number): boolean {
  for (const { network, mask } of PRIVATE_V4) if ((number & mask) >>> 0 === network) return true;
  return false;
}

/** Everything but global unicast. */
function isPrivateV6(): boolean {
  return (IPV6_WORDS[0] as number) >>> 29 !== 1;
}

const KEPT_ADDRESSES = 16_384;
const NO_FACTS: GeoFacts = { isPrivate: true, country: '', asn: 0, organization: '' };

/** Looks addresses up. */
export class GeoDatabase {
  readonly version: string;
  readonly ranges: GeoMeta['ranges'];
  readonly #countries: readonly string[];
  readonly #arrays: Readonly<Record<`${'c' | 'a'}${4 | 6}${'starts' | 'ends'}`, Uint32Array>>;
  readonly #countryOf: { readonly 4: Uint16Array; readonly 6: Uint16Array };
  readonly #systemOf: { readonly 4: Uint32Array; readonly 6: Uint32Array };
  readonly #systemNumbers: Uint32Array;
  readonly #names: Uint32Array;
  readonly #nameTexts: Uint8Array;
  readonly #known = new Map<string, GeoFacts | null>();

  constructor(packed: Uint8Array) {
    const sections = readSections<GeoMeta>(packed);
    this.version = sections.meta.version;
    this.ranges = sections.meta.ranges;
    this.#countries = sections.meta.countries;
    this.#arrays = {
      ...{ c4starts: sections.words('c4starts'), c4ends: sections.words('c4ends') },
      ...{ c6starts: sections.words('c6starts'), c6ends: sections.words('c6ends') },
      ...{ a4starts: sections.words('a4starts'), a4ends: sections.words('a4ends') },
      ...{ a6starts: sections.words('a6starts'), a6ends: sections.words('a6ends') },
    };
    this.#countryOf = { 4: sections.shorts('c4values'), 6: sections.shorts('c6values') };
    this.#systemOf = { 4: sections.words('a4values'), 6: sections.words('a6values') };
    this.#systemNumbers = sections.words('systemNumbers');
    this.#names = sections.words('names');
    this.#nameTexts = sections.bytes('nameTexts');
  }

  /** What is known of an address; null when the text is none. */
  find(address: string): GeoFacts | null {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const found = this.#read(address);
    if (this.#known.size >= KEPT_ADDRESSES) this.#known.clear();
    // A long text is no address and not worth keeping.
    if (address.length <= 45) this.#known.set(address, found);
    return found;
  }

  #read(address: string): GeoFacts | null {
    const plain = readIpv4(address);
    if (plain < 0 && !readIpv6(address)) return null;
    const number = plain < 0 ? mappedIpv4() : plain;
    const { c4starts, c4ends, c6starts, c6ends, a4starts, a4ends, a6starts, a6ends } = this.#arrays;
    if (number >= 0) {
      if (isPrivateV4(number)) return NO_FACTS;
      return this.#facts(4, findV4(c4starts, c4ends, number), findV4(a4starts, a4ends, number));
    }
    if (isPrivateV6()) return NO_FACTS;
    return this.#facts(6, findV6(c6starts, c6ends), findV6(a6starts, a6ends));
  }

  #facts(family: 4 | 6, country: number, range: number): GeoFacts {
    const system = range < 0 ? -1 : (this.#systemOf[family][range] as number);
    return {
      isPrivate: false,
      country: country < 0 ? '' : (this.#countries[this.#countryOf[family][country] as number] ?? ''),
      asn: system < 0 ? 0 : (this.#systemNumbers[system] as number),
      organization: system < 0 ? '' : this.#nameOf(system),
    };
  }

  #nameOf(system: number): string {
    const first = this.#names[system] as number;
    const { buffer, byteOffset } = this.#nameTexts;
    const length = (this.#names[system + 1] as number) - first;
    return Buffer.from(buffer, byteOffset + first, length).toString('utf8');
  }
}
