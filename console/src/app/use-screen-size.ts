import { useSyncExternalStore } from 'react';

// Under 768 px the menu is a drawer, under 1024 px it is collapsed (specification, section 9).

export type ScreenSize = 'mobile' | 'narrow' | 'wide';

const MOBILE = '(max-width: 767.9px)';
const NARROW = '(max-width: 1023.9px)';

function readScreenSize(): ScreenSize {
  if (matchMedia(MOBILE).matches) return 'mobile';
  return matchMedia(NARROW).matches ? 'narrow' : 'wide';
}

export function useScreenSize(): ScreenSize {
  return useSyncExternalStore(watch, readScreenSize);
}

function watch(onChange: () => void): () => void {
  const queries = [matchMedia(MOBILE), matchMedia(NARROW)];
  for (const query of queries) query.addEventListener('change', onChange);
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange);
  };
}
