import { EVENT_COLUMNS, READING_COLUMN, RETENTION_COLUMN } from '@tyrian/catalog';
import {
  type ColumnWriter,
  JsonWriter,
  NameWriter,
  NumberWriter,
  putVarint,
  TextWriter,
  WordsWriter,
} from './column-writers.ts';

// Rows as a block of ClickHouse's Native format: column by column, in the types of the table. The engine reads it
// for a fraction of what it spends on lines of JSON, and several blocks behind each other are one insert. A block
// holds only the columns that some row fills; the engine fills the others with their empty value.

function writerFor(stored: string): ColumnWriter {
  if (stored === 'LowCardinality(String)') return new NameWriter();
  if (stored === 'String') return new TextWriter();
  if (stored === 'Nullable(Int32)') return new NumberWriter(32);
  if (stored === 'Nullable(Int64)') return new NumberWriter(64);
  if (stored === 'UInt32') return new WordsWriter(1);
  if (stored === 'UUID') return new WordsWriter(4);
  if (stored.startsWith('DateTime64(3')) return new WordsWriter(2);
  if (stored.startsWith('JSON(')) return new JsonWriter();
  throw new Error(`no writer for columns of the type ${stored}`);
}

function shortText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

/** Rows of the table `events` that become one block. Its buffers are used again for the next one. */
export class RowBlock {
  readonly #columns = [...EVENT_COLUMNS, RETENTION_COLUMN, READING_COLUMN].map(({ name, stored }) => ({
    name,
    writer: writerFor(stored),
    head: Buffer.concat([shortText(name), shortText(stored)]),
  }));
  readonly #writers = new Map(this.#columns.map(({ name, writer }) => [name, writer]));
  #rows = 0;

  /** Rows that are complete. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Writes a cell of the row that is being made: text, a number, or the words of an identity. False when the
   * column does not exist, has a value already or cannot hold this one.
   */
  put(column: string, value: unknown): boolean {
    return this.#writers.get(column)?.put(this.#rows, value) ?? false;
  }

  /** The row is complete. */
  endRow(): void {
    this.#rows += 1;
  }

  clear(): void {
    for (const { writer } of this.#columns) writer.clear();
    this.#rows = 0;
  }

  /** The block, in memory of its own; the next one begins. */
  take(): Uint8Array<ArrayBuffer> {
    const used = this.#columns.filter(({ writer }) => writer.isUsed());
    const head = new Uint8Array(16);
    const headEnd = putVarint(head, putVarint(head, 0, used.length), this.#rows);
    const parts: Uint8Array[] = [head.subarray(0, headEnd)];
    for (const { head: nameAndType, writer } of used) parts.push(nameAndType, ...writer.finish(this.#rows));
    const block = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      block.set(part, at);
      at += part.length;
    }
    this.clear();
    return block;
  }
}
