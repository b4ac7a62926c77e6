import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { UserAccess } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeNotesPanel, toggleNotesPanel } from '../features/cases/notes-panel-store.ts';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess } from '../testing/sample-session.ts';
import { stubCalls } from '../testing/stub-calls.ts';
import { ConsoleShell } from './console-shell.tsx';

const matchesNothing = window.matchMedia;

afterEach(() => {
  closeNotesPanel();
  cleanup();
  vi.unstubAllGlobals();
  window.matchMedia = matchesNothing;
  clearStored();
});

/** The shell in a window of so many pixels. */
async function shell(width: number, access: UserAccess = sampleAccess({ role: 'Security Analyst' })) {
  stubCalls([]);
  const plain = window.matchMedia;
  window.matchMedia = (query) => {
    const upTo = /\(max-width: ([\d.]+)px\)/.exec(query)?.[1];
    return { ...plain(query), matches: upTo !== undefined && width <= Number(upTo) } as MediaQueryList;
  };
  return renderScreen(<ConsoleShell />, { access, url: '/c1/s1/incident/signals' });
}
const menu = () => screen.queryByRole('navigation', { name: 'Main menu' });
const swipe = (from: number, to: number, y = 300) => {
  fireEvent.touchStart(document.body, { touches: [{ clientX: from, clientY: 300 }] });
  fireEvent.touchEnd(document.body, { changedTouches: [{ clientX: to, clientY: y }] });
};

describe('the frame of every page', () => {
  it.each([
    [1440, 'full'],
    [1024, 'full'],
    [1023, 'collapsed'],
    [768, 'collapsed'],
    [767, 'drawer'],
  ])('[S9-05][S2-114] at %i px the menu is %s', async (width, mode) => {
    await shell(width);
    const shown = menu();
    expect(shown === null ? 'drawer' : shown.hasAttribute('data-collapsed') ? 'collapsed' : 'full').toBe(
      mode,
    );
  });

  it('[S2-114] its button collapses the menu and expands it again', async () => {
    await shell(1440);
    const button = screen.getByRole('button', { name: 'Collapse or expand the menu' });
    fireEvent.click(button);
    expect(menu()?.hasAttribute('data-collapsed')).toBe(true);
    fireEvent.click(button);
    expect(menu()?.hasAttribute('data-collapsed')).toBe(false);
  });

  it('[S9-06][S2-114] on a phone a swipe of 50 px that starts within 70 px of the edge opens the menu', async () => {
    await shell(390);
    for (const [from, to] of [
      [71, 200],
      [10, 59],
    ] as const) {
      swipe(from, to);
      expect(menu(), `${from} to ${to}`).toBeNull();
    }
    swipe(20, 80, 500);
    expect(menu(), 'scrolling').toBeNull();
    swipe(70, 120);
    expect(menu()).not.toBeNull();
  });

  it('[S9-06] where there is no drawer a swipe does nothing', async () => {
    await shell(1440);
    swipe(10, 300);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['an analyst', sampleAccess({ role: 'Security Analyst' }), true],
    ['a viewer', sampleAccess({ role: 'Viewer' }), false],
    ['a tenant administrator', sampleAccess({ isTenantAdmin: true }), false],
    ['root', sampleAccess({ user: { isRoot: true, userType: 'root' } }), false],
    ['nobody', sampleAccess(), false],
  ])('[S6-30][S2-117] notes that were left open are shown to %s: %s', async (_, access, isShown) => {
    await shell(1440, access);
    act(() => toggleNotesPanel());
    expect(screen.queryByText('NO CASE SELECTED') !== null).toBe(isShown);
  });
});
