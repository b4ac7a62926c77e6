import { Worker } from 'node:worker_threads';
import { EVENTSTORE_LIMITS, say, sayByCode } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { threadScript } from '../../../platform/built-program.mjs';
import type { GuessedColumn } from './guess-columns.ts';
import type { TableFormat, TableLimits } from './read-table.ts';
import type { TableFault } from './table-fault.ts';

// Reads files in worker threads of their own, one after the other: a file that grows beyond all measure in memory, or takes
// too long, ends with its thread and is told.

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly limits: TableLimits;
  /** First rows to answer. */
  readonly samples: number;
  /** Names for the columns of the file, in its order; those of the file when absent. */
  readonly named?: readonly string[];
  /** Makes rows to store: of these columns, or of all in the order of the file. */
  readonly into?: {
    readonly scope: string;
    readonly store: string;
    readonly upload: string;
    readonly columns: readonly string[] | null;
  };
}

export interface ParsedTable {
  readonly format: TableFormat;
  readonly sheet: { readonly name: string; readonly count: number } | null;
  readonly columns: readonly GuessedColumn[];
  readonly rows: number;
  readonly samples: readonly (readonly string[])[];
}

/** Lines of JSONEachRow. */
export interface RowChunk {
  readonly rows: number;
  readonly body: Uint8Array;
}

export type ParseAnswer =
  | {
      readonly table: ParsedTable;
      readonly chunks: readonly { rows: number; body: Uint8Array<ArrayBuffer> }[];
    }
  | { readonly fault: TableFault };

export interface TableParser {
  /** Throws AppError: `bad-input` for what is no table, `too-many` when too many files wait. */
  parse(
    request: Omit<ParseRequest, 'limits'>,
    signal?: AbortSignal,
  ): Promise<{ readonly table: ParsedTable; readonly chunks: readonly RowChunk[] }>;
}

const SCRIPT = new URL('./start-parse-worker.mjs', import.meta.url);
const MAX_WAITING = 20;
const MEMORY_MB = 768;
const TIME_MS = 60_000;

export function createTableParser(): TableParser {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    parse: async (request, signal) => {
      if (waiting >= MAX_WAITING) throw new AppError('too-many', say('eventstores.busy'));
      waiting += 1;
      const own = last.then(() => {
        signal?.throwIfAborted();
        return ask({ ...request, limits: EVENTSTORE_LIMITS }, signal);
      });
      last = own.catch(() => undefined);
      try {
        const answer = await own;
        if ('fault' in answer) throw refusal(answer.fault);
        return answer;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function refusal({ fault, values }: TableFault): AppError {
  const said = sayByCode(`eventstores.${fault}`, values);
  if (!said) throw new Error(`no sentence for ${fault}`);
  return new AppError('bad-input', said);
}

function ask(request: ParseRequest, signal: AbortSignal | undefined): Promise<ParseAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadScript(SCRIPT), {
      execArgv: [],
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const stop = (): void => void worker.terminate();
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settle();
      stop();
    };
    const tooBig = () => new AppError('bad-input', say('eventstores.tooMuchWork'));
    const timer = setTimeout(() => end(() => reject(tooBig())), TIME_MS);
    signal?.addEventListener('abort', stop, { once: true });
    worker.once('message', (answer: ParseAnswer) => end(() => resolve(answer)));
    worker.once('error', (error: Error & { code?: string }) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooBig() : error)),
    );
    worker.once('exit', () => end(() => reject(signal?.reason ?? new Error('the reader of tables ended'))));
  });
}
