import type { ResultColumn, ResultValue } from '@tyrian/contract';
import { csvHeader, csvLine } from '../features/search/write-csv.ts';

export const ROW_FORMATS = ['table', 'csv', 'json'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

type Rows = readonly (readonly ResultValue[])[];

const WIDEST_CELL = 60;

/** Rows as text for a terminal or a file: a table, RFC 4180 CSV, or one JSON array of objects. */
export function formatRows(format: RowFormat, columns: readonly ResultColumn[], rows: Rows): string {
  if (format === 'csv') {
    const options = { formulaGuard: false, zone: null };
    return csvHeader(columns, options) + rows.map((row) => csvLine(columns, row, options)).join('');
  }
  if (format === 'json') {
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])),
    );
    return `${JSON.stringify(objects, null, 2)}\n`;
  }
  return table(columns, rows);
}

function table(columns: readonly ResultColumn[], rows: Rows): string {
  const cells = rows.map((row) => columns.map((_, index) => cell(row[index])));
  const widths = columns.map(({ name }, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const head = [line(columns.map((column) => column.name)), rule];
  const count = `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`;
  return `${[...head, ...cells.map(line), count].join('\n')}\n`;
}

function cell(value: ResultValue): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > WIDEST_CELL ? `${flat.slice(0, WIDEST_CELL - 1)}…` : flat;
}
