import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { type ScopeOverview, scopeOverview } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { OverviewPage } from './overview-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 2, 8);
const FIGURES: ScopeOverview = {
  interval_ms: HOUR,
  events: [{ stream: 'Dns', time: START + HOUR, count: 40 }],
  totals: { events: 40, signals: 6, sources: 2, unparsed: 3 },
  signals: { critical: 2, high: 1, medium: 1, low: 2 },
  top_detections: [{ name: 'Password "guessing"', count: 4 }],
  top_sources: [{ name: 'agents', count: 30 }],
  top_hosts: [{ name: 'ws-1', count: 20 }],
  silent_sources: [],
};
const RANGE = { from: new Date(START).toISOString(), to: new Date(START + 3 * HOUR).toISOString() };

async function overview(role: 'Security Analyst' | 'Viewer') {
  stubCalls([[scopeOverview, () => FIGURES]]);
  const view = await renderScreen(<OverviewPage />, {
    access: sampleAccess({ role }),
    url: `/c1/s1/dashboard?${new URLSearchParams(RANGE)}`,
  });
  await screen.findAllByText('agents');
  return view;
}
const targetOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://tyrian.test');
const link = (name: RegExp) => targetOf(screen.getByRole('link', { name }));

describe('the overview', () => {
  it('[R-C4] has the figures of its drawing in a box that cuts them off, so that the page does not grow', async () => {
    const { container } = await overview('Security Analyst');
    const hidden = [...container.querySelectorAll('.visually-hidden')].filter(
      (one) => one.matches('table') || one.querySelector('table'),
    );
    expect(hidden.map(({ tagName }) => tagName)).toEqual(['DIV']);
  });

  it('[R-C33] every figure leads to what it counts, in the same range', async () => {
    await overview('Security Analyst');
    const severity = screen.getByRole('region', { name: 'Signals by severity' });
    for (const each of screen.getAllByRole('link').map(targetOf)) {
      expect(Object.fromEntries(each.searchParams)).toMatchObject(RANGE);
    }
    expect(link(/events not parsed/).searchParams.get('query')).toContain("ParseStatus != 'PAD'");
    expect(link(/signals$/).pathname).toBe('/c1/s1/incident/signals');
    const critical = targetOf(within(severity).getByRole('link', { name: /Critical/ }));
    expect(critical.searchParams.getAll('score')).toEqual(['9', '10']);
    expect(critical.searchParams.get('view')).toBe('all');
    expect(link(/guessing/).searchParams.get('workbook_name')).toBe('Password "guessing"');
    expect(link(/agents/).searchParams.get('query')).toContain('SourceName == "agents"');
    expect(link(/ws-1/).searchParams.get('query')).toContain('DvcHostname == "ws-1"');
    expect(link(/^Dns/).searchParams.get('query')).toBe('Dns');
  });

  it('[R-C33] a bar leads to the events of its slice and stream', async () => {
    const { router, container } = await overview('Security Analyst');
    const drawn = container.querySelectorAll('svg g rect');
    fireEvent.click(drawn[2] as Element);
    const { pathname, search } = router.state.location;
    expect(pathname).toBe('/c1/s1/workbook/new');
    expect(Object.fromEntries(new URLSearchParams(search))).toMatchObject({
      query: 'Dns',
      from: new Date(START + HOUR).toISOString(),
      to: new Date(START + 2 * HOUR).toISOString(),
    });
  });

  it('shows a viewer the same figures, and no way to what a viewer may not open', async () => {
    await overview('Viewer');
    expect(screen.queryAllByRole('link')).toEqual([]);
  });
});
