import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { mayOpen } from '../lib/landing.ts';
import { placePath } from '../lib/place.ts';
import { readSession, type Session } from '../lib/session-store.ts';
import { isSingleKey, useKeySequence } from '../lib/use-key-sequence.ts';

// Keys that work on every page: Ctrl+K the palette, `g` and a letter go to a screen, `?` shows the sheet.

interface GoTarget {
  readonly route: string;
  readonly path: string;
  /** Key of the title in the locale files, under `menu.`. */
  readonly title: string;
}

export const GO_KEYS: Readonly<Record<string, GoTarget>> = {
  h: { route: 'S2-55', path: '/', title: 'home' },
  d: { route: 'S2-26', path: '/dashboard', title: 'dashboards' },
  f: { route: 'S2-83', path: '/workbook/new', title: 'find' },
  c: { route: 'S2-34', path: '/incident/cases', title: 'cases' },
  s: { route: 'S2-33', path: '/incident/signals', title: 'signals' },
  w: { route: 'S2-57', path: '/workbook', title: 'workbooks' },
  m: { route: 'S2-59', path: '/mitre_attack', title: 'mitreAttack' },
  r: { route: 'S2-28', path: '/reports', title: 'reports' },
};

interface GlobalKeys {
  readonly showSheet: () => void;
  readonly showPalette: () => void;
  /** Whether a screen stands behind a route. */
  readonly hasScreen: (routeId: string) => boolean;
}

/** Whether `g` and the key lead somewhere for this session. */
export function goesSomewhere(
  session: Session,
  target: GoTarget,
  hasScreen: (routeId: string) => boolean,
): boolean {
  return mayOpen(session, target.route) && hasScreen(target.route);
}

export function useGlobalKeys({ showSheet, showPalette, hasScreen }: GlobalKeys): void {
  const navigate = useNavigate();
  useKeySequence('g', (key) => {
    const target = GO_KEYS[key];
    const session = readSession();
    if (!target || !session || !goesSomewhere(session, target, hasScreen)) return false;
    const place = { clusterId: session.user.clusterId, scopeId: session.user.scope_id };
    void navigate(target.path === '/' ? '/' : placePath(place, target.path));
    return true;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        showPalette();
      } else if (event.key === '?' && isSingleKey(event)) {
        event.preventDefault();
        showSheet();
      }
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [showSheet, showPalette]);
}

/** Ctrl+K or Cmd+K; Ctrl+/ too, which in an editor makes a comment. */
function isPaletteKey(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  if (event.key.toLowerCase() === 'k') return true;
  const isInEditor = event.target instanceof HTMLElement && event.target.isContentEditable;
  return event.key === '/' && !isInEditor;
}
