import { lengthAndText, TextWriter, WordsWriter, word64 } from './column-writers.ts';

// The values of one path of a JSON column, in the form that ClickHouse calls flattened: the type of every row's value, then
// the values of each type. The types are those that the engine gives to the same values in text.
// Format: https://clickhouse.com/docs/reference/formats/Native, "Dynamic".

export const FLATTENED = word64(3);
/** The number of a type in a row without a value, until it is known how many types there are. */
const NO_VALUE = 0xff;
const FIRST_BYTES = 256;

export type PathType =
  | 'String'
  | 'Int64'
  | 'UInt64'
  | 'Float64'
  | 'Bool'
  | 'Array(Nullable(String))'
  | 'Array(Nullable(Int64))';

function numberType(value: number): PathType | undefined {
  if (Number.isSafeInteger(value)) return 'Int64';
  if (!Number.isFinite(value)) return undefined;
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 65) return 'Float64';
  // As JSON writes it, which may lie beyond what is meant: -2 ** 63 is written as -9223372036854776000.
  const written = BigInt(String(value));
  if (BigInt.asIntN(64, written) === written) return 'Int64';
  return BigInt.asUintN(64, written) === written ? 'UInt64' : 'Float64';
}

function arrayType(values: readonly unknown[]): PathType | null {
  let texts = 0;
  let numbers = 0;
  for (const value of values) {
    if (typeof value === 'string') texts += 1;
    else if (Number.isSafeInteger(value)) numbers += 1;
    else if (value !== null) return null;
  }
  if (numbers === 0) return 'Array(Nullable(String))';
  return texts === 0 ? 'Array(Nullable(Int64))' : null;
}

/**
 * The type that the engine gives to a value in text; undefined for what JSON leaves out, null for what is no value of one
 * path: objects, arrays of several types or of anything but texts and whole numbers.
 */
export function pathType(value: unknown): PathType | undefined | null {
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number') return numberType(value);
  if (typeof value === 'boolean') return 'Bool';
  if (Array.isArray(value)) return arrayType(value);
  return (typeof value === 'object' && value !== null) || typeof value === 'bigint' ? null : undefined;
}

/** Small numbers one after the other. */
class ByteList {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  /** Fills the gap up to `at`, then writes. */
  put(at: number, value: number, gap = 0): void {
    this.skipTo(at, gap, at + 1);
    this.#bytes[at] = value;
    this.#length = at + 1;
  }

  skipTo(end: number, gap: number, needed: number = end): void {
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 4));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    if (end > this.#length) this.#bytes.fill(gap, this.#length, end);
    this.#length = end;
  }

  /** What has been written, in place. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  finish(): readonly Uint8Array[] {
    return [this.written];
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  clear(): void {
    this.#length = 0;
  }
}

const number64 = new Float64Array(1);
const long64 = new BigInt64Array(number64.buffer);
const words64 = new Int32Array(number64.buffer);

/** A number as 64 bits; a whole one with the digits that JSON writes. */
function number64Words(value: number, type: PathType): number | Int32Array {
  if (type === 'Float64') number64[0] = value;
  else if (Number.isSafeInteger(value)) return value;
  else long64[0] = BigInt.asIntN(64, BigInt(String(value)));
  return words64;
}

/** The values of one type in the order of their rows. */
interface ValueList {
  /** Bytes that are held, used or not. */
  readonly capacity: number;
  push(value: unknown): void;
  finish(): readonly Uint8Array[];
  clear(): void;
}

/** What writes the values of one type by their positions. */
interface PositionWriter {
  readonly capacity: number;
  put(at: number, value: unknown): unknown;
  finish(count: number): readonly Uint8Array[];
  clear(): void;
}

/** Values that are written as they are, or as `written` says. */
class PlainList implements ValueList {
  readonly #writer: PositionWriter;
  readonly #written: ((value: unknown) => unknown) | null;
  #count = 0;

  constructor(writer: PositionWriter, written: ((value: unknown) => unknown) | null = null) {
    this.#writer = writer;
    this.#written = written;
  }

  get capacity(): number {
    return this.#writer.capacity;
  }

  push(value: unknown): void {
    this.#writer.put(this.#count, this.#written === null ? value : this.#written(value));
    this.#count += 1;
  }

  finish(): readonly Uint8Array[] {
    return this.#writer.finish(this.#count);
  }

  clear(): void {
    this.#writer.clear();
    this.#count = 0;
  }
}

const texts = (): PlainList => new PlainList(new TextWriter());

function numbers(type: PathType): PlainList {
  return new PlainList(new WordsWriter(2), (value) => number64Words(value as number, type));
}

const booleans = (): PlainList => new PlainList(new ByteList(), (value) => (value === true ? 1 : 0));

/** Arrays whose values may be null: where each ends, which values are null, and the values. */
class ArrayList implements ValueList {
  readonly #ends = numbers('Int64');
  readonly #nulls = booleans();
  readonly #values: ValueList;
  readonly #empty: unknown;
  #end = 0;

  /** `empty`: what stands in place of a null. */
  constructor(values: ValueList, empty: unknown) {
    this.#values = values;
    this.#empty = empty;
  }

  get capacity(): number {
    return this.#ends.capacity + this.#nulls.capacity + this.#values.capacity;
  }

  push(value: unknown): void {
    for (const item of value as readonly unknown[]) {
      this.#nulls.push(item === null);
      this.#values.push(item ?? this.#empty);
      this.#end += 1;
    }
    this.#ends.push(this.#end);
  }

  finish(): readonly Uint8Array[] {
    return [...this.#ends.finish(), ...this.#nulls.finish(), ...this.#values.finish()];
  }

  clear(): void {
    this.#ends.clear();
    this.#nulls.clear();
    this.#values.clear();
    this.#end = 0;
  }
}

function listOf(type: PathType): ValueList {
  if (type === 'String') return texts();
  if (type === 'Bool') return booleans();
  if (type === 'Array(Nullable(String))') return new ArrayList(texts(), '');
  if (type === 'Array(Nullable(Int64))') return new ArrayList(numbers('Int64'), 0);
  return numbers(type);
}

interface TypedList {
  readonly type: PathType;
  readonly list: ValueList;
  /** Its number among the types of the block. */
  number: number;
}

/** The values of one path in the rows of one block. */
export class PathValues {
  readonly name: Uint8Array;
  readonly #lists = new Map<PathType, TypedList>();
  readonly #numbers = new ByteList();
  #used: TypedList[] = [];
  #held = 0;

  constructor(path: string) {
    this.name = lengthAndText(path);
  }

  get isUsed(): boolean {
    return this.#used.length > 0;
  }

  /** Rows come in order, each once. */
  put(row: number, type: PathType, value: unknown): void {
    let typed = this.#lists.get(type);
    if (typed === undefined) {
      typed = { type, list: listOf(type), number: NO_VALUE };
      this.#lists.set(type, typed);
    }
    if (typed.number === NO_VALUE) {
      typed.number = this.#used.length;
      this.#used.push(typed);
    }
    this.#numbers.put(row, typed.number, NO_VALUE);
    typed.list.push(value);
  }

  /** What stands before the values of all paths: the types. */
  head(): readonly Uint8Array[] {
    return [
      FLATTENED,
      Uint8Array.of(this.#used.length),
      ...this.#used.map(({ type }) => lengthAndText(type)),
    ];
  }

  finish(rows: number): readonly Uint8Array[] {
    this.#numbers.skipTo(rows, NO_VALUE);
    const numbers = this.#numbers.written;
    const none = this.#used.length;
    for (let row = 0; row < rows; row += 1) if (numbers[row] === NO_VALUE) numbers[row] = none;
    return [numbers, ...this.#used.flatMap(({ list }) => list.finish())];
  }

  /** By how many bytes what is held for the next block has grown since it was asked last. */
  takeGrowth(): number {
    const before = this.#held;
    this.#held = this.#numbers.capacity;
    for (const { list } of this.#lists.values()) this.#held += list.capacity;
    return this.#held - before;
  }

  clear(): void {
    for (const typed of this.#used) {
      typed.list.clear();
      typed.number = NO_VALUE;
    }
    this.#used = [];
    this.#numbers.clear();
  }
}
