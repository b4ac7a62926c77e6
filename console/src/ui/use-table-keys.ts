import { type RefObject, useEffect } from 'react';
import { readSettings } from '../lib/settings.ts';
import type { TableRow } from './table-model.ts';

// Keys of a table: j k and the arrows move, Home and End jump, Enter opens, x or space selects, Shift+arrow extends.
// They work while the table has the focus, and anywhere on the page when nothing else has it. Letters also work while a
// button has it, such as the one that was clicked last: they mean nothing there.

interface TableKeys<T> {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: readonly TableRow<T>[];
  readonly active: number;
  readonly moveTo: (index: number) => void;
  /** Brings the active row into sight; false when it is in sight already. */
  readonly showActive: () => boolean;
  readonly toggle: (id: string) => void;
  readonly onOpen?: (row: T) => void;
  readonly rowKeys?: Readonly<Record<string, (row: T) => void>>;
}

export function useTableKeys<T>(keys: TableKeys<T>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isForTable(event, keys.scroller.current)) return;
      const work = actionOf(event, keys);
      if (!work) return;
      event.preventDefault();
      work();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

function actionOf<T>(event: KeyboardEvent, keys: TableKeys<T>): (() => void) | null {
  const { rows, active } = keys;
  const row = rows[active];
  const end = rows.length - 1;
  if (end < 0) return null;
  const single = readSettings().shortcuts;
  const key = event.key;
  if (key === 'ArrowDown' || (single && key === 'j')) return () => keys.moveTo(Math.min(end, active + 1));
  if (key === 'ArrowUp' || (single && key === 'k')) return () => keys.moveTo(Math.max(0, active - 1));
  if (key === 'PageDown') return () => keys.moveTo(Math.min(end, active + 20));
  if (key === 'PageUp') return () => keys.moveTo(Math.max(0, active - 20));
  if (key === 'Home') return () => keys.moveTo(0);
  if (key === 'End') return () => keys.moveTo(end);
  const work = row ? rowAction(key, single, row, keys) : null;
  // What acts on a row acts only on one in sight: the first press brings a row back that was scrolled away.
  return work && (() => void (keys.showActive() || work()));
}

function rowAction<T>(
  key: string,
  single: boolean,
  row: TableRow<T>,
  keys: TableKeys<T>,
): (() => void) | null {
  if (key === 'Enter' && keys.onOpen) return () => keys.onOpen?.(row.original.value);
  if (key === ' ' || (single && key === 'x')) return () => keys.toggle(row.id);
  const more = single ? keys.rowKeys?.[key] : undefined;
  return more ? () => more(row.original.value) : null;
}

/** The table is in sight and has the focus itself, or nothing that takes the key has it and no dialog is open. */
function isForTable(event: KeyboardEvent, scroller: HTMLElement | null): boolean {
  if (event.defaultPrevented || !scroller || scroller.closest('[hidden]')) return false;
  const { target } = event;
  if (target === scroller) return true;
  const isPage = target === document.body || target === document.documentElement;
  const isFree = isPage || (/^[a-z]$/.test(event.key) && isButton(target));
  return isFree && !document.querySelector('[role="dialog"][aria-modal="true"]');
}

/** In menus and lists that are open a letter leads to an entry. */
function isButton(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('button:not([aria-expanded="true"]), a, input[type="checkbox"], input[type="radio"]') &&
    !target.closest('[role="menu"], [role="listbox"], [role="dialog"]')
  );
}
