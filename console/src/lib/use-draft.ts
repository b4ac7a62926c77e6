import { useState } from 'react';
import { useUnsavedWork } from './unsaved-work.ts';

/**
 * What a form shows while it is changed, beside what is stored. Leaving the page asks first while the two differ.
 * `stored` holds what JSON can say, its fields always in the same order.
 */
export function useDraft<T extends object>(stored: T) {
  const [draft, setDraft] = useState(stored);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  useUnsavedWork(isChanged);
  const change = (part: Partial<T>) => setDraft((old) => ({ ...old, ...part }));
  return { draft, change, isChanged };
}
