import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type AccessEntry,
  listCases,
  listSignals,
  type ScopeOverview,
  scopeOverview,
} from '@tyrian/contract';
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
const chooser = () => screen.queryByRole('region', { name: 'Tenant and scope' });
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

const FIGURES: ScopeOverview = {
  interval_ms: 900_000,
  events: [],
  totals: { events: 7200, signals: 3, sources: 2, unparsed: 0 },
  signals: { critical: 1, high: 1, medium: 1, low: 0 },
  top_detections: [],
  top_sources: [],
  top_hosts: [],
  silent_sources: [{ name: 'mail-gateway', last_event: Date.UTC(2026, 0, 2, 8, 20) }],
};

/** Query of a link of the page, behind its hash or path. */
const linkOf = (name: RegExp | string) => {
  const href = screen.getByRole('link', { name }).getAttribute('href') ?? '';
  const { pathname, searchParams } = new URL(href, 'http://tyrian.test');
  return { pathname, params: Object.fromEntries(searchParams), all: searchParams };
};

describe('the figures and lists of home', () => {
  it('[R-C33] lead to what they count, in the same range', async () => {
    const { seen } = stubCalls([
      [scopeOverview, () => FIGURES],
      [
        listSignals,
        () => ({
          data: [{ signal_id: 'g1', name: 'Credential dump', score: 9, last_time: Date.UTC(2026, 0, 2) }],
          total_count: 1,
          view_counts: { pending: 3, triaged: 0, all: 3 },
        }),
      ],
      [
        listCases,
        () => ({
          data: [
            { case_id: 'k1', case_key: 'CASE-7', case_name: 'Mallory', severity: 'High', status: 'OPEN' },
          ],
          total_count: 9,
        }),
      ],
    ]);
    await renderScreen(<HomePage />, { access: sampleAccess({ access: [one] }), url: '/c1/s1/home/s1/c1' });
    await screen.findByRole('link', { name: /mail-gateway/ });
    await screen.findByText('All events parsed');
    const day = { from: 'now-24h', to: 'now' };
    expect(linkOf(/^Events/)).toMatchObject({
      pathname: '/c1/s1/workbook/new',
      params: { ...day, query: "Events\n| where Stream != 'Signals'" },
    });
    expect(linkOf(/^Sources/).params).toMatchObject({
      ...day,
      query: expect.stringContaining('by SourceName'),
    });
    expect(linkOf(/mail-gateway/).params).toMatchObject({
      ...day,
      query: expect.stringContaining('SourceName == "mail-gateway"'),
    });
    const critical = linkOf(/^Critical signals/);
    expect([critical.pathname, critical.all.getAll('score'), critical.params]).toEqual([
      '/c1/s1/incident/signals',
      ['9', '10'],
      expect.objectContaining(day),
    ]);
    expect(linkOf(/Credential dump/).params).toMatchObject({ signal: 'g1' });
    expect(linkOf(/^My open cases/)).toMatchObject({
      pathname: '/c1/s1/incident/cases',
      params: { handler: 'u1' },
    });
    expect(linkOf(/CASE-7/).pathname).toBe('/c1/s1/incident/cases/k1');
    // What is counted is what the link shows: the last 24 hours, of this user.
    const asked = seen.filter(({ name }) => name === listSignals.name).map(({ input }) => input);
    for (const input of asked) expect(Number(input.end) - Number(input.start)).toBe(86_400_000);
    const cases = seen.find(({ name }) => name === listCases.name)?.input;
    expect(cases?.addfilters).toContainEqual(
      expect.objectContaining({ filter_key: 'handler', filter_value: ['u1'] }),
    );
  });
});
