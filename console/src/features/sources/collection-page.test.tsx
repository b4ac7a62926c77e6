import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type CollectedSource,
  deleteCollection,
  editCollection,
  listCollection,
  listUnparsed,
  readSourceAccount,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { CollectionPage } from './collection-page.tsx';

const T = 1_772_636_820_000;
const engineer = sampleAccess({ role: 'Security Engineer' });

const source: CollectedSource = {
  ...{
    source_id: 'src1',
    source: 'fw-hq',
    kind: 'syslog',
    proofs: ['10.1.0.0/16'],
    description: 'HQ firewall',
  },
  ...{ extractors: ['cef', 'key-value', 'syslog'], streams: ['NetworkSession'], status: 'inactive' },
  ...{ is_revoked: false, notice: null, last_event: T, events_24h: 400, hours: new Array(24).fill(4) },
  ...{ unparsed_24h: 100, accepted_24h: 410, stored_24h: 400, spooled_24h: 0, rejected_24h: 10 },
  reasons: [{ reason: 'lost', count: 10 }],
  ...{ silence_s: 5_400, silence_learned_s: 5_400, silence_set_s: null, silent_since: T, volume: 'usual' },
  ...{ created: T, created_by: 'Ada' },
};
const named = { ...source, source_id: null, source: 'appliance-7', kind: 'named', status: 'active' } as const;
let calls: ReturnType<typeof stubCalls>;
let imbalance = 0;
let lost = 0;

beforeEach(() => {
  imbalance = 0;
  lost = 0;
  calls = stubCalls([
    [
      listCollection,
      ({ text }) => ({
        data: text ? [] : [source, named],
        total_count: text ? 0 : 2,
        totals: {
          ...{ active: 1, inactive: 1, events_24h: 800, unparsed_24h: 200, rejected_24h: 10 },
          imbalance,
        },
        lost_datagrams: { count: lost, last: lost === 0 ? null : T },
        spool: { files: 0, bytes: 0, limit_bytes: 1 },
      }),
    ],
    [
      readSourceAccount,
      () => ({
        from: T,
        rows: [
          {
            ...{ time: T, accepted: 410, stored: 400, spooled: 0, rejected: 10, unparsed: 100 },
            ...{ raw_bytes: 9_000, imbalance: 0 },
          },
        ],
        reasons: [{ reason: 'lost', count: 10 }],
        ...{ imbalance: 0, in_store: 400 },
      }),
    ],
    [listUnparsed, () => [{ time: T, status: 'NLF', error: '', extractor: 'syslog', raw: '<13>odd line' }]],
    [editCollection, () => ({ source_id: 'src1' })],
    [deleteCollection, () => ({ source_id: 'src1' })],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('collection status', () => {
  it('[S2-37] lists sources with what became of them, and says when records are not accounted for', async () => {
    imbalance = 3;
    lost = 1_204;
    await renderScreen(<CollectionPage />, { access: engineer });
    const row = await screen.findByRole('row', { name: /fw-hq/ });
    for (const text of ['Inactive', 'HQ firewall', 'cef', '+1', 'NetworkSession', '400', '25%', '10'])
      expect(within(row).getByText(text)).toBeTruthy();
    expect(screen.getByText('1,204')).toBeTruthy();
    expect(screen.getByText(/UDP datagrams lost, of no known source/)).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('3 records are not accounted for');
  });

  it('[S2-37][T-ACCOUNTING] opens a source: its balance, its reasons, its threshold, its unparsed events', async () => {
    await renderScreen(<CollectionPage />, { access: engineer, url: '/?source=src1' });
    expect(await screen.findByText('410 accepted = 400 stored + 0 spooled + 10 rejected')).toBeTruthy();
    expect(screen.getByText('Lost: came faster than it could be stored')).toBeTruthy();
    const extract = screen.getByRole('link', { name: 'Make an extractor for these' });
    expect(extract.getAttribute('href')).toMatch(/\/system\/extraction\/new\?source=fw-hq$/);
    expect(inputs('sources.listUnparsed')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Show them' }));
    expect(await screen.findByText('<13>odd line')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'Edge' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(inputs('sources.editCollection')).toEqual([
        { scope_id: 's1', source_id: 'src1', description: 'Edge' },
      ]),
    );
    expect(screen.queryByRole('button', { name: 'Delete source' })).toBeNull();
  });

  it('[S2-37] tells an empty scope from a search without match', async () => {
    await renderScreen(<CollectionPage />, { access: engineer, url: '/?q=zzz' });
    fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('row', { name: /appliance-7/ })).toBeTruthy();
  });
});
