import type { Fields } from '../event-row.ts';
import { type ColumnWriter, putVarint } from './column-writers.ts';
import { FLATTENED, type PathType, PathValues, pathType } from './path-values.ts';

// A JSON column as one column for each path. The engine takes it for half of the processor time that the same objects cost it
// as text. A row is looked through first: what only text can bring is refused as a whole.
// Format: https://clickhouse.com/docs/reference/formats/Native, "JSON".

/** Paths in one block; the table keeps 128 of them apart. */
const MOST_PATHS = 256;
/** Names that are remembered from block to block, used or not. */
const MOST_KNOWN = 2_048;
/** Buffers beyond this are not kept for the next block. */
const MOST_KEPT_BYTES = 32 * 1024 * 1024;

/** A name in its object: a value, an object, or one in some rows and the other in others. */
interface PathNode {
  readonly path: string;
  readonly isUtf8: boolean;
  readonly below: Map<string, PathNode>;
  values: PathValues | null;
}

function nodeOf(path: string): PathNode {
  return { path, isUtf8: path.isWellFormed(), below: new Map(), values: null };
}

export class JsonPathsWriter implements ColumnWriter {
  #root = nodeOf('');
  /** Of this block, in the order of their first values. */
  #used: PathValues[] = [];
  #known = 0;
  /** Bytes of all buffers, used or not. */
  #held = 0;
  // The row that is looked through.
  readonly #paths: PathValues[] = [];
  readonly #types: PathType[] = [];
  readonly #cells: unknown[] = [];
  #unused = 0;

  /**
   * Looks a row's fields through. False when they need text: then nothing of them is kept. Names must be paths as they are
   * (`storableFields`).
   */
  collect(fields: Fields): boolean {
    this.#forget();
    if (this.#collectBelow(this.#root, fields)) return true;
    this.#forget();
    return false;
  }

  #forget(): void {
    this.#paths.length = 0;
    this.#types.length = 0;
    this.#cells.length = 0;
    this.#unused = 0;
  }

  #collectBelow(node: PathNode, fields: Fields): boolean {
    for (const name in fields) {
      const value = fields[name];
      const type = pathType(value);
      if (type === undefined) continue;
      const below = node.below.get(name) ?? this.#learn(node, name);
      // Names that are no UTF-8 could become the same path.
      if (!below.isUtf8) return false;
      if (type !== null) this.#collectValue(below, type, value);
      else if (typeof value !== 'object' || Array.isArray(value)) return false;
      else if (!this.#collectBelow(below, value as Fields)) return false;
      if (this.#known > MOST_KNOWN || this.#used.length + this.#unused > MOST_PATHS) return false;
    }
    return true;
  }

  #learn(node: PathNode, name: string): PathNode {
    const below = nodeOf(node === this.#root ? name : `${node.path}.${name}`);
    node.below.set(name, below);
    this.#known += 1;
    return below;
  }

  #collectValue(node: PathNode, type: PathType, value: unknown): void {
    node.values ??= new PathValues(node.path);
    if (!node.values.isUsed) this.#unused += 1;
    this.#paths.push(node.values);
    this.#types.push(type);
    this.#cells.push(value);
  }

  /** Adds a text or a number to the row that was looked through. */
  add(name: string, value: string | number): void {
    const type = pathType(value);
    if (type === undefined || type === null) return;
    this.#collectValue(this.#root.below.get(name) ?? this.#learn(this.#root, name), type, value);
  }

  /** Writes the row that was looked through. */
  put(row: number): boolean {
    for (let at = 0; at < this.#paths.length; at += 1) {
      const values = this.#paths[at] as PathValues;
      if (!values.isUsed) this.#used.push(values);
      values.put(row, this.#types[at] as PathType, this.#cells[at]);
    }
    this.#forget();
    return true;
  }

  isUsed(): boolean {
    return this.#used.length > 0;
  }

  finish(rows: number): readonly Uint8Array[] {
    const count = new Uint8Array(4);
    return [
      FLATTENED,
      count.subarray(0, putVarint(count, 0, this.#used.length)),
      ...this.#used.map(({ name }) => name),
      ...this.#used.flatMap((values) => values.head()),
      ...this.#used.flatMap((values) => values.finish(rows)),
    ];
  }

  clear(): void {
    this.#forget();
    for (const values of this.#used) {
      values.clear();
      this.#held += values.takeGrowth();
    }
    this.#used = [];
    if (this.#held <= MOST_KEPT_BYTES && this.#known <= MOST_KNOWN / 2) return;
    this.#root = nodeOf('');
    this.#known = 0;
    this.#held = 0;
  }
}
