import { useEffect, useState } from 'react';

/** False at first, true after `ms`: for skeletons that fast answers should never show. */
export function useLate(ms = 150): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
}
