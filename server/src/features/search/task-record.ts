import { storedText, type TaskState } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { NewSearch } from './new-search.ts';
import type { SearchHistoryStore, SearchStatus } from './search-history-store.ts';
import {
  type MostLive,
  type SearchTask,
  type SearchTaskStore,
  type TaskChange,
  withdrawn,
} from './search-task-store.ts';

// What is known of one search while it runs. It stands in memory for whoever asks this process, and in PostgreSQL for
// the others once it is announced. A search that ends before that is written once, as it ended: with its position in the
// history and its entry in the audit trail in one transaction. Nobody can read a row before an entry tells that
// somebody may.

/** What a task tells the audit trail: when its first rows can be read, and how it ended. */
export interface TaskRead {
  readonly state: TaskState | 'BEGUN';
  /** Rows that the caller can read. */
  readonly rows: number;
  readonly scopes: ReadonlySet<string>;
}

/** Writes it into the audit trail. Throws AppError `unavailable` when that fails; the rows must then not be shown. */
export type NoteRead = (read: TaskRead, trx: TenantTransaction) => Promise<void>;

export interface TaskRecord {
  /** The task as anybody may see it. */
  task(): SearchTask;
  /** Whether other processes know of it, or it has ended. */
  isKnown(): boolean;
  /** Changes figures; others hear of them with the next write. */
  tell(change: TaskChange): void;
  /** Writes it for other processes, unless it has ended. Throws AppError `too-many`; the task is then none. */
  announce(most: MostLive): Promise<void>;
  /** Lets the first rows be read. Throws AppError when their entry cannot be written. */
  show(rows: number): Promise<void>;
  /** Writes the figures for other processes; false when one of them has ended the task. */
  save(): Promise<boolean>;
  /** Ends it. Throws AppError when the entry cannot be written: the rows must go, and the task has failed. */
  end(change: TaskChange): Promise<void>;
  /** Takes its rows back after its end, and says why, by code, as `storedText` writes it. */
  withdraw(message: string, nowMs: number): Promise<void>;
  /** Somebody ended it otherwise: what comes from the search does not count any more. */
  endedElsewhere(change: TaskChange): void;
}

export interface TaskRecordDeps {
  readonly tasks: SearchTaskStore;
  readonly history: SearchHistoryStore;
  readonly clusterId: string;
  readonly search: NewSearch;
  readonly note: NoteRead;
  /** Scopes that were read so far. */
  readonly scopes: ReadonlySet<string>;
}

interface TaskRecordParts extends TaskRecordDeps {
  turn: Promise<unknown>;
  task: SearchTask;
  state: 'own' | 'announced' | 'ended' | 'none';
  isShown: boolean;
}

export function createTaskRecord(first: SearchTask, deps: TaskRecordDeps): TaskRecord {
  const parts: TaskRecordParts = {
    ...deps,
    turn: Promise.resolve(),
    task: first,
    state: 'own',
    isShown: false,
  };
  return bindDeps(parts, {
    task: currentTask,
    isKnown,
    tell,
    announce,
    show,
    save,
    end,
    withdraw,
    endedElsewhere,
  });
}

function inTurn<T>(parts: TaskRecordParts, work: () => Promise<T>): Promise<T> {
  const next = parts.turn.then(work, work);
  parts.turn = next;
  return next;
}

function entry(parts: TaskRecordParts, ended: SearchTask | null) {
  const { search } = parts;
  return {
    id: parts.task.id,
    userId: parts.task.userId,
    scopeId: search.scopeId,
    query: search.kql,
    from: search.from ?? 'now-24h',
    to: search.to ?? 'now',
    queryTimezone: search.timezone,
    startedMs: parts.task.startedMs,
    status: ended ? statusOf(ended) : ('running' as const),
    rowCount: ended ? ended.rowCount : null,
    elapsedMs: ended?.endedMs ? ended.endedMs - parts.task.startedMs : null,
  };
}

function write(
  parts: TaskRecordParts,
  ended: SearchTask,
  told: (trx: TenantTransaction) => Promise<void>,
): Promise<void> {
  const { tasks, clusterId, history } = parts;
  if (parts.state === 'own')
    return tasks.add(clusterId, ended, (trx) => [
      history.add(trx, clusterId, entry(parts, ended)),
      told(trx),
    ]);
  return tasks.changeAtOnce(clusterId, parts.task.id, changeOf(ended), (trx) => [
    closeHistory(parts, trx, ended),
    told(trx),
  ]);
}

function closeHistory(parts: TaskRecordParts, trx: TenantTransaction, ended: SearchTask): Promise<void> {
  const elapsedMs = (ended.endedMs ?? ended.startedMs) - ended.startedMs;
  const end = { status: statusOf(ended), rowCount: ended.rowCount, elapsedMs };
  return parts.history.end(trx, parts.clusterId, parts.task.id, end);
}

async function fail(parts: TaskRecordParts, message: string, endedMs: number): Promise<void> {
  const failed = { ...parts.task, ...withdrawn(message, endedMs) };
  if (parts.state === 'own') await write(parts, failed, async () => undefined);
  else
    await parts.tasks.withdraw(parts.clusterId, parts.task.id, message, endedMs, (trx) => [
      closeHistory(parts, trx, failed),
    ]);
  parts.task = failed;
  parts.state = 'ended';
}

function currentTask(parts: TaskRecordParts): SearchTask {
  return parts.task;
}

function isKnown(parts: TaskRecordParts): boolean {
  return parts.state !== 'own';
}

function tell(parts: TaskRecordParts, change: TaskChange): void {
  if (parts.state !== 'ended') parts.task = { ...parts.task, ...change };
}

function announce(parts: TaskRecordParts, most: MostLive): Promise<void> {
  const { tasks, clusterId, history } = parts;
  return inTurn(parts, async () => {
    if (parts.state !== 'own') return;
    try {
      const told = (trx: TenantTransaction) => [history.add(trx, clusterId, entry(parts, null))];
      await tasks.add(clusterId, parts.task, told, most);
    } catch (error) {
      parts.state = 'none';
      throw error;
    }
    parts.state = 'announced';
  });
}

function show(parts: TaskRecordParts, rows: number): Promise<void> {
  const { tasks, clusterId, note, scopes } = parts;
  return inTurn(parts, async () => {
    if (parts.state !== 'announced' || parts.isShown) return;
    const shown = { ...parts.task, rowCount: rows };
    await tasks.changeAtOnce(clusterId, parts.task.id, changeOf(shown), (trx) => [
      note({ state: 'BEGUN', rows, scopes }, trx),
    ]);
    parts.isShown = true;
    // Somebody may have ended it meanwhile.
    if (parts.state === 'announced') parts.task = { ...parts.task, rowCount: rows };
  });
}

function save(parts: TaskRecordParts): Promise<boolean> {
  return inTurn(
    parts,
    async () =>
      parts.state !== 'announced' || parts.tasks.change(parts.clusterId, parts.task.id, changeOf(parts.task)),
  );
}

function end(parts: TaskRecordParts, change: TaskChange): Promise<void> {
  return inTurn(parts, async () => {
    if (parts.state === 'none') return;
    const ended = { ...parts.task, ...change };
    const read = { state: ended.state, rows: ended.rowCount, scopes: parts.scopes };
    try {
      await write(parts, ended, (trx) => parts.note(read, trx));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await fail(parts, storedText(error.said), ended.endedMs ?? ended.heartbeatMs);
      throw error;
    }
    if (parts.state !== 'ended') parts.task = ended;
    parts.state = 'ended';
  });
}

function withdraw(parts: TaskRecordParts, message: string, nowMs: number): Promise<void> {
  return inTurn(parts, () => fail(parts, message, nowMs));
}

function endedElsewhere(parts: TaskRecordParts, change: TaskChange): void {
  parts.task = { ...parts.task, ...change };
  if (parts.state === 'announced') parts.state = 'ended';
}

function statusOf({ state }: SearchTask): SearchStatus {
  if (state === 'SUCCESS') return 'done';
  return state === 'REVOKED' ? 'cancelled' : 'failed';
}

/** Everything of a task that changes. */
function changeOf({
  id: _,
  userId: _u,
  scopeId: _s,
  queryId: _q,
  startedMs: _b,
  ...change
}: SearchTask): TaskChange {
  return change;
}
