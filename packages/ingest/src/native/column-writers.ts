// Columns of one block of ClickHouse's Native format, filled row by row. A row that says nothing about a column is
// not written at all: `put` and `finish` fill the gap with the column's empty value. All numbers are little-endian,
// as the format and every processor that Node runs on have them.

/** One column on its way into a block. */
export interface ColumnWriter {
  /** Writes the cell of a row; rows come in order. False when the value does not fit or the row has one already. */
  put(row: number, value: unknown): boolean;
  /** True when some row has a value. */
  isUsed(): boolean;
  /** The bytes of `rows` rows, valid until `clear`. */
  finish(rows: number): readonly Uint8Array[];
  clear(): void;
}

/** Texts shorter than this are copied letter by letter, which is faster than a call into the engine's core. */
const SHORT_TEXT = 40;
const FIRST_BYTES = 8_192;
const FIRST_ROWS = 2_048;
/** A buffer that one strange batch made larger than this is not kept for the next one. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Appends a number as LEB128, the length prefix of the format; answers the new end. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  let left = value;
  while (left >= 0x80) {
    bytes[end] = (left & 0x7f) | 0x80;
    end += 1;
    left = Math.floor(left / 0x80);
  }
  bytes[end] = left;
  return end + 1;
}

/** A text behind its length. */
export function lengthAndText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length = new Uint8Array(5);
  return Buffer.concat([length.subarray(0, putVarint(length, 0, bytes.length)), bytes]);
}

/** Texts with their lengths. Halves of surrogate pairs become U+FFFD, as UTF-8 cannot write them. */
export class TextWriter implements ColumnWriter {
  #bytes = Buffer.alloc(0);
  #end = 0;
  #rows = 0;

  put(row: number, value: unknown): boolean {
    if (row < this.#rows) return false;
    const text = typeof value === 'string' ? value : String(value);
    this.#reserve(text.length * 3 + 8 + row - this.#rows);
    this.#skipTo(row);
    this.#rows = row + 1;
    if (text.length >= SHORT_TEXT || !this.#putAscii(text)) this.#putUtf8(text);
    return true;
  }

  #reserve(more: number): void {
    const needed = this.#end + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }

  #skipTo(row: number): void {
    const end = this.#end + row - this.#rows;
    this.#bytes.fill(0, this.#end, end);
    this.#end = end;
    this.#rows = row;
  }

  #putAscii(text: string): boolean {
    const bytes = this.#bytes;
    let at = this.#end;
    bytes[at] = text.length;
    for (let n = 0; n < text.length; n += 1) {
      const code = text.charCodeAt(n);
      if (code > 0x7f) return false;
      at += 1;
      bytes[at] = code;
    }
    this.#end = at + 1;
    return true;
  }

  #putUtf8(text: string): void {
    const size = Buffer.byteLength(text);
    const at = putVarint(this.#bytes, this.#end, size);
    // As many bytes as letters: ASCII, which is written at the speed of a copy.
    this.#end = at + this.#bytes.write(text, at, size, size === text.length ? 'latin1' : 'utf8');
  }

  /** Bytes that are held. */
  get capacity(): number {
    return this.#bytes.length;
  }

  isUsed(): boolean {
    return this.#rows > 0;
  }

  finish(rows: number): readonly Uint8Array[] {
    this.#reserve(rows - this.#rows);
    this.#skipTo(rows);
    return [this.#bytes.subarray(0, this.#end)];
  }

  clear(): void {
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.alloc(0);
    this.#end = 0;
    this.#rows = 0;
  }
}

/** JSON objects as text, which the engine reads like the text of an insert. */
export class JsonWriter extends TextWriter {
  override finish(rows: number): readonly Uint8Array[] {
    return [JSON_AS_TEXT, ...super.finish(rows)];
  }
}

/** A small number in eight bytes. */
export const word64 = (low: number): Uint8Array => new Uint8Array(new Uint32Array([low, 0]).buffer);
const JSON_AS_TEXT = word64(1);
const SHARED_DICTIONARY = word64(1);
const OWN_KEYS = 1 << 9;

/** LowCardinality(String): each text once, and its number in every row. Number 0 is the empty text. */
export class NameWriter implements ColumnWriter {
  readonly #numbers = new Map<string, number>();
  readonly #names = new TextWriter();
  #rows = new Uint32Array(0);
  #end = 0;

  put(row: number, value: unknown): boolean {
    if (row < this.#end) return false;
    const text = typeof value === 'string' ? value : String(value);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(text, number);
      this.#names.put(number, text);
    }
    this.#skipTo(row, row + 1);
    this.#rows[row] = number;
    return true;
  }

  /** Rows up to `row` without a value get none; there is capacity for `needed` rows. */
  #skipTo(row: number, needed: number): void {
    if (needed > this.#rows.length) {
      const grown = new Uint32Array(Math.max(FIRST_ROWS, needed, this.#rows.length * 2));
      grown.set(this.#rows.subarray(0, this.#end));
      this.#rows = grown;
    }
    if (row > this.#end) this.#rows.fill(0, this.#end, row);
    this.#end = needed;
  }

  isUsed(): boolean {
    return this.#end > 0;
  }

  finish(rows: number): readonly Uint8Array[] {
    this.#skipTo(rows, rows);
    const count = this.#numbers.size + 1;
    const size = count <= 0x100 ? 0 : count <= 0x10000 ? 1 : 2;
    const Numbers = [Uint8Array, Uint16Array, Uint32Array][size] ?? Uint32Array;
    const numbers = Numbers.from(this.#rows.subarray(0, rows));
    return [
      SHARED_DICTIONARY,
      word64(OWN_KEYS | size),
      word64(count),
      ...this.#names.finish(count),
      word64(rows),
      new Uint8Array(numbers.buffer),
    ];
  }

  clear(): void {
    this.#numbers.clear();
    this.#names.clear();
    this.#end = 0;
  }
}

/** Whole numbers of 32 or 64 bits, null where a row has none. */
export class NumberWriter implements ColumnWriter {
  readonly #words: 1 | 2;
  #nulls = new Uint8Array(0);
  #values = new Int32Array(0);
  #end = 0;

  constructor(bits: 32 | 64) {
    this.#words = bits === 32 ? 1 : 2;
  }

  put(row: number, value: unknown): boolean {
    if (row < this.#end || typeof value !== 'number' || !Number.isSafeInteger(value)) return false;
    if (this.#words === 1 && (value | 0) !== value) return false;
    this.#skipTo(row, row + 1);
    this.#nulls[row] = 0;
    putWords(this.#values, row * this.#words, value, this.#words);
    return true;
  }

  #skipTo(row: number, needed: number): void {
    if (needed > this.#nulls.length) {
      const capacity = Math.max(FIRST_ROWS, needed, this.#nulls.length * 2);
      const nulls = new Uint8Array(capacity);
      nulls.set(this.#nulls.subarray(0, this.#end));
      const values = new Int32Array(capacity * this.#words);
      values.set(this.#values.subarray(0, this.#end * this.#words));
      this.#nulls = nulls;
      this.#values = values;
    }
    if (row > this.#end) {
      this.#nulls.fill(1, this.#end, row);
      this.#values.fill(0, this.#end * this.#words, row * this.#words);
    }
    this.#end = needed;
  }

  isUsed(): boolean {
    return this.#end > 0;
  }

  finish(rows: number): readonly Uint8Array[] {
    this.#skipTo(rows, rows);
    return [this.#nulls.subarray(0, rows), new Uint8Array(this.#values.buffer, 0, rows * this.#words * 4)];
  }

  clear(): void {
    this.#end = 0;
  }
}

/** A whole number as one or two words, the lower one first. */
function putWords(words: Int32Array, at: number, value: number, count: 1 | 2): void {
  words[at] = value;
  if (count === 2) words[at + 1] = Math.floor(value / 0x1_0000_0000);
}

/** Values of a fixed width that every row has: small numbers (one word), times (two) and identities (four). */
export class WordsWriter implements ColumnWriter {
  readonly #width: number;
  #words = new Int32Array(0);
  #rows = 0;

  /** `width`: words of 32 bits in a value. */
  constructor(width: number) {
    this.#width = width;
  }

  /** A number, or the words themselves. */
  put(row: number, value: unknown): boolean {
    if (row !== this.#rows) return false;
    const at = row * this.#width;
    if (at + this.#width > this.#words.length) {
      const grown = new Int32Array(Math.max(FIRST_ROWS * this.#width, this.#words.length * 2));
      grown.set(this.#words.subarray(0, at));
      this.#words = grown;
    }
    if (typeof value === 'number') putWords(this.#words, at, value, this.#width === 1 ? 1 : 2);
    else this.#words.set(value as Int32Array, at);
    this.#rows += 1;
    return true;
  }

  /** Bytes that are held. */
  get capacity(): number {
    return this.#words.byteLength;
  }

  isUsed(): boolean {
    return this.#rows > 0;
  }

  finish(rows: number): readonly Uint8Array[] {
    if (rows !== this.#rows) throw new Error(`a column of ${this.#rows} rows in a block of ${rows}`);
    return [new Uint8Array(this.#words.buffer, 0, rows * this.#width * 4)];
  }

  clear(): void {
    this.#rows = 0;
  }
}
