import { type RefObject, useEffect } from 'react';
import { isSingleKey } from '../../lib/use-key-sequence.ts';
import type { KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';

// Keys of Find. The editor has the focus on arrival, and typing takes the place of the query that is suggested there; `/` goes back to it from anywhere, `r` to the results, and Ctrl+.
// mends the query also while the focus is elsewhere. Escape leaves the editor, so that single keys work.

/** `main` holds the results; `suggested` is the query that stands in an editor where nothing was written yet. */
export function useFindKeys(
  editor: RefObject<KqlEditorHandle | null>,
  main: RefObject<HTMLElement | null>,
  suggested: string,
): void {
  useEffect(() => {
    // On a phone the keyboard would cover half of the page before anything was asked for.
    if (!matchMedia('(hover: none)').matches) editor.current?.arrive(suggested);
  }, [editor, suggested]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!actOn(event, editor.current, main.current)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [editor, main]);
}

function actOn(event: KeyboardEvent, editor: KqlEditorHandle | null, main: HTMLElement | null): boolean {
  const isInText = event.target instanceof HTMLElement && event.target.isContentEditable;
  if (event.key === '.' && (event.ctrlKey || event.metaKey) && !isInText) return editor?.mend() ?? false;
  if (!isSingleKey(event)) return false;
  if (event.key === '/' && editor) {
    editor.focus();
    return true;
  }
  const results = event.key === 'r' ? resultsIn(main) : null;
  results?.focus();
  return results !== null;
}

/** The grid of the results; where they are drawn, or there are none, the panel that says so. */
const resultsIn = (main: HTMLElement | null): HTMLElement | null =>
  main?.querySelector<HTMLElement>('[role="grid"]') ??
  main?.querySelector<HTMLElement>('[data-results]') ??
  null;
