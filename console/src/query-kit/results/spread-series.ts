import type { ResultColumn, ResultValue } from '@tyrian/contract';
import type { ResultRow } from './result-value.ts';

// `make-series` gives a row for each series, with arrays in it. A chart wants a row for each place of the axis.

interface Table {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
const isNumber = (value: unknown): boolean => typeof value === 'number' || value === null;

/** The type of what the arrays of a column hold; null when they are no arrays of times or numbers. */
function elementType(rows: readonly ResultRow[], index: number): 'datetime' | 'real' | null {
  let type: 'datetime' | 'real' | null = null;
  for (const row of rows) {
    const value = row[index];
    if (!Array.isArray(value)) return null;
    if (value.length === 0) continue;
    const own = value.every(isTime) ? 'datetime' : value.every(isNumber) ? 'real' : null;
    if (own === null || (type !== null && type !== own)) return null;
    type = own;
  }
  return type;
}

/** Rows with arrays of equal length become a row for each element; any other table stays as it is. */
export function spreadSeries(columns: readonly ResultColumn[], rows: readonly ResultRow[]): Table {
  const types = columns.map(({ type }, index) => (type === 'dynamic' ? elementType(rows, index) : null));
  const arrays = types.flatMap((type, index) => (type === null ? [] : [index]));
  if (arrays.length === 0) return { columns, rows };
  const lengthOf = (row: ResultRow, index: number) => (row[index] as readonly unknown[]).length;
  const isEven = rows.every((row) => new Set(arrays.map((index) => lengthOf(row, index))).size === 1);
  if (!isEven) return { columns, rows };
  const spread = rows.flatMap((row) =>
    Array.from({ length: lengthOf(row, arrays[0] ?? 0) }, (_, position) =>
      row.map((value, index) =>
        types[index] === null ? value : ((value as readonly ResultValue[])[position] ?? null),
      ),
    ),
  );
  return {
    columns: columns.map((column, index) => {
      const type = types[index];
      return type ? { ...column, type } : column;
    }),
    rows: spread,
  };
}
