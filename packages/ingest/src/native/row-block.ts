import { EVENT_COLUMNS, READING_COLUMN, RETENTION_COLUMN } from '@tyrian/catalog';
import type { Fields } from '../event-row.ts';
import {
  type ColumnWriter,
  JsonWriter,
  lengthAndText,
  NameWriter,
  NumberWriter,
  putVarint,
  TextWriter,
  WordsWriter,
} from './column-writers.ts';
import { JsonPathsWriter } from './json-paths-writer.ts';
import { jsonText } from './json-text.ts';

// Rows as a block of ClickHouse's Native format: column by column, in the types of the table. The engine reads it
// for a fraction of what it spends on lines of JSON, and several blocks behind each other are one insert. A block
// holds only the columns that some row fills; the engine fills the others with their empty value.

function writerFor(stored: string, json: ColumnWriter): ColumnWriter {
  if (stored === 'LowCardinality(String)') return new NameWriter();
  if (stored === 'String') return new TextWriter();
  if (stored === 'Nullable(Int32)') return new NumberWriter(32);
  if (stored === 'Nullable(Int64)') return new NumberWriter(64);
  if (stored === 'UInt32') return new WordsWriter(1);
  if (stored === 'UUID') return new WordsWriter(4);
  if (stored.startsWith('DateTime64(3')) return new WordsWriter(2);
  if (stored.startsWith('JSON(')) return json;
  throw new Error(`no writer for columns of the type ${stored}`);
}

/** All columns of the table, with the writer of the one that holds JSON. */
class TableColumns {
  rows = 0;
  readonly #columns: readonly { readonly writer: ColumnWriter; readonly head: Uint8Array }[];
  readonly #writers: ReadonlyMap<string, ColumnWriter>;

  constructor(json: ColumnWriter) {
    const columns = [...EVENT_COLUMNS, RETENTION_COLUMN, READING_COLUMN].map(({ name, stored }) => ({
      name,
      writer: writerFor(stored, json),
      head: Buffer.concat([lengthAndText(name), lengthAndText(stored)]),
    }));
    this.#columns = columns;
    this.#writers = new Map(columns.map(({ name, writer }) => [name, writer]));
  }

  put(column: string, value: unknown): boolean {
    return this.#writers.get(column)?.put(this.rows, value) ?? false;
  }

  clear(): void {
    for (const { writer } of this.#columns) writer.clear();
    this.rows = 0;
  }

  /** The block in parts that are valid until `clear`; none without rows. */
  parts(): readonly Uint8Array[] {
    if (this.rows === 0) return [];
    const used = this.#columns.filter(({ writer }) => writer.isUsed());
    const head = new Uint8Array(16);
    const headEnd = putVarint(head, putVarint(head, 0, used.length), this.rows);
    const parts: Uint8Array[] = [head.subarray(0, headEnd)];
    for (const { head: nameAndType, writer } of used) parts.push(nameAndType, ...writer.finish(this.rows));
    return parts;
  }
}

/**
 * Rows of the table `events` that become one block; those whose fields only text can bring become a second one behind it. The
 * buffers are used again for the next one. A row begins with its fields, and what is put between is in any order.
 */
export class RowBlock {
  readonly #fields = new JsonPathsWriter();
  readonly #byPaths = new TableColumns(this.#fields);
  #asText: TableColumns | null = null;
  #row: { readonly columns: TableColumns; fields: Fields } = { columns: this.#byPaths, fields: {} };

  /** Rows that are complete. */
  get rows(): number {
    return this.#byPaths.rows + (this.#asText?.rows ?? 0);
  }

  /** A row begins, with what no column holds: names that are paths as they are (`storableFields`). */
  begin(fields: Fields): void {
    if (this.#fields.collect(fields)) this.#row = { columns: this.#byPaths, fields };
    else {
      this.#asText ??= new TableColumns(new JsonWriter());
      this.#row = { columns: this.#asText, fields };
    }
  }

  /**
   * Writes a cell of the row that is being made: text, a number, or the words of an identity. False when the
   * column does not exist, has a value already or cannot hold this one.
   */
  put(column: string, value: unknown): boolean {
    return this.#row.columns.put(column, value);
  }

  /** Adds a value that no column holds to the fields, unless they have the name. */
  putField(name: string, value: string | number): void {
    const { columns, fields } = this.#row;
    if (fields[name] !== undefined) return;
    this.#row = { columns, fields: { ...fields, [name]: value } };
    if (columns === this.#byPaths) this.#fields.add(name, value);
  }

  /** The row is complete. */
  end(): void {
    const { columns, fields } = this.#row;
    columns.put('Ext', columns === this.#byPaths ? fields : jsonText(fields));
    columns.rows += 1;
  }

  clear(): void {
    this.#byPaths.clear();
    this.#asText?.clear();
  }

  /** The blocks, in memory of their own or what `memory` gives for so many bytes; the next ones begin. */
  take(memory: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes)): Uint8Array {
    const parts = [...this.#byPaths.parts(), ...(this.#asText?.parts() ?? [])];
    const block = memory(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      block.set(part, at);
      at += part.length;
    }
    this.clear();
    return block;
  }
}
