import { ALL_EVENTS } from '@tyrian/catalog';
import {
  MAX_ROW_LIMIT,
  type SearchDiagnostic,
  type SearchNotice,
  type SearchRange,
  type ServerMessage,
  say,
  storedText,
  type TaskState,
} from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { isCancelled } from './engine-refusal.ts';
import type { NewSearch } from './new-search.ts';
import type { QueryService } from './query-service.ts';
import { rowsToKeep } from './rows-to-keep.ts';
import type { QueryStats } from './run-pieces.ts';
import type { SearchHistoryStore, SearchStatus } from './search-history-store.ts';
import type { ResultRow, SearchTask, SearchTaskStore, TaskChange } from './search-task-store.ts';

// Runs one search and writes its rows and its progress as it goes: the first rows at once, then in larger pieces.

/** What a task tells the audit trail: when its first rows can be read, and how it ended. */
export interface TaskRead {
  readonly state: TaskState | 'BEGUN';
  /** Rows that the caller can read. */
  readonly rows: number;
  readonly scopes: ReadonlySet<string>;
}

/** Writes it into the audit trail. Throws AppError `unavailable` when that fails; the rows must then not be shown. */
export type NoteRead = (read: TaskRead, trx?: TenantTransaction) => Promise<void>;

export interface TaskRun {
  /** Resolves when the task has ended and everything about it is written, or that failed. Never rejects. */
  readonly done: Promise<void>;
  /** Stops the query on the engine. With a reason the task is marked failed by it. */
  abort(why?: ServerMessage): void;
}

interface Deps {
  readonly tasks: SearchTaskStore;
  readonly history: SearchHistoryStore;
  readonly queries: QueryService;
  readonly clock: Clock;
  readonly log: Logger;
}

export const STOPPED = say('search.stopped');

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
  note: NoteRead,
): TaskRun {
  const controller = new AbortController();
  const done = executeTask(deps, clusterId, task, search, range, controller, note).catch((error: unknown) => {
    deps.log.error({ err: error, task: task.id }, 'a search could not be written down');
  });
  return {
    done,
    abort: (why) => controller.abort(new AppError('conflict', why ?? STOPPED)),
  };
}

async function executeTask(
  deps: Deps,
  clusterId: string,
  task: SearchTask,
  search: NewSearch,
  range: SearchRange,
  controller: AbortController,
  note: NoteRead,
): Promise<void> {
  const { tasks, history, queries, clock, log } = deps;
  let stats: QueryStats | null = null;
  let state: TaskChange = {};
  const rows = rowWriter(deps, clusterId, task.id);
  const scopes = new Set<string>();
  // No row can be read before an entry tells that somebody may.
  let isNoted = false;
  const readable = () => (isNoted ? rows.written() : 0);
  const writeProgress = async (): Promise<void> => {
    const isLive = await tasks.change(clusterId, task.id, {
      ...state,
      ...progressOf(stats),
      rowCount: readable(),
      heartbeatMs: clock.now(),
    });
    if (!isLive) controller.abort(new AppError('conflict', STOPPED));
  };
  const showFirst = async (): Promise<void> => {
    await note({ state: 'BEGUN', rows: rows.written(), scopes }).catch((error: unknown) => {
      // The query workers are not down.
      throw new AppError('conflict', error instanceof AppError ? error.said : say('search.failed'));
    });
    isNoted = true;
    await writeProgress();
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
      maxRows: search.rowLimit ?? rowsToKeep,
      ...(search.sort ? { sort: search.sort } : {}),
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
      onScopes: (read) => {
        for (const scope of read) scopes.add(scope);
      },
    });
    state = {
      columns: answer.columns.map(({ name, type }) => ({ name, type })),
      streams: answer.streams.map((stream) => stream ?? ALL_EVENTS),
      diagnostics: answer.diagnostics as SearchDiagnostic[],
      notices: answer.notices,
      ...(answer.range ? {} : { rangeFromMs: null, rangeToMs: null }),
    };
    const truncated = await writeRows(answer.batches, answer.maxRows ?? MAX_ROW_LIMIT, rows, showFirst);
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
  // All of them, where the entry of the end stands in the same transaction; else those that were shown.
  const found = end.state === 'SUCCESS' ? rows.written() : readable();
  const closeHistory = (status: SearchStatus, rowCount: number) =>
    history.end(clusterId, task.id, { status, rowCount, elapsedMs: endedMs - task.startedMs });
  // The task ends last: whoever waits for its end finds the search in the history as it ended.
  await closeHistory(
    end.state === 'SUCCESS' ? 'done' : end.state === 'REVOKED' ? 'cancelled' : 'failed',
    found,
  );
  const last = { ...progressOf(stats), ...end, rowCount: found, heartbeatMs: endedMs, endedMs };
  try {
    await tasks.change(clusterId, task.id, last, (trx) =>
      note({ state: end.state ?? 'FAILED', rows: found, scopes }, trx),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await closeHistory('failed', 0);
    await tasks.withdraw(clusterId, task.id, storedText(error.said), endedMs);
  }
}

function failureOf(error: unknown, signal: AbortSignal, state: TaskChange, log: Deps['log']): TaskChange {
  if (signal.aborted || isCancelled(error)) {
    const said = signal.reason instanceof AppError ? signal.reason.said : STOPPED;
    const isRevoked = said.code === STOPPED.code;
    return { ...state, stage: 'FAILURE', state: isRevoked ? 'REVOKED' : 'FAILED', message: storedText(said) };
  }
  const failed = { ...state, stage: 'FAILURE', state: 'FAILED' } as const;
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'a search failed');
    return { ...failed, message: storedText(say('search.failed')) };
  }
  const { diagnostics } = (error.details ?? {}) as { diagnostics?: SearchDiagnostic[] };
  const isDown = error.kind === 'unavailable';
  return {
    ...failed,
    ...(isDown ? { state: 'QUERY_WORKERS_DOWN' as const } : {}),
    message: storedText(error.said),
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

/** Answers whether rows were left out. `onFirst` is called when the first rows are written and more may come. */
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
    if (isFirst && batch.length > 0) {
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
