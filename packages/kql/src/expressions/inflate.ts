// Inflate (RFC 1951) inside gzip and zlib, for texts that a query holds in base64. What cannot be read is null.

const MAX_BYTES = 4 * 1024 * 1024;
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** How many codes each length has, and the symbols in the order of their codes. */
interface Codes {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = Array.from({ length: 16 }, (_, length) => lengths.filter((one) => one === length).length);
  const symbols = [...lengths.keys()]
    .filter((symbol) => (lengths[symbol] ?? 0) > 0)
    .sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0) || one - other);
  return { counts, symbols };
}

class Bits {
  readonly #bytes: Uint8Array;
  #at: number;
  #bit = 0;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  take(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new RangeError('The compressed text ends too early');
      value |= ((byte >> this.#bit) & 1) << index;
      this.#bit += 1;
      if (this.#bit === 8) {
        this.#bit = 0;
        this.#at += 1;
      }
    }
    return value;
  }

  symbol({ counts, symbols }: Codes): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length < 16; length++) {
      code |= this.take(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? -1;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('No such code');
  }

  toByte(): void {
    if (this.#bit === 0) return;
    this.#bit = 0;
    this.#at += 1;
  }
}

function fixedCodes(): readonly [Codes, Codes] {
  const lengths = Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  );
  return [codesOf(lengths), codesOf(Array<number>(30).fill(5))];
}

function dynamicCodes(bits: Bits): readonly [Codes, Codes] {
  const [literals, distances, meta] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const metaLengths = Array<number>(19).fill(0);
  for (const symbol of ORDER.slice(0, meta)) metaLengths[symbol] = bits.take(3);
  const metaCodes = codesOf(metaLengths);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(metaCodes);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...Array<number>(bits.take(2) + 3).fill(lengths.at(-1) ?? 0));
    else lengths.push(...Array<number>(symbol === 17 ? bits.take(3) + 3 : bits.take(7) + 11).fill(0));
  }
  return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals, literals + distances))];
}

function readBlock(bits: Bits, output: number[], [literals, distances]: readonly [Codes, Codes]): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === 256) return;
    if (symbol < 256) output.push(symbol);
    else {
      const length = (LENGTHS[symbol - 257] ?? 0) + bits.take(LENGTH_BITS[symbol - 257] ?? 0);
      const far = bits.symbol(distances);
      const distance = (DISTANCES[far] ?? 0) + bits.take(far < 4 ? 0 : (far >> 1) - 1);
      if (distance < 1 || distance > output.length)
        throw new RangeError('A distance reaches before the text');
      for (let index = 0; index < length; index++) output.push(output[output.length - distance] ?? 0);
    }
    if (output.length > MAX_BYTES) throw new RangeError('The text is too long');
  }
}

function inflated(bytes: Uint8Array, start: number): Uint8Array {
  const bits = new Bits(bytes, start);
  const output: number[] = [];
  for (let last = 0; last === 0; ) {
    last = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) {
      bits.toByte();
      const length = bits.take(16);
      bits.take(16);
      for (let index = 0; index < length; index++) output.push(bits.take(8));
    } else if (kind === 3) throw new RangeError('No such block');
    else readBlock(bits, output, kind === 1 ? fixedCodes() : dynamicCodes(bits));
  }
  return Uint8Array.from(output);
}

function textOf(base64: string, start: (bytes: Uint8Array) => number): string | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated(bytes, start(bytes)));
  } catch {
    return null;
  }
}

/** Where the blocks of a gzip file begin, after its optional fields. */
function afterGzipHead(bytes: Uint8Array): number {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) throw new RangeError('Not gzip');
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1;
  return flags & 2 ? at + 2 : at;
}

/** The text inside base64 of gzip. */
export const gunzipText = (base64: string): string | null => textOf(base64, afterGzipHead);

/** The text inside base64 of zlib. */
export const unzlibText = (base64: string): string | null =>
  textOf(base64, (bytes) => {
    if (((bytes[0] ?? 0) & 15) !== 8 || (256 * (bytes[0] ?? 0) + (bytes[1] ?? 0)) % 31 !== 0)
      throw new RangeError('Not zlib');
    return 2;
  });
