import type { KeyboardEvent } from 'react';

// A list of rows with buttons is one stop of Tab: the up and down arrows go from row to row, left and right through the
// buttons of a row, Home and End to the ends. Rows carry `data-roving-row`; all of their buttons but the one that Tab
// stops at have tabIndex -1.

const ROW = '[data-roving-row]';

/** Moves the focus within such a list; true when the key meant something. */
export function moveInRows(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return false;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROW)];
  const row = event.target.closest<HTMLElement>(ROW);
  const at = row ? rows.indexOf(row) : -1;
  const next = rowAfter(event.key, at, rows) ?? (row && buttonAfter(event.key, event.target, row));
  if (!next) return false;
  event.preventDefault();
  next.focus();
  next.scrollIntoView?.({ block: 'nearest' });
  return true;
}

const firstButton = (row: HTMLElement | undefined): HTMLElement | null =>
  row?.querySelector('button') ?? null;

function rowAfter(key: string, at: number, rows: readonly HTMLElement[]): HTMLElement | null {
  if (key === 'ArrowDown') return firstButton(rows[Math.min(rows.length - 1, at + 1)]);
  if (key === 'ArrowUp') return firstButton(rows[Math.max(0, at - 1)]);
  if (key === 'Home') return firstButton(rows[0]);
  return key === 'End' ? firstButton(rows.at(-1)) : null;
}

function buttonAfter(key: string, target: Element, row: HTMLElement): HTMLElement | null {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  const buttons: Element[] = [...row.querySelectorAll('button')];
  const at = buttons.indexOf(target.closest('button') ?? row);
  const next = step === 0 || at < 0 ? null : buttons[at + step];
  return next instanceof HTMLElement ? next : null;
}
