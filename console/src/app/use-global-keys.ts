import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { mayOpen } from '../lib/landing.ts';
import { placePath } from '../lib/place.ts';
import { readSession } from '../lib/session-store.ts';
import { readSettings } from '../lib/settings.ts';

// Keys that work on every page: `g` and a letter go to a screen, `?` shows the sheet. They can be switched off.

export const GO_KEYS: Readonly<
  Record<string, { readonly route: string; readonly path: string; readonly title: string }>
> = {
  h: { route: 'S2-55', path: '/', title: 'home' },
  d: { route: 'S2-26', path: '/dashboard', title: 'dashboards' },
  f: { route: 'S2-83', path: '/workbook/new', title: 'find' },
  c: { route: 'S2-34', path: '/incident/cases', title: 'cases' },
  s: { route: 'S2-33', path: '/incident/signals', title: 'signals' },
  w: { route: 'S2-57', path: '/workbook', title: 'workbooks' },
};

const SECOND_KEY_MS = 1200;

export function useGlobalKeys(showSheet: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let first = 0;
    const onKey = (event: KeyboardEvent) => {
      if (!readSettings().shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (event.key === '?') return showSheet();
      if (event.key === 'g') {
        first = event.timeStamp;
        return;
      }
      const target = GO_KEYS[event.key];
      const isSecond = first > 0 && event.timeStamp - first < SECOND_KEY_MS;
      first = 0;
      const session = readSession();
      if (!isSecond || !target || !session || !mayOpen(session, target.route)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const place = { clusterId: session.user.clusterId, scopeId: session.user.scope_id };
      void navigate(target.path === '/' ? '/' : placePath(place, target.path));
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [navigate, showSheet]);
}

/** Whether the key goes into a field or editor. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
