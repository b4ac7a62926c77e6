import { useEffect, useRef, useSyncExternalStore } from 'react';

// What a page holds that is not saved yet. Whoever is about to leave the page or to load it anew asks first; the
// browser asks by itself when the tab is closed.

/** Asks the user; true: leave it behind. */
type AskToLeave = () => Promise<boolean>;

const held = new Set<object>();
const listeners = new Set<() => void>();
let askToLeave: AskToLeave | null = null;

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function change(work: () => void): void {
  work();
  if (held.size > 0) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Holds unsaved work of a page, or of a form of it, while `isDirty`. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const unsaved = {};
    change(() => held.add(unsaved));
    return () => change(() => held.delete(unsaved));
  }, [isDirty]);
}

/** Lets the user decide whenever unsaved work would be left. The shell does, once for all pages. */
export function useAskToLeave(ask: AskToLeave): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const own = () => latest.current();
    askToLeave = own;
    return () => {
      if (askToLeave === own) askToLeave = null;
    };
  }, []);
}

export function hasUnsavedWork(): boolean {
  return held.size > 0;
}

/** The same for whoever draws it. */
export function useHasUnsavedWork(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedWork);
}

/** It is saved, or the user has decided to leave it behind. */
export function discardUnsavedWork(): void {
  change(() => held.clear());
}

/** Whether the page may be left: nothing is unsaved, or the user leaves it behind. */
export async function mayLeavePage(): Promise<boolean> {
  if (hasUnsavedWork() && askToLeave && !(await askToLeave())) return false;
  discardUnsavedWork();
  return true;
}
