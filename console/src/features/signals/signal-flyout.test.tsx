import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type SignalDetail, signalData, signalEventsQuery, signalInfo } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { SignalFlyout } from './signal-flyout.tsx';

const FIELD = (field: string, ...values: string[]) => ({
  field,
  distinct: values.length,
  values: values.map((value) => ({ value, count: 1 })),
});
const SIGNAL: SignalDetail = {
  signal_id: 'sig-1',
  name: 'Encoded PowerShell by eve',
  version: 2,
  workbook_id: 'wb-1',
  workbook_name: 'Encoded PowerShell',
  stream: 'ProcessEvent',
  stage: 'prod',
  tactic: 'Execution',
  technique: 'T1059',
  sub_technique: 'T1059.001',
  score: 8,
  confidence: 'High',
  suspects: [{ type: 'user', value: 'eve' }],
  targets: [{ type: 'host', value: 'pc-1' }],
  tags: [],
  first_time: Date.UTC(2026, 2, 4, 10),
  last_time: Date.UTC(2026, 2, 4, 10),
  created: Date.UTC(2026, 2, 4, 10, 1),
  occurrences: 1,
  ttd_seconds: 60,
  status: 'triaged',
  false_positive: false,
  case_ids: ['case-1'],
  scope_id: 's1',
  fields: [
    FIELD('TimeGenerated', '2026-03-04T10:00:00.1234567Z'),
    FIELD('Stream', 'ProcessEvent'),
    FIELD('ParseStatus', 'PAD'),
    FIELD('Attempts', '7'),
    FIELD('CommandLine', 'powershell -enc AAAA'),
    FIELD('ActorUsername', 'eve'),
  ],
  history: [],
  workbook_exists: true,
};
const UID = '0a000000-0000-4000-8000-000000000001';
const KQL = `Events\n| where EventUid in (guid(${UID}))`;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open() {
  stubCalls([
    [signalInfo, () => SIGNAL],
    [
      signalEventsQuery,
      () => ({
        kql: KQL,
        start: Date.UTC(2026, 2, 4, 9),
        end: Date.UTC(2026, 2, 4, 10),
        matched_by: 'events',
        total_count: 1,
        more_events: 0,
      }),
    ],
    [
      signalData,
      () => ({
        fields_list: ['TimeGenerated', 'Stream', 'EventUid', 'CommandLine', 'Ext'],
        data: [
          {
            TimeGenerated: '2026-03-04T10:00:00.123Z',
            Stream: 'ProcessEvent',
            EventUid: UID,
            CommandLine: 'powershell -enc AAAA',
            Ext: { Integrity: 'High' },
          },
        ],
        total_count: 1,
        matched_by: 'events',
        more_events: 0,
      }),
    ],
  ]);
  const view = await renderScreen(
    <SignalFlyout
      id="sig-1"
      onClose={vi.fn()}
      onEntity={vi.fn()}
      onCase={vi.fn()}
      onFalsePositive={vi.fn()}
    />,
    { access: sampleAccess({ role: 'Security Analyst' }), url: '/start' },
  );
  await screen.findByText('Command line');
  const at = () => {
    const { pathname, search } = view.router.state.location;
    return { pathname, query: new URLSearchParams(search) };
  };
  return { ...view, at };
}

describe('an opened signal', () => {
  it('[R-C17] says who and what first, in words, and keeps what describes the record for later', async () => {
    await open();
    const names = () => [...screen.getByRole('tabpanel').querySelectorAll('dt')].map((dt) => dt.textContent);
    expect(names()).toEqual(['User', 'Command line', 'Attempts']);
    fireEvent.click(screen.getByRole('button', { name: 'Show 3 more fields' }));
    expect(names().slice(3)).toEqual(['TimeGenerated', 'Stream', 'ParseStatus']);
    // The time is told as every other time of the console, not as the engine writes it.
    expect(screen.queryByText('2026-03-04T10:00:00.1234567Z')).toBeNull();
  });

  it('[R-C17] offers on each value to copy it and to search its events', async () => {
    const { at } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Actions for CommandLine' }));
    const menu = await screen.findByRole('menu');
    expect(within(menu).getByRole('menuitem', { name: 'Copy value' })).toBeTruthy();
    fireEvent.click(within(menu).getByRole('menuitem', { name: 'Search all events for it' }));
    await waitFor(() => expect(at().pathname).toBe('/c1/s1/workbook/new'));
    expect(at().query.get('query')).toBe('Events\n| search "powershell -enc AAAA"');
  });

  it('[R-C17] opens a raw event in full', async () => {
    await open();
    fireEvent.click(screen.getByRole('tab', { name: 'Raw events' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Show all fields' }));
    expect(await screen.findByText('Ext.Integrity')).toBeTruthy();
    expect(screen.getByText(UID)).toBeTruthy();
  });

  it('[R-C17] opens Find with exactly its events and their time', async () => {
    const { at } = await open();
    fireEvent.click(screen.getByRole('tab', { name: 'Raw events' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Open in Find' }));
    await waitFor(() => expect(at().pathname).toBe('/c1/s1/workbook/new'));
    expect(at().query.get('query')).toBe(KQL);
    expect([at().query.get('from'), at().query.get('to')]).toEqual([
      '2026-03-04T09:00:00.000Z',
      '2026-03-04T10:00:00.000Z',
    ]);
  });

  it.each([
    ['v', '/c1/s1/workbook/new', KQL],
    ['r', '/c1/s1/workbook/edit/wb-1', null],
    ['i', '/c1/s1/workbook/new', 'Events\n| search "eve"'],
    ['o', '/c1/s1/incident/cases/case-1', null],
  ])('[R-C21] leads by the key %s to %s', async (key, path, query) => {
    const { at } = await open();
    fireEvent.keyDown(document.body, { key });
    await waitFor(() => expect(at().pathname).toBe(path));
    expect(at().query.get('query')).toBe(query);
  });
});
