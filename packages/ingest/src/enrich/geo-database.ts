import { readSections } from './packed-sections.ts';
import { IPV6_WORDS, mappedIpv4, readIpv4, readIpv6 } from './read-address.ts';

// Country and autonomous system of an address, out of sorted ranges in memory that all threads share. Addresses repeat,
// so what was found for the last ones is kept.

/** How the packed databases are described. */
export interface GeoMeta {
  readonly version: string;
  readonly countries: readonly string[];
  readonly ranges: { readonly countries: number; readonly systems: number };
}

/** What is known of an address. Empty texts and 0 where nothing is. */
export interface GeoFacts {
  readonly isPrivate: boolean;
  /** English name. */
  readonly country: string;
  readonly asn: number;
  readonly organization: string;
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
