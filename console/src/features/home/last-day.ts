import { useEffect, useState } from 'react';
import { lastRange } from '../../lib/time-range.ts';

// The day that home is about: until now, moving on each minute.

export const LAST_DAY = lastRange('24h');

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The last 24 hours as a list asks for them. */
export function useLastDay(): { readonly start: number; readonly end: number } {
  const [end, setEnd] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setEnd(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return { start: end - DAY_MS, end };
}
