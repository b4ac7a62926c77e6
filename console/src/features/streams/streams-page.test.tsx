import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  checkStreamImpact,
  fetchLicense,
  listCollection,
  listDropRules,
  listStreams,
  type ManagedStream,
  readUtilization,
  saveDropRule,
  saveScopeStreamConfig,
  streamAnalytics,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { StreamsPage } from './streams-page.tsx';
import { UtilizationPage } from './utilization-page.tsx';

const T = Date.UTC(2026, 2, 4);
const engineer = sampleAccess({ role: 'Security Engineer' });

const dns: ManagedStream = {
  ...{ stream: 'Dns', is_online: true, events: 1_200, raw_bytes: 2_048, enriched_bytes: 4_096 },
  ...{ disk_bytes: 512, compression_pct: 87.5, last_event: T, streamed_wb: 2, scheduled_wb: 1 },
  ...{ active_wb: 3, total_wb: 5, retention_days: 90, retention_set_in: 'tenant' },
  ...{ replication: 1, compression: 'normal' },
};
const totals = { events: 1_200, raw_bytes: 2_048, enriched_bytes: 4_096, disk_bytes: 512 };
const day = (at: number, raw_bytes: number, excess_day: number | null) => ({
  ...{ day: T + at * 86_400_000, raw_bytes, events: 10, excess_day },
  ...{ overage_bytes: Math.max(0, raw_bytes - 1_024), billed_bytes: 0 },
});
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  calls = stubCalls([
    [listStreams, () => ({ from: T, streams: [dns], totals })],
    [streamAnalytics, () => ({ stream: 'Dns', days: [], sources: [], extractors: [] })],
    [
      checkStreamImpact,
      () => ({
        rules: [
          {
            ...{ ID: 'w1', name: 'Long memory', kind: 'workbook', is_on: true },
            ...{ reason: 'look-back', look_back_s: 2_592_000 },
          },
        ],
        ...{ events_to_delete: 400, bytes_to_delete: 1_024, events_24h: 12 },
      }),
    ],
    [saveScopeStreamConfig, () => ({ events_to_delete: 400 })],
    [listDropRules, () => []],
    [saveDropRule, () => ({ rule_id: 'r1' })],
    [
      listCollection,
      () => ({
        ...{ data: [], total_count: 0 },
        totals: {
          ...{ active: 0, inactive: 0, events_24h: 0, unparsed_24h: 0, rejected_24h: 0, imbalance: 0 },
        },
        spool: { files: 0, bytes: 0, limit_bytes: 1 },
      }),
    ],
    [
      readUtilization,
      () => ({
        ...{ month: '2026-03', from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 3, 1) },
        ...{ subscribed_bytes: 1_024, buffer_bytes: 2_048, free_excess_days: 5, excess_days: 1 },
        ...{ overage_bytes: 3_072, billed_bytes: 0, raw_bytes: 5_120, disk_bytes: 900 },
        days: [day(0, 1_024, null), day(1, 4_096, 1)],
        streams: [{ stream: 'Dns', events: 20, raw_bytes: 5_120 }],
        sources: [{ source: 'fw-hq', scope_name: 'Main', events: 20, raw_bytes: 5_120 }],
      }),
    ],
    [
      fetchLicense,
      () => ({
        ...{ licenseType: 'open', productType: 'enterprise', license_until: null, is_expired: false },
        ...{ eula: null, usage: [] },
      }),
    ],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('streams', () => {
  it('[S2-36] lists volume, readers and retention, and asks for another range', async () => {
    await renderScreen(<StreamsPage />, { access: engineer });
    const row = await screen.findByRole('row', { name: /Dns/ });
    for (const text of ['Online', '1,200', '3 / 5', '90 days', '87.5 %'])
      expect(within(row).getByText(text)).toBeTruthy();
    fireEvent.click(screen.getByText('Historic'));
    await waitFor(() => expect(inputs('streams.list').at(-1)).toMatchObject({ search_type: 'historic' }));
  });

  it('[T-FILTER-IMPACT] says what a shorter retention deletes and blinds before it is saved', async () => {
    await renderScreen(<StreamsPage />, { access: engineer, url: '/?stream=Dns' });
    fireEvent.change(await screen.findByLabelText('Keep for days'), { target: { value: '7' } });
    fireEvent.click(screen.getByRole('button', { name: 'Check and save' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/400 stored events are deleted/)).toBeTruthy();
    expect(within(dialog).getByText('Long memory')).toBeTruthy();
    expect(within(dialog).getByText('1 detection goes blind or sees less:')).toBeTruthy();
    expect(inputs('streamConfig.saveOfScope')).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save retention' }));
    await waitFor(() =>
      expect(inputs('streamConfig.saveOfScope')).toEqual([
        { stream: 'Dns', retention_days: 7, dry_run: false },
      ]),
    );
  });

  it('[S2-50] utilization shows the days against the subscription, and which are in excess', async () => {
    await renderScreen(<UtilizationPage />, { access: engineer });
    expect(await screen.findByText('Excess day 1')).toBeTruthy();
    expect(screen.getByRole('img', { name: /raw volume/ }).querySelectorAll('line')).toHaveLength(2);
    expect(screen.getByText('fw-hq · Main')).toBeTruthy();
    expect(screen.getByText('1 / 5')).toBeTruthy();
  });
});
