import { useEffect, useRef } from 'react';
import { readSettings } from './settings.ts';

// Shortcuts of two keys, such as `g c`: the first opens a short time in which the second counts. They rest while
// somebody types, while a dialog is open, and where the user has switched single keys off.

const SECOND_KEY_MS = 1200;

/** Calls `onSecond` with the key that follows `first`; it answers whether the key meant something. */
export function useKeySequence(first: string, onSecond: (key: string) => boolean): void {
  const act = useRef(onSecond);
  act.current = onSecond;
  useEffect(() => {
    let begun = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      const isSecond = event.timeStamp - begun < SECOND_KEY_MS;
      begun = Number.NEGATIVE_INFINITY;
      if (isSecond && act.current(event.key)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.key === first) begun = event.timeStamp;
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [first]);
}

/** Whether a key press may be a shortcut of single keys. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (!readSettings().shortcuts || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !event.defaultPrevented && !isTyping(event.target) && !isDialogOpen();
}

/** Whether the key goes into a field or editor. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
