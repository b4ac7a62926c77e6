import { useEffect, useState } from 'react';

const STEP_MS = 15_000;

/** The present time in ms, moved on now and then while the tab is looked at: for ages that are shown. */
export function useNow(stepMs = STEP_MS): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [stepMs]);
  return now;
}
