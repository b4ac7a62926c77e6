// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { AccessEntry } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored, readStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess, sampleCluster } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';

const goAndReload = vi.hoisted(() => vi.fn());
vi.mock('../../lib/page-reload.ts', () => ({ goAndReload, reloadPage: vi.fn() }));
const { HomePage } = await import('./home-page.tsx');

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearStored();
});

async function home(...access: readonly AccessEntry[]) {
  stubCalls([]);
  await renderScreen(<HomePage />, { access: sampleAccess({ access }), url: '/c1/s1/home/s1/c1' });
}
const chooser = () => screen.queryByRole('region', { name: 'Where you work' });
const one = sampleCluster('c1', { s1: 'Security Analyst', s2: 'No Access', s3: 'Viewer' });

describe('home', () => {
  it('[S2-78] is no chooser with one cluster and one scope with a security role', async () => {
    await home(one);
    expect(chooser()).toBeNull();
  });

  it('[S2-78] is the scope chooser with several clusters, of the scopes that one has a role in', async () => {
    await home(one, sampleCluster('c2', { s9: 'Security Engineer' }));
    const shown = within(chooser() as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.textContent)
      .filter((text) => text?.startsWith('Scope'));
    expect(shown.map((text) => text?.slice(0, 8))).toEqual(['Scope s1', 'Scope s3', 'Scope s9']);
  });

  it('[S2-78] is the scope chooser with several scopes that have a security role', async () => {
    await home(sampleCluster('c1', { s1: 'Security Analyst', s2: 'Security Engineer' }));
    expect(chooser()).not.toBeNull();
  });

  it.each([
    ['Scope s9', '/c2/s9/home/s9/c2', 'User - Security Engineer'],
    ['Scope s3', '/c1/s3/dashboard', 'User - Viewer'],
  ])('[S2-78][S4-33] %s opens where its role lands', async (name, target, role) => {
    await home(one, sampleCluster('c2', { s9: 'Security Engineer' }));
    fireEvent.click(screen.getByRole('button', { name: new RegExp(`^${name}`) }));
    await waitFor(() => expect(goAndReload).toHaveBeenCalledExactlyOnceWith(target));
    expect(readStored('role')).toBe(role);
  });
});
