import { cleanup, fireEvent, screen } from '@testing-library/react';
import { globalSearch, tenantList } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess, sampleCluster } from '../testing/sample-session.ts';
import { stubCalls } from '../testing/stub-calls.ts';
import { CommandPalette } from './command-palette.tsx';

afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const FOUND = {
  cases: [
    {
      case_id: 'k1',
      case_key: 'CASE-1',
      case_name: 'Mallory',
      status: 'OPEN' as const,
      severity: 'High' as const,
    },
  ],
  signals: [{ signal_id: 'g1', name: 'Mallory dumps', score: 9, last_time: 1 }],
  workbooks: [],
  entities: [{ type: 'user', value: 'mallory', role: 'suspect' as const, signal_count: 2 }],
};

async function open(access = sampleAccess({ role: 'Security Engineer' })) {
  const { seen } = stubCalls([
    [globalSearch, () => FOUND],
    [tenantList, () => ({ data: [], total_count: 0 })],
  ]);
  const onClose = vi.fn();
  const onShowKeys = vi.fn();
  const view = await renderScreen(<CommandPalette isOpen onClose={onClose} onShowKeys={onShowKeys} />, {
    access,
    url: '/c1/s1/incident/cases',
  });
  const field = await screen.findByRole('combobox');
  const type = (text: string) => fireEvent.change(field, { target: { value: text } });
  return { ...view, seen, field, type, onClose, onShowKeys };
}
const options = () => screen.queryAllByRole('option').map((option) => option.textContent ?? '');

describe('the command palette', () => {
  it('offers the pages of the role and actions before anything is typed', async () => {
    await open();
    expect(screen.getByRole('group', { name: 'Pages' }).textContent).toContain('Cases');
    expect(screen.getByRole('group', { name: 'Actions' }).textContent).toContain('Log out');
    expect(options().some((text) => text.startsWith('Organizations'))).toBe(false);
  });

  it('[R-C35] offers the lists over all places to whoever works in several', async () => {
    await open(sampleAccess({ access: [sampleCluster('c1', { s1: 'Security Engineer', s2: 'Viewer' })] }));
    expect(options().some((text) => text.startsWith('Global'))).toBe(false);
    cleanup();
    const several = [sampleCluster('c1', { s1: 'Security Engineer', s2: 'Security Analyst' })];
    const { type, field, router } = await open(sampleAccess({ access: several }));
    type('global cas');
    expect(options()[0]).toContain('Global cases');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(router.state.location.pathname).toBe('/c1/s1/admin/global/cases');
  });

  it('finds by words whatever the accents, opens by Enter, and closes', async () => {
    const { field, type, router, onClose } = await open();
    type('SIGN');
    expect(options()[0]).toContain('Signals');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(router.state.location.pathname).toBe('/c1/s1/incident/signals');
    expect(onClose).toHaveBeenCalled();
  });

  it('asks the server within the scope, and leads to what it found', async () => {
    const { field, type, seen, router } = await open();
    type('mallory');
    expect(await screen.findByRole('option', { name: /CASE-1 Mallory/ })).toBeTruthy();
    expect(seen.find((call) => call.name === 'globalSearch.find')).toMatchObject({
      url: '/c1/api/global_search',
      input: { scope_id: 's1', query: 'mallory' },
    });
    expect(options().map((text) => text.slice(0, 14))).toEqual([
      'CASE-1 Mallory',
      'Mallory dumpsS',
      'malloryUser · ',
      'Search the eve',
    ]);
    fireEvent.keyDown(field, { key: 'ArrowUp' });
    fireEvent.keyDown(field, { key: 'ArrowUp' });
    fireEvent.keyDown(field, { key: 'Enter' });
    const query = new URLSearchParams(router.state.location.search);
    expect(query.get('entity')).toBe('+suspect|user|mallory');
  });

  it('writes what was typed into a query as a literal, not as KQL', async () => {
    const { field, type, router } = await open();
    type('x" | take 1');
    fireEvent.keyDown(field, { key: 'Enter' });
    const query = new URLSearchParams(router.state.location.search).get('query');
    expect(query).toBe('search "x\\" | take 1"');
  });

  it('offers other scopes by name, and never asks the server for a viewer', async () => {
    const two = sampleCluster('c1', { s1: 'Viewer', s2: 'Viewer' });
    const { type, seen } = await open(sampleAccess({ access: [two] }));
    type('scope s2');
    expect(await screen.findByRole('option', { name: /Cluster c1 \/ Scope s2/ })).toBeTruthy();
    expect(seen).toEqual([]);
  });

  it('says so when nothing has the name', async () => {
    const { type } = await open(sampleAccess({ role: 'Viewer' }));
    type('zzzz');
    expect(screen.getByRole('status').textContent).toBe('No results for “zzzz”');
  });
});
