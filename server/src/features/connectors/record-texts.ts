import { gunzipSync } from 'node:zlib';
import { say } from '@tyrian/contract';
import { jsonElements, jsonTextAt, onOneLine, splitLines } from '@tyrian/ingest';
import { parse } from 'csv-parse/sync';
import { ConnectorError, excerptOf } from './connector-error.ts';

// A body that was fetched, cut into records of one line each. Records of JSON stay as they are written.

export type RecordFormat = 'json' | 'ndjson' | 'csv' | 'lines';

const MOST_UNPACKED = 128 * 1024 * 1024;
const decoder = new TextDecoder('utf-8');

export const pathOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

/** The records of a text. `path` leads to their list, of `json` alone. Throws ConnectorError. */
export function recordsOf(text: string, format: RecordFormat, path: string): readonly string[] {
  if (format === 'csv') return recordsOfCsv(text);
  if (format !== 'json') return [...splitLines(text)].filter((line) => line.trim() !== '');
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (jsonTextAt(trimmed, []) === undefined || !/^[[{]/.test(trimmed))
    throw new ConnectorError(say('connectors.notJson', { answer: excerptOf(text) }));
  const found = jsonTextAt(trimmed, pathOf(path));
  if (found === 'null') return [];
  if (found?.startsWith('{')) return [onOneLine(found)];
  const elements = found === undefined ? undefined : jsonElements(found);
  if (elements === undefined)
    throw new ConnectorError(say('connectors.noRecords', { path, answer: excerptOf(text) }));
  return elements.map(onOneLine);
}

/** Rows of CSV as objects by the names of the first row. */
function recordsOfCsv(text: string): readonly string[] {
  const rows: unknown = parse(text, {
    ...{ bom: true, columns: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
  });
  return (rows as readonly object[]).map((row) => JSON.stringify(row));
}

/** A body as text; unpacked when it is gzip, whatever its name says. */
export function textOfBody(body: Uint8Array, name: string): string {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  if (!isGzip) return decoder.decode(body);
  try {
    return decoder.decode(gunzipSync(body, { maxOutputLength: MOST_UNPACKED }));
  } catch {
    const most = MOST_UNPACKED / 1024 / 1024;
    throw new ConnectorError(say('connectors.unpacked', { object: name, most }), { isLasting: true });
  }
}
