import { useEffect, useRef } from 'react';

// What a page holds that is not saved yet. Whoever is about to load the page anew asks first; the browser asks by
// itself when the tab is closed.

interface Unsaved {
  /** Asks the user; true: leave it behind. */
  readonly ask: () => Promise<boolean>;
}

const held = new Set<Unsaved>();

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function change(work: () => void): void {
  work();
  if (held.size > 0) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Holds unsaved work of a page while `isDirty`; `ask` lets the user decide. */
export function useUnsavedWork(isDirty: boolean, ask: () => Promise<boolean>): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!isDirty) return;
    const unsaved: Unsaved = { ask: () => latest.current() };
    change(() => held.add(unsaved));
    return () => change(() => held.delete(unsaved));
  }, [isDirty]);
}

export function hasUnsavedWork(): boolean {
  return held.size > 0;
}

/** The user has decided to leave it behind. */
export function discardUnsavedWork(): void {
  change(() => held.clear());
}

/** Whether the page may be left: nothing is unsaved, or the user leaves it behind. */
export async function mayLeavePage(): Promise<boolean> {
  for (const unsaved of [...held]) {
    if (!(await unsaved.ask())) return false;
  }
  discardUnsavedWork();
  return true;
}
