import { useCallback, useEffect, useRef, useState } from 'react';
import { IDLE_SEARCH, type KqlJob, runSearch, type SearchSnapshot } from './run-search.ts';

export interface SearchRun {
  readonly snapshot: SearchSnapshot;
  /** What was asked last, null before the first search. */
  readonly asked: KqlJob | null;
  readonly start: (job: KqlJob) => void;
  /** Stops the search on the engine; rows that are there stay. */
  readonly stop: () => void;
  readonly clear: () => void;
}

/** One search at a time: a new one cancels the one before, and so does leaving the page. */
export function useSearchRun(clusterId: string): SearchRun {
  const [snapshot, setSnapshot] = useState<SearchSnapshot>(IDLE_SEARCH);
  const [asked, setAsked] = useState<KqlJob | null>(null);
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback(
    (job: KqlJob) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setAsked(job);
      void runSearch({ clusterId, job, signal: controller.signal, onChange: setSnapshot });
    },
    [clusterId],
  );

  const stop = useCallback(() => {
    running.current?.abort();
    setSnapshot((now) => (now.status === 'running' ? { ...now, status: 'stopped' } : now));
  }, []);

  const clear = useCallback(() => {
    running.current?.abort();
    setAsked(null);
    setSnapshot(IDLE_SEARCH);
  }, []);

  return { snapshot, asked, start, stop, clear };
}
