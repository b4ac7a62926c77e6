import { useSyncExternalStore } from 'react';

// Whether the notes drawer is open, and for which case: a case page opens it for its own.

export interface NotesPanelState {
  readonly isOpen: boolean;
  readonly caseId: string | null;
}

let state: NotesPanelState = { isOpen: false, caseId: null };
const watchers = new Set<() => void>();

export function useNotesPanel(): NotesPanelState {
  return useSyncExternalStore(watch, () => state);
}

export function toggleNotesPanel(): void {
  change({ ...state, isOpen: !state.isOpen });
}

export function closeNotesPanel(): void {
  change({ ...state, isOpen: false });
}

/** The case whose notes the drawer shows; null: none chosen. */
export function chooseNotesCase(caseId: string | null): void {
  if (state.caseId !== caseId) change({ ...state, caseId });
}

/** Opens the drawer for a case. */
export function openNotesFor(caseId: string): void {
  change({ isOpen: true, caseId });
}

function change(next: NotesPanelState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
