import type { ResultRow } from './run-pieces.ts';
import type { TaskRun } from './run-task.ts';
import type { SearchTask } from './search-task-store.ts';
import type { TaskRecord } from './task-record.ts';

// The searches of this process: those that run, and for a moment those that have ended with few rows, because whoever
// started one asks for its rows next.

export interface OwnTask {
  readonly clusterId: string;
  readonly record: TaskRecord;
  readonly run: TaskRun;
}

export interface OwnTasks {
  add(task: OwnTask): void;
  /** It runs no more; it is forgotten now, or soon. */
  end(id: string): void;
  running(id: string): OwnTask | undefined;
  all(): readonly OwnTask[];
  /** A user's own task of a tenant, when this process knows how it stands. */
  find(clusterId: string, userId: string, id: string, nowMs: number): SearchTask | null;
  /** All rows of a task that has ended here, while they are held. */
  rows(id: string): readonly ResultRow[] | null;
  /** Searches of a user that have not ended. */
  liveOf(clusterId: string, userId: string): number;
}

/** Another process may take the rows of an ended search away; here they are seen no longer than this. */
const HELD_MS = 5_000;
const MAX_HELD = 100;

export const isLive = ({ stage }: Pick<SearchTask, 'stage'>): boolean =>
  stage === 'PENDING' || stage === 'EXECUTING';

export function createOwnTasks(): OwnTasks {
  const running = new Map<string, OwnTask>();
  const ended = new Map<
    string,
    OwnTask & { readonly rows: readonly ResultRow[]; readonly untilMs: number }
  >();

  const dropOld = (): void => {
    for (const [id, { untilMs }] of ended) {
      if (untilMs > performance.now() && ended.size <= MAX_HELD) break;
      ended.delete(id);
    }
  };
  const endedTask = (id: string) => {
    dropOld();
    return ended.get(id);
  };

  return {
    add: (task) => running.set(task.record.task().id, task),
    end: (id) => {
      const task = running.get(id);
      running.delete(id);
      const rows = task?.run.rows();
      if (task && rows) ended.set(id, { ...task, rows, untilMs: performance.now() + HELD_MS });
      dropOld();
    },
    running: (id) => running.get(id),
    all: () => [...running.values()],
    find: (clusterId, userId, id, nowMs) => {
      const known = running.get(id) ?? endedTask(id);
      const task = known?.record.task();
      const isIt = known?.clusterId === clusterId && task?.userId === userId;
      return task && isIt && known?.record.isKnown() && task.expiresMs > nowMs ? task : null;
    },
    rows: (id) => running.get(id)?.run.rows() ?? endedTask(id)?.rows ?? null,
    liveOf: (clusterId, userId) => {
      const isOwn = (one: OwnTask): boolean => {
        const task = one.record.task();
        return one.clusterId === clusterId && task.userId === userId && isLive(task);
      };
      return [...running.values()].filter(isOwn).length;
    },
  };
}
