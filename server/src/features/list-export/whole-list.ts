import { MAX_EXPORTED_ROWS, say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { type ListFile, listAsCsv, listAsNdjson } from './write-list.ts';

// What every export has in common: the list read to its end, and the file made of it.

export const PAGE_ROWS = 1000;
export type Rows = readonly Readonly<Record<string, unknown>>[];

export interface WrittenFile {
  readonly text: string;
  readonly fileName: string;
  readonly type: string;
}

/** Reads pages until the last row. Throws when the list is longer than a file may be. */
export async function readWholeList(
  page: (pageno: number) => Promise<{ data: Rows; total_count: number }>,
): Promise<Rows> {
  const first = await page(1);
  if (first.total_count > MAX_EXPORTED_ROWS) {
    throw new AppError(
      'bad-input',
      say('lists.tooManyRows', { rows: first.total_count, most: MAX_EXPORTED_ROWS }),
    );
  }
  const rows = [...first.data];
  for (let pageno = 2; rows.length < first.total_count; pageno++) {
    const { data } = await page(pageno);
    // Rows may go while they are read.
    if (data.length === 0) break;
    rows.push(...data);
  }
  return rows;
}

/** Throws AppError `bad-input` unless it is a time zone. */
export function assertZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new AppError('bad-input', sayOfField('timezone', say('reasons.timeZone')));
  }
}

/** The file that is asked for of the rows. */
export function fileOf(
  input: Pick<ListFile, 'fields' | 'selection' | 'timezone'> & {
    readonly format: 'csv' | 'ndjson';
    readonly file_name: string;
  },
  list: Pick<ListFile, 'entity' | 'timeFields' | 'rows'>,
): WrittenFile {
  const { fields, format, selection, timezone } = input;
  const file = { ...list, fields, timezone, selection };
  const isCsv = format === 'csv';
  return {
    text: isCsv ? listAsCsv(file) : listAsNdjson(file),
    type: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    fileName: `${input.file_name}.${format}`,
  };
}
