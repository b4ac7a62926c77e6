import { cleanup, screen, within } from '@testing-library/react';
import { type ComponentItem, listComponents, type OutputOf, readComponent } from '@tyrian/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { ComponentHealthPage } from './component-health-page.tsx';
import { ComponentListPage } from './component-list-page.tsx';

const T = Date.UTC(2026, 2, 4);
const root = sampleAccess({ user: { isRoot: true } });
const item: ComponentItem = {
  ...{
    id: 'ingest@h',
    type: 'adapter',
    kind: 'ingest',
    name: 'ingest',
    cluster_id: null,
    cluster_name: null,
  },
  ...{ hostname: 'h', local_address: '192.0.2.1', version: '1', state: 'active', detail: '' },
  ...{ last_seen: T, started: T },
  metrics: {
    ...{ cpu_pct: 12, mem_pct: 40, mem_bytes: 2_097_152, disk_pct: 55 },
    ...{ disk_used_bytes: 2_048, disk_free_bytes: 1_073_741_824 },
    ...{ eps_in: 1_234.5, eps_out: 1_200, queue: 3, queue_bytes: 2_048, dropped: 7 },
  },
};
const minute = (at: number, eps_in: number | null) => ({
  ...{
    time: T + at * 60_000,
    cpu_pct: 12,
    mem_bytes: 2_097_152,
    eps_in,
    eps_out: null,
    queue: 3,
    dropped: 0,
  },
});
const detail: OutputOf<typeof readComponent> = {
  ...item,
  config: { display_name: '', cpu_limit: 90, memory_limit: 90, disk_limit: 90, events: [], emails: [] },
  ...{ mail_is_set_up: true, services: [], minutes: [minute(0, null), minute(1, 1_500), minute(2, 900)] },
};

beforeEach(() => {
  stubCalls([
    [listComponents, () => ({ data: [item] })],
    [readComponent, () => detail],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

it('[T-COMPONENTS] the list shows load, flow, what waits and what was lost', async () => {
  await renderScreen(<ComponentListPage />, { access: root, url: '/' });
  const row = (await screen.findByText('ingest')).closest('[role=row]') as HTMLElement;
  const cells = within(row)
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent);
  expect(cells).toEqual(expect.arrayContaining(['12 %', '40 %', '55 %', '1.23K', '1.2K', '3 · 2 KB', '7']));
});

it('[T-COMPONENTS] a component shows its sizes, its flow in the words of its kind, and its last hour', async () => {
  await renderScreen(<ComponentHealthPage />, {
    access: root,
    route: '/:type/:id',
    url: '/adapter/ingest@h',
  });
  const waiting = (await screen.findAllByText('Batches waiting in the spool'))[0] as HTMLElement;
  expect(waiting.parentElement?.textContent).toContain('3 · 2 KB');
  expect(screen.getByText('1 GB')).toBeTruthy();
  const bars = screen.getByRole('img', { name: /^Events taken in per second: now 900, at most 1,500$/ });
  expect(bars.children).toHaveLength(60);
  // Nothing is known of what was stored, so no row claims to show it.
  expect(screen.queryByRole('img', { name: /stored at once/ })).toBeNull();
});
