import { useCallback, useEffect, useRef, useState } from 'react';
import { IDLE_SEARCH, type KqlJob, runSearch, type SearchSnapshot } from './run-search.ts';

export interface SearchRun {
  readonly snapshot: SearchSnapshot;
  /** What was asked last, null before the first search. */
  readonly asked: KqlJob | null;
}

export interface SearchRuns {
  /** One for each query that was started, in their order. */
  readonly runs: readonly SearchRun[];
  readonly start: (jobs: readonly KqlJob[]) => void;
  /** Stops the searches on the engine; rows that are there stay. */
  readonly stop: () => void;
  readonly clear: () => void;
}

export const NO_RUN: SearchRun = { snapshot: IDLE_SEARCH, asked: null };

/** The queries of one text do not take every place of the queue that their tenant has. */
const AT_ONCE = 2;

/** The searches of one start: those of a new start cancel the ones before, and so does leaving the page. */
export function useSearchRuns(clusterId: string): SearchRuns {
  const [runs, setRuns] = useState<readonly SearchRun[]>([]);
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback(
    (jobs: readonly KqlJob[]) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const snapshot: SearchSnapshot = { ...IDLE_SEARCH, status: 'running' };
      setRuns(jobs.map((asked) => ({ asked, snapshot })));
      const tell = (index: number, next: SearchSnapshot) => {
        if (running.current !== controller) return;
        setRuns((now) => now.map((each, at) => (at === index ? { ...each, snapshot: next } : each)));
      };
      const { signal } = controller;
      void inTurn(jobs, (job, index) =>
        signal.aborted
          ? Promise.resolve()
          : runSearch({ clusterId, job, signal, onChange: (next) => tell(index, next) }),
      );
    },
    [clusterId],
  );

  const stop = useCallback(() => {
    running.current?.abort();
    setRuns((now) =>
      now.map((each) =>
        each.snapshot.status === 'running'
          ? { ...each, snapshot: { ...each.snapshot, status: 'stopped' } }
          : each,
      ),
    );
  }, []);

  const clear = useCallback(() => {
    running.current?.abort();
    setRuns([]);
  }, []);

  return { runs, start, stop, clear };
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
