import { storedText, type TaskState } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
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
// the others once it is announced. A search that ends before that is written once, as it ended: with its place in the
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

export function createTaskRecord(first: SearchTask, deps: TaskRecordDeps): TaskRecord {
  const { tasks, history, clusterId, search, note, scopes } = deps;
  let task = first;
  let state: 'own' | 'announced' | 'ended' | 'none' = 'own';
  let isShown = false;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work, work);
    turn = next;
    return next;
  };
  const entry = (ended: SearchTask | null) => ({
    id: task.id,
    userId: task.userId,
    scopeId: search.scopeId,
    query: search.kql,
    from: search.from ?? 'now-24h',
    to: search.to ?? 'now',
    queryTimezone: search.timezone,
    startedMs: task.startedMs,
    status: ended ? statusOf(ended) : ('running' as const),
    rowCount: ended ? ended.rowCount : null,
    elapsedMs: ended?.endedMs ? ended.endedMs - task.startedMs : null,
  });
  const write = async (ended: SearchTask, told: (trx: TenantTransaction) => Promise<void>): Promise<void> => {
    if (state === 'own') {
      await tasks.add(clusterId, ended, async (trx) => {
        await history.add(trx, clusterId, entry(ended));
        await told(trx);
      });
      return;
    }
    const change = changeOf(ended);
    await tasks.change(clusterId, task.id, change, async (trx) => {
      await closeHistory(trx, ended);
      await told(trx);
    });
  };
  const closeHistory = (trx: TenantTransaction, ended: SearchTask): Promise<void> => {
    const elapsedMs = (ended.endedMs ?? ended.startedMs) - ended.startedMs;
    const end = { status: statusOf(ended), rowCount: ended.rowCount, elapsedMs };
    return history.end(trx, clusterId, task.id, end);
  };
  const fail = async (message: string, endedMs: number): Promise<void> => {
    const failed = { ...task, ...withdrawn(message, endedMs) };
    if (state === 'own') await write(failed, async () => undefined);
    else await tasks.withdraw(clusterId, task.id, message, endedMs, (trx) => closeHistory(trx, failed));
    task = failed;
    state = 'ended';
  };

  return {
    task: () => task,
    isKnown: () => state !== 'own',
    tell: (change) => {
      if (state !== 'ended') task = { ...task, ...change };
    },
    announce: (most) =>
      inTurn(async () => {
        if (state !== 'own') return;
        try {
          await tasks.add(clusterId, task, (trx) => history.add(trx, clusterId, entry(null)), most);
        } catch (error) {
          state = 'none';
          throw error;
        }
        state = 'announced';
      }),
    show: (rows) =>
      inTurn(async () => {
        if (state !== 'announced' || isShown) return;
        const shown = { ...task, rowCount: rows };
        await tasks.change(clusterId, task.id, changeOf(shown), (trx) =>
          note({ state: 'BEGUN', rows, scopes }, trx),
        );
        isShown = true;
        // Somebody may have ended it meanwhile.
        if (state === 'announced') task = { ...task, rowCount: rows };
      }),
    save: () => inTurn(async () => state !== 'announced' || tasks.change(clusterId, task.id, changeOf(task))),
    end: (change) =>
      inTurn(async () => {
        if (state === 'none') return;
        const ended = { ...task, ...change };
        const read = { state: ended.state, rows: ended.rowCount, scopes };
        try {
          await write(ended, (trx) => note(read, trx));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          await fail(storedText(error.said), ended.endedMs ?? ended.heartbeatMs);
          throw error;
        }
        if (state !== 'ended') task = ended;
        state = 'ended';
      }),
    withdraw: (message, nowMs) => inTurn(() => fail(message, nowMs)),
    endedElsewhere: (change) => {
      task = { ...task, ...change };
      if (state === 'announced') state = 'ended';
    },
  };
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
