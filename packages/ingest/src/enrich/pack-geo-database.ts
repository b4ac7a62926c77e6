import type { GeoMeta } from './geo-database.ts';
import { packSections } from './packed-sections.ts';
import { IPV6_WORDS, readIpv6 } from './read-address.ts';

// The databases of addresses, out of their CSV files into sorted arrays. Files have more than a million lines, so numbers
// are read from the bytes.

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

const COMMA = 44;
const NEWLINE = 10;

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

interface Ranges {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly values: Uint32Array;
}

/** What stands behind the range in a line, from a byte to another, as a number. */
type ReadRest = (text: Uint8Array, from: number, to: number) => number;

const latin = (text: Uint8Array, from: number, to: number): string =>
  Buffer.from(text.buffer, text.byteOffset + from, to - from).toString('latin1');

function decimal(text: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + (text[at] as number) - 48;
  return number;
}

/** Puts four words of an address, or one, behind the others. */
function putAddress(family: 4 | 6, into: Words, text: Uint8Array, from: number, to: number): void {
  if (family === 4) into.push(decimal(text, from, to));
  else {
    readIpv6(latin(text, from, to));
    for (const word of IPV6_WORDS) into.push(word);
  }
}

function rangesOf(family: 4 | 6, file: Uint8Array | undefined, readRest: ReadRest): Ranges {
  const [starts, ends, values] = [new Words(), new Words(), new Words()];
  const text = file ?? new Uint8Array();
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf(NEWLINE, at);
    const end = newline < 0 ? text.length : newline;
    const one = text.indexOf(COMMA, at);
    const two = text.indexOf(COMMA, one + 1);
    if (one > 0 && two > one && two < end) {
      putAddress(family, starts, text, at, one);
      putAddress(family, ends, text, one + 1, two);
      values.push(readRest(text, two + 1, end));
    }
    at = end + 1;
  }
  return { starts: starts.done(), ends: ends.done(), values: values.done() };
}

/** `13335,"Cloudflare, Inc."` as number and name; names of others than ASCII come as UTF-8 read as Latin-1. */
function systemOf(rest: string): readonly [number, string] {
  const comma = rest.indexOf(',');
  const written = rest.slice(comma + 1).trim();
  const name = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
  return [Number(rest.slice(0, comma)), Buffer.from(name, 'latin1').toString('utf8')];
}

/** Countries by the two letters of their code. */
class Countries {
  readonly names: string[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #known: GeoFiles['countryNames'];

  constructor(known: GeoFiles['countryNames']) {
    this.#known = known;
  }

  readonly read: ReadRest = (text, from, to) => {
    const letters = (text[from] as number) * 256 + (text[from + 1] as number);
    const known = this.#numbers.get(letters);
    if (known !== undefined) return known;
    const code = latin(text, from, to).trim();
    this.#numbers.set(letters, this.names.length);
    return this.names.push(this.#known[code] ?? code) - 1;
  };
}

/** Autonomous systems, each with its number and name. */
class Systems {
  readonly #known = new Map<string, number>();
  readonly #numbers = new Words();
  readonly #names = new Words();
  readonly #texts: Buffer[] = [];
  #bytes = 0;

  readonly read: ReadRest = (text, from, to) => {
    const rest = latin(text, from, to);
    const known = this.#known.get(rest);
    if (known !== undefined) return known;
    const [number, name] = systemOf(rest);
    const bytes = Buffer.from(name);
    this.#numbers.push(number);
    this.#names.push(this.#bytes);
    this.#texts.push(bytes);
    this.#bytes += bytes.length;
    this.#known.set(rest, this.#known.size);
    return this.#known.size - 1;
  };

  done() {
    this.#names.push(this.#bytes);
    return {
      systemNumbers: this.#numbers.done(),
      names: this.#names.done(),
      nameTexts: Buffer.concat(this.#texts),
    };
  }
}

/** Packs the databases into memory that threads share. Takes about a second of processor time. */
export function packGeoDatabase(files: GeoFiles): Uint8Array {
  const countries = new Countries(files.countryNames);
  const systems = new Systems();
  const c4 = rangesOf(4, files.countryV4, countries.read);
  const c6 = rangesOf(6, files.countryV6, countries.read);
  const a4 = rangesOf(4, files.asnV4, systems.read);
  const a6 = rangesOf(6, files.asnV6, systems.read);
  const ranges = {
    countries: c4.values.length + c6.values.length,
    systems: a4.values.length + a6.values.length,
  };
  const meta: GeoMeta = { version: files.version, countries: countries.names, ranges };
  return packSections(
    meta,
    {
      ...{ c4starts: c4.starts, c4ends: c4.ends, c4values: Uint16Array.from(c4.values) },
      ...{ c6starts: c6.starts, c6ends: c6.ends, c6values: Uint16Array.from(c6.values) },
      ...{ a4starts: a4.starts, a4ends: a4.ends, a4values: a4.values },
      ...{ a6starts: a6.starts, a6ends: a6.ends, a6values: a6.values },
      ...systems.done(),
    },
    true,
  );
}
