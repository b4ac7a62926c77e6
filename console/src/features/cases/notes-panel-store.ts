import { useSyncExternalStore } from 'react';

// Whether the notes are open, for which case, and where: in the drawer of the shell, or in the page of a case.

export interface NotesPanelState {
  readonly open: 'no' | 'drawer' | 'page';
  readonly caseId: string | null;
}

let state: NotesPanelState = { open: 'no', caseId: null };
const watchers = new Set<() => void>();

export function useNotesPanel(): NotesPanelState {
  return useSyncExternalStore(watch, () => state);
}

/** The notes icon of the top bar. */
export function toggleNotesPanel(): void {
  change({ ...state, open: state.open === 'no' ? 'drawer' : 'no' });
}

export function closeNotesPanel(): void {
  change({ ...state, open: 'no' });
}

/** The case whose notes are shown; null: none chosen. */
export function chooseNotesCase(caseId: string | null): void {
  if (state.caseId !== caseId) change({ ...state, caseId });
}

/** Opens or closes the notes in the page of a case. */
export function togglePageNotes(caseId: string): void {
  change({ open: state.open === 'page' && state.caseId === caseId ? 'no' : 'page', caseId });
}

/** Opens the notes in the page of a case. */
export function openPageNotes(caseId: string): void {
  change({ open: 'page', caseId });
}

/** The page of a case goes: notes that stood in it go with it. */
export function leavePageNotes(): void {
  if (state.open === 'page') closeNotesPanel();
}

function change(next: NotesPanelState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
