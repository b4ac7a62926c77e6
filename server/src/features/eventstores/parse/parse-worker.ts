import { parentPort, workerData } from 'node:worker_threads';
import { guessColumns } from './guess-columns.ts';
import type { ParseAnswer, ParseRequest } from './parse-upload.ts';
import { readTable } from './read-table.ts';
import { NotATable } from './table-fault.ts';

// Runs in a worker thread for one file: reading one is work without a pause, and takes memory that a limit can bound.

const ROWS_OF_CHUNK = 10_000;
const BYTES_OF_CHUNK = 4 * 1024 * 1024;

/** The rows as lines of JSONEachRow, some thousand a piece; `order` says which cell of the file each column takes. */
function chunksOf(
  rows: readonly (readonly string[])[],
  { scope, store, upload }: NonNullable<ParseRequest['into']>,
  order: readonly number[],
): { readonly rows: number; readonly body: Uint8Array<ArrayBuffer> }[] {
  const chunks: { rows: number; body: Uint8Array<ArrayBuffer> }[] = [];
  let lines: string[] = [];
  let bytes = 0;
  const close = (): void => {
    if (lines.length === 0) return;
    chunks.push({ rows: lines.length, body: new TextEncoder().encode(`${lines.join('\n')}\n`) });
    lines = [];
    bytes = 0;
  };
  for (const [at, row] of rows.entries()) {
    const Cells = order.map((place) => (place < 0 ? '' : (row[place] ?? '').toWellFormed()));
    const line = JSON.stringify({ Scope: scope, Store: store, Upload: upload, RowNumber: at, Cells });
    lines.push(line);
    bytes += line.length;
    if (lines.length >= ROWS_OF_CHUNK || bytes >= BYTES_OF_CHUNK) close();
  }
  close();
  return chunks;
}

/** Where the cells of each wanted column stand in the file. */
function orderOf(names: readonly string[], wanted: readonly string[] | null): number[] {
  if (wanted === null) return names.map((_, at) => at);
  const places = new Map(names.map((name, at) => [name.toLowerCase(), at]));
  const unknown = names.filter((name) => !wanted.some((one) => one.toLowerCase() === name.toLowerCase()));
  if (unknown.length > 0) throw new NotATable('unknownColumns', { names: unknown.slice(0, 5).join(', ') });
  return wanted.map((name) => places.get(name.toLowerCase()) ?? -1);
}

async function answer({ bytes, limits, samples, into, named }: ParseRequest): Promise<ParseAnswer> {
  try {
    const { format, header, rows, sheet } = await readTable(bytes, limits);
    const columns = guessColumns({ header, rows });
    if (named && named.length !== columns.length)
      throw new NotATable('otherColumns', { count: columns.length, expected: named.length });
    const order = orderOf(named ?? columns.map(({ name }) => name), into?.columns ?? null);
    return {
      table: {
        format,
        sheet,
        columns,
        rows: rows.length,
        samples: rows.slice(0, samples).map((row) => [...row]),
      },
      chunks: into ? chunksOf(rows, into, order) : [],
    };
  } catch (error) {
    if (error instanceof NotATable) return { fault: error.told };
    throw error;
  }
}

const done = await answer(workerData as ParseRequest);
const moved = 'chunks' in done ? done.chunks.map(({ body }) => body.buffer) : [];
parentPort?.postMessage(done, moved);
