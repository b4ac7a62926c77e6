import { useEffect } from 'react';
import { useSettings } from '../lib/settings.ts';

/** `z` takes back the last change of a page, unless somebody is typing or keys are switched off. */
export function useUndoKey(undo: () => void): void {
  const { shortcuts } = useSettings();
  useEffect(() => {
    if (!shortcuts) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isTyping = target?.closest(
        'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"]',
      );
      if (event.key !== 'z' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [shortcuts, undo]);
}
