import type { DecodedEvent, Fields } from '../event-row.ts';
import { toCell } from './convert-cell.ts';

// A mapping from the field names of a source to columns. Sources spell one field in several cases
// (SourceProcessGUID, SourceProcessGuid), so a name is looked up as written, then without case.

/** How many spellings are remembered; beyond it unknown names cost a conversion each. */
const MAX_REMEMBERED = 5_000;

export class FieldColumns {
  readonly #exact: Map<string, string | undefined>;
  readonly #folded: ReadonlyMap<string, string>;

  /** Later tables override earlier ones; an empty column name takes a field out of the mapping. */
  constructor(...tables: readonly Readonly<Record<string, string>>[]) {
    const folded = new Map<string, string>();
    for (const table of tables) {
      for (const [field, column] of Object.entries(table)) {
        if (column === '') folded.delete(field.toLowerCase());
        else folded.set(field.toLowerCase(), column);
      }
    }
    this.#folded = folded;
    this.#exact = new Map();
  }

  /** The column of a field, or undefined: the field belongs into `Ext`. */
  columnOf(field: string): string | undefined {
    if (this.#exact.has(field)) return this.#exact.get(field);
    const column = this.#folded.get(field.toLowerCase());
    if (this.#exact.size < MAX_REMEMBERED) this.#exact.set(field, column);
    return column;
  }
}

/** Moves the fields into columns where they have one and fit, the others into `ext`. Nulls vanish. */
export function applyFieldColumns(fields: Fields, mapping: FieldColumns, event: DecodedEvent): void {
  const { columns, ext } = event;
  for (const name in fields) {
    const value = fields[name];
    if (value === null || value === undefined) continue;
    const column = mapping.columnOf(name);
    const cell = column === undefined || columns[column] !== undefined ? undefined : toCell(column, value);
    if (cell === undefined) ext[name] = value;
    else if (cell !== '') columns[column as string] = cell;
  }
}

/** Sets a column when the value fits and the column is still empty; true when it was set. */
export function setColumn(event: DecodedEvent, column: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (event.columns[column] !== undefined) return false;
  const cell = toCell(column, value);
  if (cell === undefined) return false;
  event.columns[column] = cell;
  return true;
}
