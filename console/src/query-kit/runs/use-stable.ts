import { useCallback, useRef } from 'react';

/** The same function on every render that does what the latest one does, so that what takes it need not render again. */
export function useStable<A extends readonly unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const latest = useRef(work);
  latest.current = work;
  return useCallback((...args: A) => latest.current(...args), []);
}
