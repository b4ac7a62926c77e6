import { useCallback, useEffect, useRef, useState } from 'react';
import { IDLE_SEARCH, type KqlJob, runSearch, type SearchSnapshot } from './run-search.ts';

export interface SearchRun {
  readonly snapshot: SearchSnapshot;
  /** What was asked last, null before the first search. */
  readonly asked: KqlJob | null;
  /** The rows are those of the order or number before, until the new ones come. */
  readonly isStale?: boolean;
}

/** How rows are wanted; their query and range stay. */
export type Wanted = Pick<KqlJob, 'sort' | 'row_limit'>;

export interface SearchRuns {
  /** One for each query that was started, in their order. */
  readonly runs: readonly SearchRun[];
  readonly start: (jobs: readonly KqlJob[]) => void;
  /** Runs one of them again, over the same range, when its rows don't hold what is wanted now. */
  readonly refine: (index: number, wanted: Wanted) => void;
  /** Stops the searches on the engine; rows that are there stay. */
  readonly stop: () => void;
  readonly clear: () => void;
}

export const NO_RUN: SearchRun = { snapshot: IDLE_SEARCH, asked: null };

/** The queries of one text do not take every place of the queue that their tenant has. */
const AT_ONCE = 2;

const STARTED: SearchSnapshot = { ...IDLE_SEARCH, status: 'running' };

/** The searches of one start: those of a new start cancel the ones before, and so does leaving the page. */
export function useSearchRuns(clusterId: string): SearchRuns {
  const [runs, setRuns] = useState<readonly SearchRun[]>([]);
  const latest = useRef(runs);
  latest.current = runs;
  const running = useRef<AbortController[]>([]);
  const abortAll = useCallback(() => {
    for (const controller of running.current) controller.abort();
  }, []);

  useEffect(() => abortAll, [abortAll]);

  const run = useCallback(
    (job: KqlJob, index: number, controller: AbortController): Promise<void> => {
      const { signal } = controller;
      if (signal.aborted) return Promise.resolve();
      const onChange = (next: SearchSnapshot) => {
        if (running.current[index] !== controller) return;
        setRuns((now) => now.map((each, at) => (at === index ? advanced(each, next) : each)));
      };
      return runSearch({ clusterId, job, signal, onChange });
    },
    [clusterId],
  );

  const start = useCallback(
    (jobs: readonly KqlJob[]) => {
      abortAll();
      const controllers = jobs.map(() => new AbortController());
      running.current = [...controllers];
      setRuns(jobs.map((asked) => ({ asked, snapshot: STARTED })));
      void inTurn(controllers, (controller, index) => {
        const job = jobs[index];
        return job ? run(job, index, controller) : Promise.resolve();
      });
    },
    [abortAll, run],
  );

  const refine = useCallback(
    (index: number, wanted: Wanted) => {
      const before = latest.current[index];
      if (!before?.asked || holds(before, wanted)) return;
      const { sort: _sort, row_limit: _limit, ...rest } = before.asked;
      const asked: KqlJob = { ...rest, ...wanted };
      running.current[index]?.abort();
      const controller = new AbortController();
      running.current[index] = controller;
      const snapshot = { ...STARTED, columns: before.snapshot.columns, rows: before.snapshot.rows };
      setRuns((now) => now.map((each, at) => (at === index ? { asked, snapshot, isStale: true } : each)));
      void run(asked, index, controller);
    },
    [run],
  );

  const stop = useCallback(() => {
    abortAll();
    setRuns((now) =>
      now.map((each) =>
        each.snapshot.status === 'running'
          ? { ...each, snapshot: { ...each.snapshot, status: 'stopped' } }
          : each,
      ),
    );
  }, [abortAll]);

  const clear = useCallback(() => {
    abortAll();
    setRuns([]);
  }, [abortAll]);

  return { runs, start, refine, stop, clear };
}

/** Rows of before stay until the first new ones come, or it is known that there are none. */
function advanced(run: SearchRun, next: SearchSnapshot): SearchRun {
  const isWaiting = run.isStale && next.status === 'running' && next.rows.length === 0;
  if (!isWaiting) return { asked: run.asked, snapshot: next };
  const { columns, rows } = run.snapshot;
  return { ...run, snapshot: { ...next, columns, rows } };
}

/** Whether the rows that came, or are coming, hold what is wanted: a result that is whole is sorted where it is. */
function holds({ asked, snapshot }: SearchRun, { sort, row_limit }: Wanted): boolean {
  const isSorted = asked?.sort?.column === sort?.column && asked?.sort?.descending === sort?.descending;
  const isLimited = asked?.row_limit === row_limit;
  if (isSorted && isLimited) return true;
  const isWhole = snapshot.status === 'done' && !snapshot.truncated;
  const hasRows = isLimited || (row_limit !== undefined && snapshot.rows.length <= Number(row_limit));
  return isWhole && hasRows && (isSorted || sort !== undefined);
}

/** Works through the items in their order, some at a time. */
async function inTurn<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const left = [...items.entries()];
  const serve = async () => {
    for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, serve));
}
