// Reads blocks that RowBlock wrote back into rows: for the few that the engine refuses, and for tests.

/** Cells by column, as lines of JSON would hold them; empty cells are absent, and `Ext` is text. */
export type ReadRow = Record<string, string | number>;

class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes.readUInt8(this.#at);
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.varint();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  /** An unsigned number of `size` bytes. */
  unsigned(size: 1 | 2 | 4): number {
    this.#at += size;
    return this.#bytes.readUIntLE(this.#at - size, size);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32LE(this.#at - 4);
  }

  int64(): number {
    this.#at += 8;
    return Number(this.#bytes.readBigInt64LE(this.#at - 8));
  }

  /** All digits of a whole number of 64 bits. */
  long(isSigned: boolean): string {
    this.#at += 8;
    const at = this.#at - 8;
    return String(isSigned ? this.#bytes.readBigInt64LE(at) : this.#bytes.readBigUInt64LE(at));
  }

  double(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  hex64(): string {
    this.#at += 8;
    return this.#bytes
      .readBigUInt64LE(this.#at - 8)
      .toString(16)
      .padStart(16, '0');
  }
}

/** JSON by its paths; any other is text. */
const FLATTENED = 3;

type Cells = readonly (string | number | undefined)[];

const many = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);

function readNames(reader: BlockReader, rows: number): Cells {
  reader.int64();
  const size = ([1, 2, 4] as const)[reader.int64() & 3] ?? 4;
  const names = many(reader.int64(), () => reader.text());
  reader.int64();
  return many(rows, () => names[reader.unsigned(size)] || undefined);
}

function readNumbers(reader: BlockReader, rows: number, read: () => number): Cells {
  const nulls = many(rows, () => reader.unsigned(1));
  return nulls.map((isNull) => {
    const value = read();
    return isNull === 1 ? undefined : value;
  });
}

function readUid(reader: BlockReader): string {
  const hex = reader.hex64() + reader.hex64();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A number with a fraction as JSON that the engine reads as one. */
const doubleText = (value: number): string =>
  Number.isInteger(value) ? value.toExponential() : JSON.stringify(value);

/** Values of one type of a path, as JSON. */
function readPathValues(reader: BlockReader, type: string, count: number): string[] {
  const inArrays = /^Array\(Nullable\((\w+)\)\)$/.exec(type)?.[1];
  if (inArrays !== undefined) {
    const ends = many(count, () => reader.int64());
    const all = ends.at(-1) ?? 0;
    const nulls = many(all, () => reader.unsigned(1));
    const values = readPathValues(reader, inArrays, all).map((value, at) => (nulls[at] ? 'null' : value));
    return ends.map((end, at) => `[${values.slice(ends[at - 1] ?? 0, end).join(',')}]`);
  }
  if (type === 'Int64') return many(count, () => reader.long(true));
  if (type === 'UInt64') return many(count, () => reader.long(false));
  if (type === 'Float64') return many(count, () => doubleText(reader.double()));
  if (type === 'Bool') return many(count, () => String(reader.unsigned(1) === 1));
  return many(count, () => JSON.stringify(reader.text()));
}

/** An object whose values are JSON. */
type JsonTree = Map<string, string | JsonTree>;

function setPath(tree: JsonTree, path: string, json: string): void {
  const at = path.indexOf('.');
  if (at < 0) {
    tree.set(path, json);
    return;
  }
  const head = path.slice(0, at);
  const known = tree.get(head);
  const below: JsonTree = known instanceof Map ? known : new Map();
  tree.set(head, below);
  setPath(below, path.slice(at + 1), json);
}

function treeText(tree: JsonTree): string {
  const members = Array.from(
    tree,
    ([name, value]) => `${JSON.stringify(name)}:${value instanceof Map ? treeText(value) : value}`,
  );
  return `{${members.join(',')}}`;
}

/** JSON by its paths: for each the types, then for each the type of every row's value, and the values type by type. */
function readPaths(reader: BlockReader, rows: number): Cells {
  const names = many(reader.varint(), () => reader.text());
  const types = names.map(() => {
    reader.int64();
    return many(reader.varint(), () => reader.text());
  });
  const trees = many<JsonTree>(rows, () => new Map());
  for (const [at, name] of names.entries()) {
    const own = types[at] ?? [];
    const numbers = many(rows, () => reader.unsigned(1));
    for (const [number, type] of own.entries()) {
      const holders = trees.filter((_, row) => numbers[row] === number);
      const values = readPathValues(reader, type, holders.length);
      for (const [n, tree] of holders.entries()) setPath(tree, name, values[n] ?? 'null');
    }
  }
  return trees.map(treeText);
}

function readJson(reader: BlockReader, rows: number): Cells {
  return reader.int64() === FLATTENED ? readPaths(reader, rows) : many(rows, () => reader.text());
}

function readColumn(reader: BlockReader, type: string, rows: number): Cells {
  if (type === 'LowCardinality(String)') return readNames(reader, rows);
  if (type === 'Nullable(Int32)') return readNumbers(reader, rows, () => reader.int32());
  if (type === 'Nullable(Int64)') return readNumbers(reader, rows, () => reader.int64());
  if (type === 'UInt32') return many(rows, () => reader.unsigned(4));
  if (type === 'UUID') return many(rows, () => readUid(reader));
  if (type.startsWith('DateTime64(3'))
    return many(rows, () => new Date(reader.int64()).toISOString().replace('T', ' ').slice(0, 23));
  if (type.startsWith('JSON(')) return readJson(reader, rows);
  return many(rows, () => reader.text() || undefined);
}

/** The rows of one or more blocks behind each other. */
export function readRowBlocks(bytes: Uint8Array): ReadRow[] {
  const reader = new BlockReader(bytes);
  const all: ReadRow[] = [];
  while (!reader.isAtEnd()) {
    const columns = reader.varint();
    const rows = many<ReadRow>(reader.varint(), () => ({}));
    for (let n = 0; n < columns; n += 1) {
      const name = reader.text();
      const cells = readColumn(reader, reader.text(), rows.length);
      for (const [at, row] of rows.entries()) {
        const cell = cells[at];
        if (cell !== undefined) row[name] = cell;
      }
    }
    for (const row of rows) all.push(row);
  }
  return all;
}

/** A row as a line of JSONEachRow, without its newline. */
export function rowAsJson({ Ext, ...cells }: ReadRow): string {
  const line = JSON.stringify(cells);
  return Ext === undefined ? line : `${line.slice(0, -1)},"Ext":${Ext}}`;
}
