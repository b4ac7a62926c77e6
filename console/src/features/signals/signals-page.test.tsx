import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  listSignals,
  type Signal,
  signalFacetsResult,
  signalFacetsTask,
  signalTimeslices,
  tagFalsePositive,
  workbookMeta,
} from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { SignalsPage } from './signals-page.tsx';

const TIME = Date.UTC(2026, 2, 4, 10);
const SIGNAL: Signal = {
  signal_id: 'sig-1',
  name: 'LSASS memory read',
  version: 1,
  workbook_id: 'wb-1',
  workbook_name: 'LSASS memory read',
  stream: 'ProcessEvent',
  stage: 'prod',
  tactic: 'Credential Access',
  technique: 'T1003',
  sub_technique: '',
  score: 8,
  confidence: 'High',
  suspects: [
    { type: 'process', value: 'C:\\Windows\\System32\\tools\\procdump.exe' },
    { type: 'user', value: 'eve' },
  ],
  targets: [{ type: 'host', value: 'pc-1' }],
  tags: [],
  first_time: TIME,
  last_time: TIME,
  created: TIME,
  occurrences: 1,
  ttd_seconds: 60,
  status: 'pending',
  false_positive: false,
  case_ids: [],
  scope_id: 's1',
};
const TOTALS = { signals: 1, occurrences: 1, suspects: 1, targets: 1, detections: 1, pending: 1, triaged: 0 };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open() {
  const { seen } = stubCalls([
    [
      listSignals,
      () => ({ data: [SIGNAL], total_count: 1, view_counts: { pending: 1, triaged: 0, all: 1 } }),
    ],
    [signalTimeslices, () => []],
    [signalFacetsTask, () => ({ task_id: 't' })],
    [
      signalFacetsResult,
      () => ({
        totals: TOTALS,
        suspects: [],
        targets: [],
        detections: [],
        filters: { technique: [{ value: 'T1003', count: 1 }] },
      }),
    ],
    [workbookMeta, () => [{ id: 'T1003', name: 'OS Credential Dumping' }]],
    [tagFalsePositive, () => ({ changed: 1, unchanged: 0, not_found: [] })],
  ]);
  const view = await renderScreen(<SignalsPage />, {
    access: sampleAccess({ role: 'Security Analyst' }),
    route: '/:clusterId/:scopeId/incident/signals',
    url: '/c1/s1/incident/signals',
  });
  await screen.findByText('LSASS memory read');
  return { ...view, seen };
}

describe('the queue of signals', () => {
  it('[S2-33] never says that there are none when the figures could not be loaded', async () => {
    const failed = () => new Refusal(400, 'failed', 'The records do not answer');
    stubCalls([
      [listSignals, failed],
      [signalTimeslices, failed],
      [signalFacetsTask, failed],
      [workbookMeta, () => []],
    ]);
    await renderScreen(<SignalsPage />, {
      access: sampleAccess({ role: 'Security Analyst' }),
      route: '/:clusterId/:scopeId/incident/signals',
      url: '/c1/s1/incident/signals',
    });
    const strip = await screen.findByRole('region', { name: 'Summary' });
    await waitFor(() => expect(within(strip).getAllByText('This could not be loaded')).toHaveLength(4));
    expect(within(strip).queryByText('None')).toBeNull();
  });

  it('[R-C19][R-C20] names the technique, and who acts before with what', async () => {
    await open();
    expect(await screen.findByText('T1003 OS Credential Dumping')).toBeTruthy();
    expect(screen.getByRole('button', { name: /eve/ })).toBeTruthy();
    expect(screen.queryByText('procdump.exe')).toBeNull();
    expect(screen.getByText('+1').title).toContain('procdump.exe');
  });

  it('[R-C20] excludes a value from the filter menu, and the chip turns it into the opposite', async () => {
    const { router, seen } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Exclude T1003 OS Credential Dumping' }));
    expect(new URLSearchParams(router.state.location.search).getAll('not-technique')).toEqual(['T1003']);
    await waitFor(() =>
      expect(seen.findLast((call) => call.name === listSignals.name)?.input.addfilters).toMatchObject([
        { filter_key: 'technique', filter_operand: 'not_in', filter_value: ['T1003'] },
      ]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Technique is not: invert filter' }));
    expect(new URLSearchParams(router.state.location.search).getAll('technique')).toEqual(['T1003']);
  });

  it('[R-C20] asks for the reason of a false positive, which may be left out', async () => {
    const { seen } = await open();
    const sent = () => seen.filter((call) => call.name === tagFalsePositive.name).map((call) => call.input);
    fireEvent.keyDown(document.body, { key: 'e' });
    const dialog = await screen.findByRole('dialog');
    expect(sent()).toEqual([]);
    fireEvent.change(within(dialog).getByLabelText('Reason (optional)'), {
      target: { value: ' our scanner ' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Mark as false positive' }));
    await waitFor(() =>
      expect(sent()).toEqual([
        { scope_id: 's1', signal_ids: ['sig-1'], false_positive: true, reason: 'our scanner' },
      ]),
    );
  });
});
