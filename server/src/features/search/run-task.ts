import { ALL_EVENTS } from '@tyrian/catalog';
import type { SearchDiagnostic, SearchNotice, SearchRange, TaskState } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { isCancelled } from './engine-refusal.ts';
import type { NewSearch } from './new-search.ts';
import type { QueryService } from './query-service.ts';
import type { QueryStats } from './run-pieces.ts';
import type { SearchHistoryStore } from './search-history-store.ts';
import type { ResultRow, SearchTask, SearchTaskStore, TaskChange } from './search-task-store.ts';

// Runs one search and writes its rows and its progress as it goes: the first rows at once, then in larger pieces.

/** How a task ended. */
export interface TaskEnd {
  readonly state: TaskState;
  /** Rows that the caller could read. */
  readonly rows: number;
}

export interface TaskRun {
  /** Resolves when the task has ended and everything about it is written; null when that failed. Never rejects. */
  readonly done: Promise<TaskEnd | null>;
  /** Stops the query on the engine. With a reason the task is marked failed by it. */
  abort(reason?: string): void;
}

interface Deps {
  readonly tasks: SearchTaskStore;
  readonly history: SearchHistoryStore;
  readonly queries: QueryService;
  readonly clock: Clock;
  readonly log: Logger;
}

const PROGRESS_MS = 400;
const CHUNK_ROWS = 500;
const CHUNK_BYTES = 1024 * 1024;
/** Text of one task's rows at most; what is beyond is told and left out. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;

export function runTask(
  deps: Deps,
  clusterId: string,
  task: SearchTask,
  search: NewSearch,
  range: SearchRange,
): TaskRun {
  const controller = new AbortController();
  const done = executeTask(deps, clusterId, task, search, range, controller).catch((error: unknown) => {
    deps.log.error({ err: error, task: task.id }, 'a search could not be written down');
    return null;
  });
  return {
    done,
    abort: (reason) => controller.abort(new AppError('conflict', reason ?? 'stopped')),
  };
}

async function executeTask(
  deps: Deps,
  clusterId: string,
  task: SearchTask,
  search: NewSearch,
  range: SearchRange,
  controller: AbortController,
): Promise<TaskEnd> {
  const { tasks, history, queries, clock, log } = deps;
  let stats: QueryStats | null = null;
  let state: TaskChange = {};
  const rows = rowWriter(deps, clusterId, task.id);
  const writeProgress = async (): Promise<void> => {
    const isLive = await tasks.change(clusterId, task.id, {
      ...state,
      ...progressOf(stats),
      rowCount: rows.written(),
      heartbeatMs: clock.now(),
    });
    if (!isLive) controller.abort(new AppError('conflict', 'stopped'));
  };
  const timer = setInterval(() => {
    writeProgress().catch((error: unknown) =>
      log.warn({ err: error }, 'progress of a search is not written'),
    );
  }, PROGRESS_MS);
  let end: TaskChange;
  try {
    const answer = await queries.stream({
      clusterId,
      userId: task.userId,
      scopes: [search.scopeId],
      reach: search.reach,
      kql: search.kql,
      timeRange: range,
      maxRows: search.rowLimit,
      queue: search.queue,
      order: 'newest-first',
      queryId: task.queryId,
      signal: controller.signal,
      onStarted: () => {
        state = { ...state, stage: 'EXECUTING', state: 'STARTED' };
      },
      onProgress: (now) => {
        stats = now;
      },
    });
    state = {
      columns: answer.columns.map(({ name, type }) => ({ name, type })),
      streams: answer.streams.map((stream) => stream ?? ALL_EVENTS),
      diagnostics: answer.diagnostics as SearchDiagnostic[],
      notices: answer.notices,
      ...(answer.range ? {} : { rangeFromMs: null, rangeToMs: null }),
    };
    const truncated = await writeRows(answer.batches, search.rowLimit, rows, writeProgress);
    stats = answer.stats();
    const notices = truncated ? [...answer.notices, rowsCapped(rows.written())] : answer.notices;
    end = { ...state, stage: 'EXECUTED', state: 'SUCCESS', share: 1, truncated, notices };
  } catch (error) {
    await rows.flush().catch(() => undefined);
    end = failureOf(error, controller.signal, state, log);
  } finally {
    clearInterval(timer);
  }
  const endedMs = clock.now();
  // The task ends last: whoever waits for its end finds the search in the history as it ended.
  await history.end(clusterId, task.id, {
    status: end.state === 'SUCCESS' ? 'done' : end.state === 'REVOKED' ? 'cancelled' : 'failed',
    rowCount: rows.written(),
    elapsedMs: endedMs - task.startedMs,
  });
  await tasks.change(clusterId, task.id, {
    ...progressOf(stats),
    ...end,
    rowCount: rows.written(),
    heartbeatMs: endedMs,
    endedMs,
  });
  return { state: end.state ?? 'FAILED', rows: rows.written() };
}

function failureOf(error: unknown, signal: AbortSignal, state: TaskChange, log: Deps['log']): TaskChange {
  if (signal.aborted || isCancelled(error)) {
    const message = signal.reason instanceof AppError ? signal.reason.message : 'stopped';
    const isRevoked = message === 'stopped';
    return { ...state, stage: 'FAILURE', state: isRevoked ? 'REVOKED' : 'FAILED', message };
  }
  const failed = { ...state, stage: 'FAILURE', state: 'FAILED' } as const;
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'a search failed');
    return { ...failed, message: 'the search failed by a fault of the server; its log says more' };
  }
  const { diagnostics } = (error.details ?? {}) as { diagnostics?: SearchDiagnostic[] };
  const isDown = error.kind === 'unavailable';
  return {
    ...failed,
    ...(isDown ? { state: 'QUERY_WORKERS_DOWN' as const } : {}),
    message: error.message,
    ...(diagnostics ? { diagnostics } : {}),
  };
}

interface RowWriter {
  add(rows: readonly ResultRow[]): Promise<void>;
  flush(): Promise<void>;
  /** Rows that can be read. */
  written(): number;
  /** Rows given so far. */
  given(): number;
  bytes(): number;
}

function rowWriter({ tasks }: Deps, clusterId: string, id: string): RowWriter {
  let pending: ResultRow[] = [];
  let pendingBytes = 0;
  let written = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    const rows = pending;
    pending = [];
    pendingBytes = 0;
    await tasks.addRows(clusterId, id, written, rows);
    written += rows.length;
  };
  return {
    flush,
    add: async (rows) => {
      for (const row of rows) {
        pending.push(row);
        const more = approximateBytes(row);
        bytes += more;
        pendingBytes += more;
        if (pending.length >= CHUNK_ROWS || pendingBytes >= CHUNK_BYTES) await flush();
      }
    },
    written: () => written,
    given: () => written + pending.length,
    bytes: () => bytes,
  };
}

/** Answers whether rows were left out. */
async function writeRows(
  batches: AsyncIterable<readonly ResultRow[]>,
  rowLimit: number,
  rows: RowWriter,
  onFirst: () => Promise<void>,
): Promise<boolean> {
  let isFirst = true;
  for await (const batch of batches) {
    const room = rowLimit - rows.given();
    await rows.add(batch.slice(0, room));
    if (batch.length > room || rows.bytes() > MAX_RESULT_BYTES) {
      await rows.flush();
      return true;
    }
    if (isFirst) {
      isFirst = false;
      await rows.flush();
      await onFirst();
    }
  }
  await rows.flush();
  return false;
}

function approximateBytes(row: ResultRow): number {
  let bytes = 0;
  for (const value of row) {
    if (typeof value === 'string') bytes += value.length + 3;
    else if (typeof value === 'object' && value !== null) bytes += JSON.stringify(value).length + 1;
    else bytes += 6;
  }
  return bytes;
}

function progressOf(stats: QueryStats | null): TaskChange {
  if (!stats) return {};
  const { rowsRead, bytesRead, rowsToRead, share, engineMs } = stats;
  return { rowsRead, bytesRead, rowsToRead, share, engineMs };
}

function rowsCapped(rows: number): SearchNotice {
  return { code: 'rows-capped', message: `Only the first ${rows} rows are shown; an export has them all.` };
}
