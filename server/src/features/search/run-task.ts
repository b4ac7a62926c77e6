import { ALL_EVENTS } from '@tyrian/catalog';
import {
  MAX_ROW_LIMIT,
  type SearchDiagnostic,
  type SearchNotice,
  type SearchRange,
  type ServerMessage,
  say,
  storedText,
} from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { isCancelled } from './engine-refusal.ts';
import type { NewSearch } from './new-search.ts';
import { partOfShards } from './part-of-shards.ts';
import type { QueryService } from './query-service.ts';
import { type RowWriter, rowWriter } from './row-writer.ts';
import { rowsToKeep } from './rows-to-keep.ts';
import type { QueryStats, ResultRow } from './run-pieces.ts';
import type { SearchResultStore } from './search-result-store.ts';
import type { TaskChange } from './search-task-store.ts';
import type { TaskRecord } from './task-record.ts';

// Runs one search and keeps its rows and its progress as it goes: the first rows at once, then in larger pieces. While
// nobody can know of the search yet, nothing is written but its end.

export interface TaskRun {
  /** Resolves when the task has ended and everything about it is written, or that failed. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves when the task has ended, as anybody may know; small rows may still be on their way to where they are kept. */
  readonly ended: Promise<void>;
  /** Resolves when first rows can be read while the search goes on; perhaps never. */
  readonly shown: Promise<void>;
  /** Stops the query on the engine. With a reason the task is marked failed by it. */
  abort(why?: ServerMessage): void;
  /** The record was announced: rows that are there may be shown, and progress is written from now on. */
  announced(): void;
  /** All rows of a small result once it has ended, so that nobody needs to read them again; else null. */
  rows(): readonly ResultRow[] | null;
}

interface Deps {
  readonly results: SearchResultStore;
  readonly queries: QueryService;
  readonly clock: Clock;
  readonly log: Logger;
}

export const STOPPED = say('search.stopped');

/** How often other processes hear of progress; whoever asks this one hears of it at once. */
const PROGRESS_MS = 1_000;
/** A search that goes on for so long after its first rows shows them. */
const SHOW_AFTER_MS = 100;
/** Text of one task's rows at most; what is beyond is told and left out. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
const ROWS_LOST = storedText(say('search.rowsLost'));

export function runTask(
  deps: Deps,
  clusterId: string,
  search: NewSearch,
  range: SearchRange,
  record: TaskRecord,
  scopes: Set<string>,
): TaskRun {
  const { results, log } = deps;
  const { id } = record.task();
  const controller = new AbortController();
  const rows = rowWriter(results, { clusterId, scopeId: search.scopeId, id });
  let timer: NodeJS.Timeout | undefined;
  const stopWith = (error: unknown): void => controller.abort(asReason(error, log));
  let tellShown = (): void => undefined;
  const shown = new Promise<void>((resolve) => {
    tellShown = resolve;
  });
  let isShowing = false;
  let isShown = false;
  const show = async (): Promise<void> => {
    if (isShowing || !record.isKnown() || rows.given() === 0) return;
    isShowing = true;
    await rows.flush();
    await record.show(rows.written()).catch((error: unknown) => {
      throw asReason(error, log);
    });
    isShown = true;
    tellShown();
  };
  let showTimer: NodeJS.Timeout | undefined;
  /** Most answers come all at once: only where the search goes on after its first rows do these cost writes of their own. */
  const showSoon = (): void => {
    if (isShowing || !record.isKnown() || rows.given() === 0) return;
    showTimer ??= setTimeout(() => show().catch(stopWith), SHOW_AFTER_MS);
  };
  const readable = (): number => (isShown ? rows.written() : 0);
  const save = async (): Promise<void> => {
    record.tell({ rowCount: readable(), keptBytes: rows.bytes(), heartbeatMs: deps.clock.now() });
    if (!(await record.save())) stopWith(new AppError('conflict', STOPPED));
  };
  let tellEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve;
  });
  const execute = async (): Promise<void> => {
    try {
      const run = { ...deps, clusterId, search, range, record, controller, rows, scopes, showSoon };
      const end = await executeTask(run);
      clearTimeout(showTimer);
      const endedMs = deps.clock.now();
      // All of them, where the entry of the end stands in the same transaction; else those that were shown.
      const rowCount = end.state === 'SUCCESS' ? rows.given() : readable();
      await record.end({ ...end, rowCount, keptBytes: rows.bytes(), heartbeatMs: endedMs, endedMs });
      tellEnded();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await rows.drop();
      return;
    } finally {
      clearInterval(timer);
    }
    if (record.task().state !== 'SUCCESS') return;
    // A small result is answered from memory meanwhile.
    await rows.flushSoon().catch((error: unknown) => {
      log.error({ err: error, task: id }, 'the rows of a search could not be kept');
      return record.withdraw(ROWS_LOST, deps.clock.now());
    });
  };
  const done = execute().catch((error: unknown) => {
    log.error({ err: error, task: id }, 'a search could not be written down');
  });
  return {
    done,
    ended: Promise.race([ended, done]),
    shown,
    abort: (why) => controller.abort(new AppError('conflict', why ?? STOPPED)),
    announced: () => {
      showSoon();
      timer = setInterval(() => {
        save().catch((error: unknown) => log.warn({ err: error }, 'progress of a search is not written'));
      }, PROGRESS_MS);
      void done.then(() => clearInterval(timer));
    },
    rows: () => (record.task().state === 'SUCCESS' ? rows.all() : null),
  };
}

/** Why a search is stopped: the query workers are not down when an entry of the audit trail cannot be written. */
function asReason(error: unknown, log: Logger): AppError {
  if (error instanceof AppError) return new AppError('conflict', error.said);
  log.error({ err: error }, 'the first rows of a search are not written');
  return new AppError('conflict', say('search.failed'));
}

interface Execution extends Deps {
  readonly clusterId: string;
  readonly search: NewSearch;
  readonly range: SearchRange;
  readonly record: TaskRecord;
  readonly controller: AbortController;
  readonly rows: RowWriter;
  readonly scopes: Set<string>;
  /** Lets the rows so far be read in a moment, once others know of the task. */
  readonly showSoon: () => void;
}

function askedBy({ scopeId, reach, kql, rowLimit, sort, queue }: NewSearch) {
  return { scopes: [scopeId], reach, kql, maxRows: rowLimit ?? rowsToKeep, queue, ...(sort ? { sort } : {}) };
}

/** Runs the query and keeps its rows; answers how the task ends, rows and times aside. Never rejects. */
async function executeTask(run: Execution): Promise<TaskChange> {
  const { queries, log, clusterId, search, range, record, controller, rows, scopes, showSoon } = run;
  const { userId, queryId } = record.task();
  let state: TaskChange = {};
  let stats: QueryStats | null = null;
  try {
    const answer = await queries.stream({
      clusterId,
      userId,
      ...askedBy(search),
      timeRange: range,
      order: 'newest-first',
      takesPart: true,
      queryId,
      signal: controller.signal,
      onStarted: () => record.tell({ stage: 'EXECUTING', state: 'STARTED' }),
      onProgress: (now) => {
        stats = now;
        record.tell(progressOf(now));
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
    record.tell(state);
    const told = () => [...answer.notices, ...partOfShards(answer.stats().missingShards)];
    const truncated = await writeRows(answer.batches, answer.maxRows ?? MAX_ROW_LIMIT, rows, () => {
      record.tell({ notices: told() });
      showSoon();
    });
    stats = answer.stats();
    const notices = truncated ? [...told(), rowsCapped(rows.given())] : told();
    const done = { stage: 'EXECUTED', state: 'SUCCESS', share: 1, truncated, notices } as const;
    return { ...progressOf(stats), ...state, ...done };
  } catch (error) {
    if (record.isKnown()) await rows.flush().catch(() => undefined);
    return { ...progressOf(stats), ...failureOf(error, controller.signal, state, log) };
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

/**
 * Answers whether rows were left out. `showSoon` is called whenever more may come. A result that is held in memory is left
 * to be kept behind the answer.
 */
async function writeRows(
  batches: AsyncIterable<readonly ResultRow[]>,
  rowLimit: number,
  rows: RowWriter,
  showSoon: () => void,
): Promise<boolean> {
  for await (const batch of batches) {
    const remaining = rowLimit - rows.given();
    await rows.add(batch.slice(0, remaining));
    if (batch.length > remaining || rows.bytes() > MAX_RESULT_BYTES) {
      if (!rows.all()) await rows.flush();
      return true;
    }
    showSoon();
  }
  if (!rows.all()) await rows.flush();
  return false;
}

function progressOf(stats: QueryStats | null): TaskChange {
  if (!stats) return {};
  const { rowsRead, bytesRead, rowsToRead, share, engineMs } = stats;
  return { rowsRead, bytesRead, rowsToRead, share, engineMs };
}

function rowsCapped(rows: number): SearchNotice {
  return { code: 'rows-capped', message: `Only the first ${rows} rows are shown; an export has them all.` };
}
