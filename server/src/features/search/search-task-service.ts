import { setTimeout as sleep } from 'node:timers/promises';
import {
  type OutputOf,
  readStoredText,
  SECURITY,
  type SearchNotice,
  type SearchRange,
  say,
  storedText,
  type TaskState,
  type taskResult,
  type taskState,
} from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Logger } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ResultQuota } from './kept-results.ts';
import type { NewSearch } from './new-search.ts';
import { createOwnTasks, isLive, type OwnTask } from './own-tasks.ts';
import type { QueryService } from './query-service.ts';
import { readEntry } from './read-entry.ts';
import { runTask, STOPPED } from './run-task.ts';
import type { SearchHistoryStore } from './search-history-store.ts';
import { resolveRange } from './search-range.ts';
import type { SearchResultStore } from './search-result-store.ts';
import { type SearchTask, type SearchTaskStore, tooManyLive, withdrawn } from './search-task-store.ts';
import { createTaskRecord, type NoteRead } from './task-record.ts';

// The life of a search: invoked, polled, paged, stopped, forgotten. Whoever asks the process that runs it is answered
// from its memory. Everything that a poll needs is in PostgreSQL besides, and the rows are with the events, so any other
// process may answer; the process that runs a task hears of its end by notification.

export interface SearchTaskService {
  /**
   * Starts a search of the caller and answers how it stands when it has ended, or after a moment. The caller's right to
   * the scope was checked. Its entries in the audit trail are written before rows can be read, and when it ends. Who asks
   * for up to `pageRows` rows waits a little longer, and has them when they are all and held in memory.
   */
  invoke(caller: Caller, clusterId: string, search: NewSearch, pageRows?: number): Promise<InvokedTask>;
  /** How the task stands now, or when there is news of it. */
  state(caller: Caller, clusterId: string, id: string, wait?: TaskWait): Promise<OutputOf<typeof taskState>>;
  result(
    caller: Caller,
    clusterId: string,
    id: string,
    page: { pagesize: number; pageno: number; form: 'objects' | 'rows' },
  ): Promise<OutputOf<typeof taskResult>>;
  cancel(caller: Caller, clusterId: string, id: string, ownerId?: string): Promise<TaskState>;
  /** Stops what runs in this process. */
  stop(): Promise<void>;
}

interface InvokedTask {
  readonly task: Pick<SearchTask, 'id' | 'stage'>;
  readonly result?: OutputOf<typeof taskResult>;
}

/** How long somebody waits for news of a task, and what they know. */
export interface TaskWait {
  readonly wait_ms: number;
  readonly rows_seen: number;
  readonly signal: AbortSignal;
}

export type MaxAtOnce = (clusterId: string) => number | undefined;

export interface SearchTaskDeps {
  readonly tasks: SearchTaskStore;
  readonly results: SearchResultStore;
  readonly history: SearchHistoryStore;
  readonly queries: QueryService;
  readonly quota: ResultQuota;
  /** How many searches of a tenant may wait and run at once by its plan; undefined where none says. */
  readonly maxAtOnce?: MaxAtOnce;
  readonly postgres: Postgres;
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly log: Logger;
}

const KEPT_MS = 60 * 60_000;
const LIVE_PER_USER = 20;
const LOST_AFTER_MS = 30_000;
const CANCEL_CHANNEL = 'search_cancel';
const LOST = say('search.lost');
/** A search that ends within this time is written down once, and its id is answered when it has ended. */
const QUICK_MS = 50;
/** Who asks for rows with the id waits so much longer for the end, and is spared two calls. */
const ANSWER_MS = 200;
/** How often a task of another process is looked at while somebody waits for news of it. */
const LOOK_MS = 200;
/** How often its rows are looked for when they are not there yet, and for how long after its end. */
const LOOKS = 25;
const FRESH_MS = 5_000;

interface SearchTaskServiceParts extends SearchTaskDeps {
  readonly own: ReturnType<typeof createOwnTasks>;
  listening: Promise<() => Promise<void>> | null;
}

export function createSearchTaskService(deps: SearchTaskDeps): SearchTaskService {
  const { tasks, maxAtOnce, postgres, audit, clock } = deps;
  const own = createOwnTasks();
  const invoke: SearchTaskService['invoke'] = async (caller, clusterId, search, pageRows = 0) => {
    if (own.liveOf(clusterId, caller.userId) >= LIVE_PER_USER) throw tooManyLive(LIVE_PER_USER);
    const { record, run } = begin(parts, caller, clusterId, search, clock.now());
    await within(run.ended, QUICK_MS);
    if (record.isKnown()) return invoked(parts, record.task(), pageRows);
    await listen(parts);
    try {
      const aliveSinceMs = clock.now() - LOST_AFTER_MS;
      await record.announce({ ofUser: LIVE_PER_USER, ofTenant: maxAtOnce?.(clusterId), aliveSinceMs });
    } catch (error) {
      run.abort();
      throw error;
    }
    run.announced();
    if (pageRows > 0) await within(Promise.race([run.ended, run.shown]), ANSWER_MS);
    return invoked(parts, record.task(), pageRows);
  };
  const cancel: SearchTaskService['cancel'] = async (caller, clusterId, id, ownerId = caller.userId) => {
    const task = await ownTask(parts, caller, clusterId, id, ownerId);
    const end = {
      stage: 'FAILURE',
      state: 'REVOKED',
      message: storedText(STOPPED),
      endedMs: clock.now(),
    } as const;
    const told = { action: 'search.cancel', clusterId, scopeId: task.scopeId, entity: id };
    const wasLive = await tasks.change(clusterId, id, end, (trx, changed) =>
      audit.record({ ...told, who: caller, details: { changed } }, trx),
    );
    if (!wasLive)
      return task.state === 'REVOKED'
        ? 'REVOKED'
        : (await ownTask(parts, caller, clusterId, id, ownerId)).state;
    const here = own.running(id);
    here?.record.endedElsewhere(end);
    if (here) here.run.abort();
    else await postgres.notify(CANCEL_CHANNEL, id);
    return 'REVOKED';
  };
  const parts: SearchTaskServiceParts = { ...deps, own, listening: null };
  return { invoke, cancel, ...bindDeps(parts, { state, result, stop }) };
}

function invoked({ own, clock }: SearchTaskServiceParts, task: SearchTask, pageRows: number): InvokedTask {
  const rows = pageRows > 0 ? own.rows(task.id) : null;
  if (rows === null || rows.length > pageRows) return { task };
  return { task, result: resultOf(task, rows, 'rows', clock.now()) };
}

/** The caller's own task in a scope that is still open to them; anything else does not exist. */
async function ownTask(
  { own, clock, tasks, audit }: SearchTaskServiceParts,
  caller: Caller,
  clusterId: string,
  id: string,
  ownerId = caller.userId,
): Promise<SearchTask> {
  const here = own.find(clusterId, ownerId, id, clock.now());
  const task = here ?? (await tasks.find(clusterId, ownerId, id, clock.now()));
  if (!task || !caller.scopesWith(clusterId, SECURITY).includes(task.scopeId)) throw notFound();
  if (here || !isLive(task) || clock.now() - task.heartbeatMs < LOST_AFTER_MS) return task;
  const end = {
    stage: 'FAILURE',
    state: 'FAILED',
    message: storedText(LOST),
    endedMs: clock.now(),
  } as const;
  const { scopeId, rowCount: rows } = task;
  const details = { state: end.state, rows, message: LOST.text };
  const lost = { action: 'search', who: caller, clusterId, scopeId, entity: id, details };
  await tasks.change(clusterId, id, end, async (trx, changed) => {
    if (changed > 0) await audit.record(lost, trx);
  });
  return { ...task, ...end };
}

/** Another process may be asked to stop a task that runs here. */
function listen(parts: SearchTaskServiceParts): Promise<unknown> {
  parts.listening ??= parts.postgres.listen(CANCEL_CHANNEL, (id) => parts.own.running(id)?.run.abort());
  return parts.listening.catch(() => {
    parts.listening = null;
  });
}

function begin(
  { audit, tasks, history, results, queries, clock, log, own, quota }: SearchTaskServiceParts,
  caller: Caller,
  clusterId: string,
  search: NewSearch,
  nowMs: number,
): OwnTask {
  const range = resolveRange(
    { from: search.from ?? 'now-24h', to: search.to ?? 'now', query_timezone: search.timezone },
    nowMs,
  );
  const task = newTask(caller.userId, search, range, nowMs);
  const asked = { clusterId, scopeId: search.scopeId, query: search.kql, range };
  const note: NoteRead = ({ state, rows, scopes }, trx) => {
    const entry = readEntry('search', { ...asked, scopes }, { state, rows });
    return audit.record({ ...entry, who: caller, entity: task.id }, trx);
  };
  const scopes = new Set<string>();
  const record = createTaskRecord(task, { tasks, history, clusterId, search, note, scopes });
  const run = runTask({ results, queries, clock, log }, clusterId, search, range, record, scopes);
  const begun = { clusterId, record, run };
  own.add(begun);
  void run.done.then(async () => {
    own.end(task.id);
    await quota
      .kept(clusterId, record.task().keptBytes)
      .catch((error: unknown) => log.warn({ err: error }, 'results beyond the quota stay for now'));
  });
  return begun;
}

async function state(
  parts: SearchTaskServiceParts,
  caller: Caller,
  clusterId: string,
  id: string,
  wait?: TaskWait,
): Promise<OutputOf<typeof taskState>> {
  let task = await ownTask(parts, caller, clusterId, id);
  const untilMs = performance.now() + (wait?.wait_ms ?? 0);
  while (wait && !wait.signal.aborted && !isNews(task, wait) && performance.now() < untilMs) {
    const leftMs = untilMs - performance.now();
    const here = parts.own.running(id);
    if (here) await within(Promise.race(newsOf(here, wait)), leftMs);
    else await sleep(Math.min(LOOK_MS, leftMs));
    task = await ownTask(parts, caller, clusterId, id);
    if (here) break;
  }
  return stateOf(task, parts.clock.now());
}

async function result(
  parts: SearchTaskServiceParts,
  caller: Caller,
  clusterId: string,
  id: string,
  { pagesize, pageno, form }: { pagesize: number; pageno: number; form: 'objects' | 'rows' },
): Promise<OutputOf<typeof taskResult>> {
  const { own, results, clock, tasks } = parts;
  const task = await ownTask(parts, caller, clusterId, id);
  const first = (pageno - 1) * pagesize;
  const end = Math.min(first + pagesize, task.rowCount);
  let rows =
    own.rows(id)?.slice(first, end) ??
    (await results.rows({ clusterId, scopeId: task.scopeId, id }, first, end));
  // Those of another process may still be on their way.
  for (let look = 0; look < LOOKS && isFresh(task, clock.now()); look += 1) {
    if (rows.length >= end - first) break;
    await sleep(LOOK_MS);
    rows = await results.rows({ clusterId, scopeId: task.scopeId, id }, first, end);
  }
  if (rows.length >= end - first) return resultOf(task, rows, form, clock.now());
  // Rows went between the two reads; the task says why, unless their process ended before it had kept them.
  const now = await ownTask(parts, caller, clusterId, id);
  if (now.rowCount < end || isLive(now) || isFresh(now, clock.now()))
    return resultOf(now, [], form, clock.now());
  await tasks.withdraw(clusterId, id, storedText(LOST), clock.now());
  return resultOf({ ...now, ...withdrawn(storedText(LOST), clock.now()) }, [], form, clock.now());
}

async function stop(parts: SearchTaskServiceParts): Promise<void> {
  const stopListening = await parts.listening;
  await stopListening?.();
  const runs = parts.own.all();
  for (const { run } of runs) run.abort(say('search.serverStopped'));
  await Promise.allSettled(runs.map(({ run }) => run.done));
}

const isFresh = ({ endedMs }: SearchTask, nowMs: number): boolean =>
  endedMs !== null && nowMs - endedMs < FRESH_MS;

const isNews = (task: SearchTask, { rows_seen: seen }: TaskWait): boolean =>
  !isLive(task) || (seen === 0 && task.rowCount > 0);

const newsOf = ({ run }: OwnTask, { rows_seen: seen }: TaskWait): Promise<void>[] =>
  seen === 0 ? [run.ended, run.shown] : [run.ended];

/** Resolves when the work has ended, or after this time at the latest. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function newTask(userId: string, search: NewSearch, range: SearchRange, nowMs: number): SearchTask {
  return {
    id: newId(),
    userId,
    scopeId: search.scopeId,
    queryId: newId(),
    queue: search.queue,
    stage: 'PENDING',
    state: 'QUEUED',
    message: '',
    diagnostics: [],
    notices: [],
    columns: [],
    streams: [],
    rangeFromMs: range.from,
    rangeToMs: range.to,
    rowCount: 0,
    truncated: false,
    rowsRead: 0,
    bytesRead: 0,
    rowsToRead: 0,
    share: 0,
    engineMs: 0,
    keptBytes: 0,
    startedMs: nowMs,
    heartbeatMs: nowMs,
    endedMs: null,
    expiresMs: nowMs + KEPT_MS,
  };
}

function elapsedOf(task: SearchTask, nowMs: number): number {
  return Math.max(0, (task.endedMs ?? nowMs) - task.startedMs);
}

function stateOf(task: SearchTask, nowMs: number): OutputOf<typeof taskState> {
  return {
    status: 'success',
    task_stage: task.stage,
    task_state: task.state,
    progress: {
      rows_read: task.rowsRead,
      bytes_read: task.bytesRead,
      rows_to_read: task.rowsToRead,
      share: task.share,
      elapsed_ms: elapsedOf(task, nowMs),
      rows_ready: task.rowCount,
    },
    ...readStoredText(task.message),
    diagnostics: [...task.diagnostics],
  };
}

function resultOf(
  task: SearchTask,
  rows: readonly (readonly unknown[])[],
  form: 'objects' | 'rows',
  nowMs: number,
): OutputOf<typeof taskResult> {
  const names = task.columns.map((column) => column.name);
  const elapsedMs = elapsedOf(task, nowMs);
  const { rangeFromMs: from, rangeToMs: to } = task;
  const asObject = (row: readonly unknown[]) => Object.fromEntries(names.map((name, i) => [name, row[i]]));
  return {
    status: 'success',
    task_status: task.state,
    execution_time: `${(elapsedMs / 1000).toFixed(4)} sec`,
    source_stream: task.streams.join(','),
    fields_list: names,
    columns: [...task.columns],
    result: form === 'objects' ? rows.map(asObject) : [],
    rows: form === 'rows' ? rows.map((row) => [...row]) : [],
    total_count: task.rowCount,
    truncated: task.truncated,
    statistics: {
      rows_read: task.rowsRead,
      bytes_read: task.bytesRead,
      elapsed_ms: elapsedMs,
      engine_ms: task.engineMs,
    },
    range: from === null || to === null ? null : { from, to },
    notices: task.notices as SearchNotice[],
    diagnostics: [...task.diagnostics],
    ...readStoredText(task.message),
  };
}
