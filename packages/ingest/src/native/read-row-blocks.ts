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

  hex64(): string {
    this.#at += 8;
    return this.#bytes
      .readBigUInt64LE(this.#at - 8)
      .toString(16)
      .padStart(16, '0');
  }
}

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

function readColumn(reader: BlockReader, type: string, rows: number): Cells {
  if (type === 'LowCardinality(String)') return readNames(reader, rows);
  if (type === 'Nullable(Int32)') return readNumbers(reader, rows, () => reader.int32());
  if (type === 'Nullable(Int64)') return readNumbers(reader, rows, () => reader.int64());
  if (type === 'UInt32') return many(rows, () => reader.unsigned(4));
  if (type === 'UUID') return many(rows, () => readUid(reader));
  if (type.startsWith('DateTime64(3'))
    return many(rows, () => new Date(reader.int64()).toISOString().replace('T', ' ').slice(0, 23));
  if (type.startsWith('JSON(')) reader.int64();
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
