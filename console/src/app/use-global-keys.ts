import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { mayOpen } from '../lib/landing.ts';
import { scopePath } from '../lib/scope-path.ts';
import { readSession, type Session } from '../lib/session-store.ts';
import { isSingleKey, useKeySequence } from '../lib/use-key-sequence.ts';

// Keys that work on every page: Ctrl+K the palette, `g` and a letter go to a screen, `?` shows the sheet.

interface GoTarget {
  /** The name of the route; its title stands in the locale files under `menu.` and this. */
  readonly page: string;
  readonly path: string;
}

export const GO_KEYS: Readonly<Record<string, GoTarget>> = {
  h: { page: 'home', path: '/' },
  d: { page: 'dashboards', path: '/dashboard' },
  f: { page: 'find', path: '/workbook/new' },
  c: { page: 'cases', path: '/incident/cases' },
  s: { page: 'signals', path: '/incident/signals' },
  w: { page: 'workbooks', path: '/workbook' },
  m: { page: 'mitreAttack', path: '/mitre_attack' },
  r: { page: 'reports', path: '/reports' },
};

interface GlobalKeys {
  readonly showSheet: () => void;
  readonly showPalette: () => void;
  /** Whether a screen stands behind a route. */
  readonly hasScreen: (routeName: string) => boolean;
}

/** Whether `g` and the key lead somewhere for this session. */
export function goesSomewhere(
  session: Session,
  target: GoTarget,
  hasScreen: (routeName: string) => boolean,
): boolean {
  return mayOpen(session, target.page) && hasScreen(target.page);
}

export function useGlobalKeys({ showSheet, showPalette, hasScreen }: GlobalKeys): void {
  const navigate = useNavigate();
  useKeySequence('g', (key) => {
    const target = GO_KEYS[key];
    const session = readSession();
    if (!target || !session || !goesSomewhere(session, target, hasScreen)) return false;
    const scope = { clusterId: session.user.clusterId, scopeId: session.user.scope_id };
    void navigate(target.path === '/' ? '/' : scopePath(scope, target.path));
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
