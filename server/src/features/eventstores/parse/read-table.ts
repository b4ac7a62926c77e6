import { parse as parseCsv } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { NotATable } from './table-fault.ts';

// A file as a table of texts: csv with any usual separator, json (an array of objects, or one object a line), xlsx. What is no
// table is refused with the line that says why; nothing of a file is left out.

export interface TableLimits {
  readonly rows: number;
  readonly columns: number;
  readonly cell: number;
  readonly sheetBytes: number;
}

export type TableFormat = 'csv' | 'json' | 'xlsx';

export interface ReadTable {
  readonly format: TableFormat;
  /** Names of columns as the file has them. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly sheet: { readonly name: string; readonly count: number } | null;
}

/** Reads a file. Throws NotATable. */
export async function readTable(bytes: Uint8Array, limits: TableLimits): Promise<ReadTable> {
  if (bytes.length === 0) throw new NotATable('empty');
  const table = await readAs(bytes, limits);
  if (table.header.length === 0 || table.rows.length === 0) throw new NotATable('empty');
  if (table.header.length > limits.columns)
    throw new NotATable('tooManyColumns', { count: table.header.length, most: limits.columns });
  if (table.rows.length > limits.rows)
    throw new NotATable('tooManyRows', { count: table.rows.length, most: limits.rows });
  for (const [at, row] of table.rows.entries())
    for (const cell of row)
      if (cell.length > limits.cell)
        throw new NotATable('cellTooLong', { row: at + 1, count: cell.length, most: limits.cell });
  return table;
}

async function readAs(bytes: Uint8Array, limits: TableLimits): Promise<ReadTable> {
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new NotATable('oldSpreadsheet');
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return readSheet(bytes, limits);
  const text = textOf(bytes);
  return /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
}

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);

function textOf(bytes: Uint8Array): string {
  const encoding = startsWith(bytes, [0xff, 0xfe])
    ? 'utf-16le'
    : startsWith(bytes, [0xfe, 0xff])
      ? 'utf-16be'
      : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes('\0')) throw new NotATable('notText');
    return text;
  } catch {
    throw new NotATable('notText');
  }
}

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** What separates the names of the first line, text in quotes aside. */
function separatorOf(text: string): string {
  const first = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '').replaceAll(/"[^"]*"/g, '');
  const counted = SEPARATORS.map((one) => ({ one, count: first.split(one).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

function readCsv(text: string): ReadTable {
  const [header = [], ...rows] = recordsOf(text);
  const wrong = rows.findIndex((row) => row.length !== header.length);
  if (wrong >= 0)
    throw new NotATable('raggedRow', {
      row: wrong + 1,
      count: rows[wrong]?.length ?? 0,
      expected: header.length,
    });
  return { format: 'csv', header, rows, sheet: null };
}

function recordsOf(text: string): string[][] {
  try {
    return parseCsv(text, {
      delimiter: separatorOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
    }) as string[][];
  } catch (error) {
    const { lines } = error as { readonly lines?: number };
    throw new NotATable('csvBroken', { line: lines ?? 0 });
  }
}

function readJson(text: string): ReadTable {
  const objects = objectsOf(text);
  const places = new Map<string, number>();
  for (const one of objects)
    for (const name of Object.keys(one)) if (!places.has(name)) places.set(name, places.size);
  const header = [...places.keys()];
  return {
    format: 'json',
    header,
    rows: objects.map((one) => header.map((name) => jsonText(one[name]))),
    sheet: null,
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectsOf(text: string): readonly JsonObject[] {
  const whole = parsed(text);
  const list = whole === undefined ? linesOf(text) : listIn(whole);
  const wrong = list.findIndex((one) => !isObject(one));
  if (wrong >= 0) throw new NotATable('notObjects', { row: wrong + 1 });
  return list as readonly JsonObject[];
}

/** An array, the one array that an object holds, or the object itself as the only row. */
function listIn(whole: unknown): readonly unknown[] {
  if (Array.isArray(whole)) return whole;
  if (!isObject(whole)) throw new NotATable('notObjects', { row: 1 });
  const [only, ...more] = Object.values(whole).filter(
    (value) => Array.isArray(value) && value.some(isObject),
  );
  return only !== undefined && more.length === 0 ? (only as unknown[]) : [whole];
}

function linesOf(text: string): readonly unknown[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parsed(line);
    if (value === undefined) throw new NotATable('jsonBroken', { line: at + 1 });
    return [value];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function readSheet(bytes: Uint8Array, { sheetBytes }: TableLimits): Promise<ReadTable> {
  if (bytes.length > sheetBytes)
    throw new NotATable('sheetTooLarge', { most: Math.round(sheetBytes / 1024 ** 2) });
  const sheets = await readXlsxFile(Buffer.from(bytes)).catch(() => {
    throw new NotATable('sheetBroken');
  });
  const filled = sheets.find(({ data }) => data.length > 1) ?? sheets[0];
  if (!filled) throw new NotATable('empty');
  const [first = [], ...rows] = filled.data.map((row) => row.map(cellText));
  const width = Math.max(first.length, ...rows.map((row) => row.length));
  const full = (row: readonly string[]) => Array.from({ length: width }, (_, at) => row[at] ?? '');
  return {
    format: 'xlsx',
    header: full(first),
    rows: rows.filter((row) => row.some((cell) => cell !== '')).map(full),
    sheet: { name: filled.sheet, count: sheets.length },
  };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}
