import type { Readable } from 'node:stream';
import { AppError } from '../app-error.ts';
import { EventStoreError, type QueryProgress, type ResultColumn } from './event-store.ts';
import { RESULT_MEMORY, type ResultMemory, rowTooLarge } from './result-memory.ts';

// Reads an answer in the format JSONCompactEachRowWithProgress: one JSON object a line, which is progress, the
// column list, or a row. An error in mid-stream arrives as text after the line `__exception__`.

interface AnswerLine {
  readonly progress?: Readonly<
    Record<'read_rows' | 'read_bytes' | 'total_rows_to_read' | 'elapsed_ns', string | undefined>
  >;
  readonly meta?: readonly ResultColumn[];
  readonly row?: readonly unknown[];
  readonly exception?: string;
}

const EXCEPTION_MARK = '__exception__';
const NEWLINE = 10;

/** The error in the text that ClickHouse sends, with its number. */
function parseEngineError(text: string): EventStoreError {
  const match = /Code: (\d+)\. DB::Exception: ([\s\S]*)/.exec(text);
  const message = (match?.[2] ?? text).replace(/\s*\(version [^)]*\)[\s\S]*$/, '').trim();
  return new EventStoreError(Number(match?.[1] ?? 0), message);
}

export interface EventRowReader {
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>;
  /** Resolves with the columns as soon as the engine has sent them; rejects when it refuses first. */
  columns(): Promise<readonly ResultColumn[]>;
  progress(): QueryProgress;
  /** Of rows and all else that were read, as the engine sent them. */
  receivedBytes(): number;
}

function progressOf(line: NonNullable<AnswerLine['progress']>): QueryProgress {
  return {
    rowsRead: Number(line.read_rows ?? 0),
    bytesRead: Number(line.read_bytes ?? 0),
    totalRows: Number(line.total_rows_to_read ?? 0),
    elapsedMs: Number(line.elapsed_ns ?? 0) / 1e6,
  };
}

/**
 * Whole lines of a byte stream, a chunk's worth at a time; the last may be without its newline. `onBuffered` hears how
 * many bytes of an unfinished line are held, and may throw to end the reading.
 */
async function* linesOf(stream: Readable, onBuffered: (bytes: number) => void): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let broken: unknown;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(NEWLINE);
      if (end === -1) {
        restBytes += chunk.length;
        onBuffered(restBytes);
        rest.push(chunk);
        continue;
      }
      onBuffered(restBytes + end);
      const whole = Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8');
      rest = [chunk.subarray(end + 1)];
      restBytes = chunk.length - end - 1;
      onBuffered(restBytes);
      yield whole.split('\n');
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The engine breaks the connection after it has written why: what came before the break matters more.
    broken = error;
  }
  const last = Buffer.concat(rest).toString('utf8');
  if (last !== '') yield last.split('\n');
  if (broken !== undefined) throw broken;
}

/**
 * Starts reading; nothing is lost between `columns()` and the first turn of `batches`. A row larger than the limit of
 * `memory` ends the reading with AppError `bad-input` and closes the stream, which stops the query.
 */
export function readEventRows(
  stream: Readable,
  onProgress: ((progress: QueryProgress) => void) | undefined,
  { memory = RESULT_MEMORY, tenant = '' }: { memory?: ResultMemory; tenant?: string } = {},
): EventRowReader {
  const held = memory.hold(tenant);
  const { rowBytes } = memory.limits;
  let receivedBytes = 0;
  let latest: QueryProgress = { rowsRead: 0, bytesRead: 0, totalRows: 0, elapsedMs: 0 };
  let columns: readonly ResultColumn[] | undefined;
  const failure: string[] = [];

  function takeLine(line: string, rows: (readonly unknown[])[]): void {
    if (failure.length > 0 || line.startsWith(EXCEPTION_MARK)) {
      failure.push(line);
      return;
    }
    if (line.trim() === '') return;
    const parsed = JSON.parse(line) as AnswerLine;
    if (parsed.row) rows.push(parsed.row);
    else if (parsed.meta) columns = parsed.meta;
    else if (parsed.exception !== undefined) throw parseEngineError(parsed.exception);
    else if (parsed.progress) {
      latest = progressOf(parsed.progress);
      onProgress?.(latest);
    }
  }

  const onBuffered = (bytes: number): void => {
    if (bytes > rowBytes) throw rowTooLarge(rowBytes);
    held.set(bytes);
  };

  async function* read(): AsyncGenerator<(readonly unknown[])[]> {
    try {
      for await (const lines of linesOf(stream, onBuffered)) {
        const rows: (readonly unknown[])[] = [];
        for (const line of lines) {
          if (line.length > rowBytes) throw rowTooLarge(rowBytes);
          receivedBytes += line.length;
          takeLine(line, rows);
        }
        yield rows;
      }
    } catch (error) {
      if (error instanceof AppError) stream.destroy();
      if (failure.length === 0 || error instanceof AppError) throw error;
    } finally {
      held.release();
    }
    if (failure.length > 0) throw parseEngineError(failure.join('\n'));
  }

  const source = read();
  const early: (readonly unknown[])[][] = [];

  async function* batches() {
    try {
      yield* early.splice(0).filter((rows) => rows.length > 0);
      for await (const rows of source) if (rows.length > 0) yield rows;
    } finally {
      held.release();
      stream.destroy();
    }
  }

  return {
    receivedBytes: () => receivedBytes,
    batches: batches(),
    columns: async () => {
      while (columns === undefined) {
        const next = await source.next();
        if (next.done) break;
        early.push(next.value);
      }
      return columns ?? [];
    },
    progress: () => latest,
  };
}
