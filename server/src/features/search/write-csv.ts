import { type ResultColumn, type ResultValue, zoneOffsetMs } from '@tyrian/contract';
import { csvCell } from '../../platform/csv-cell.ts';

// Results as CSV after RFC 4180, with CRLF lines; csv-cell.ts writes the cells.

export interface CsvOptions {
  /** Text that a spreadsheet would run as a formula gets an apostrophe first. */
  readonly formulaGuard: boolean;
  /** Write times with the offset of this zone; null writes UTC as it came. */
  readonly zone: string | null;
}

/** The header line, CRLF included. */
export function csvHeader(columns: readonly ResultColumn[], options: CsvOptions): string {
  return `${columns.map((column) => csvCell(column.name, options)).join(',')}\r\n`;
}

/** One line for a row of wire values, CRLF included. */
export function csvLine(
  columns: readonly ResultColumn[],
  row: readonly ResultValue[],
  options: CsvOptions,
): string {
  return `${columns.map((column, index) => csvValue(column, row[index], options)).join(',')}\r\n`;
}

function csvValue(column: ResultColumn, value: ResultValue, options: CsvOptions): string {
  if (value === null || value === undefined) return '';
  if (column.type === 'datetime' && options.zone !== null && typeof value === 'string') {
    return inZone(value, options.zone);
  }
  if (typeof value === 'string') {
    const isText = column.type === 'string' || column.type === 'dynamic';
    return csvCell(value, isText ? options : { formulaGuard: false });
  }
  if (typeof value === 'object') return csvCell(JSON.stringify(value), options);
  return String(value);
}

/** `2026-01-01T00:00:00.1230000Z` as the wall clock of the zone with its offset; other text unchanged. */
function inZone(text: string, zone: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?Z$/.exec(text);
  const ms = match ? Date.parse(`${match[1]}Z`) : Number.NaN;
  if (!match || Number.isNaN(ms)) return text;
  const offset = zoneOffsetMs(zone, ms);
  const wall = new Date(ms + offset).toISOString().slice(0, 19);
  return `${wall}${match[2] ?? ''}${formatOffset(offset)}`;
}

/** An offset in milliseconds as `+05:30`. */
export function formatOffset(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const pad = (n: number) => String(n).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
