import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  addCaseEntities,
  addCaseSignals,
  type Case,
  type CaseSignal,
  caseGraph,
  caseHistory,
  caseInfo,
  exportCases,
  listCaseEntities,
  listCaseSignals,
  listSignals,
  signalInfo,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { CaseSignalPanel } from '../signals/public.ts';
import { CasePage } from './case-page.tsx';

const DAY_MS = 86_400_000;
const CREATED = Date.UTC(2026, 2, 4, 10);
const CASE: Case = {
  case_id: 'case-1',
  case_key: 'CASE-7',
  case_name: 'Phishing',
  status: 'OPEN',
  severity: 'High',
  handler: null,
  created: CREATED,
  created_by: 'Ana',
  updated: CREATED,
  closed: null,
  signal_count: 1,
  artifact_count: 1,
  notes_count: 0,
  risk_score: 8,
  tta_seconds: 0.04,
  ttr_seconds: null,
  on_hold_seconds: 0,
  resolution: null,
  tags: [],
  revision: 1,
  scope_id: 's1',
};
const SIGNAL: CaseSignal = {
  signal_id: 'sig-1',
  name: 'Encoded PowerShell by eve',
  workbook_id: 'wb-1',
  version: 1,
  stream: 'ProcessEvent',
  tactic: 'Execution',
  technique: 'T1059',
  sub_technique: '',
  score: 8,
  confidence: 'High',
  suspects: [{ type: 'user', value: 'eve' }],
  targets: [{ type: 'host', value: 'pc-1' }],
  first_time: CREATED,
  last_time: CREATED,
  occurrences: 1,
  added: CREATED,
  added_by: 'Ana',
};
const PENDING = {
  ...SIGNAL,
  workbook_name: 'Encoded PowerShell',
  stage: 'prod',
  tags: [],
  created: CREATED,
  ttd_seconds: 60,
  status: 'pending',
  false_positive: false,
  case_ids: [],
  scope_id: 's1',
};
const ARTIFACT = {
  type: 'user',
  value: 'eve',
  role: 'suspect',
  risk_score: 8,
  signal_ids: ['sig-1'],
  first_seen: CREATED,
  last_seen: CREATED,
  added: false,
};

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:case', revokeObjectURL: () => undefined }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(one: Partial<Case> = {}, signals: readonly CaseSignal[] = [SIGNAL]) {
  const { seen } = stubCalls([
    [caseInfo, () => ({ ...CASE, ...one })],
    [listCaseSignals, () => ({ data: signals, total_count: signals.length })],
    [listCaseEntities, () => [ARTIFACT]],
    [caseGraph, () => ({ nodes: [], edges: [] })],
    [caseHistory, () => ({ data: [], total_count: 0 })],
    [signalInfo, () => ({ ...PENDING, fields: [], history: [], workbook_exists: true })],
    [
      listSignals,
      () => ({ data: [PENDING], total_count: 1, view_counts: { pending: 1, triaged: 0, all: 1 } }),
    ],
    [addCaseSignals, () => ({ case: CASE, added: 1 })],
    [addCaseEntities, () => ({ added: 3, unchanged: 0 })],
    [exportCases, () => 'case'],
  ]);
  const view = await renderScreen(<CasePage SignalPanel={CaseSignalPanel} />, {
    access: sampleAccess({ role: 'Security Analyst' }),
    route: '/:clusterId/:scopeId/incident/cases/:type',
    url: '/c1/s1/incident/cases/case-1',
  });
  await screen.findByText('CASE-7 Phishing');
  return { ...view, seen };
}

describe('a case at work', () => {
  it('[R-C21] opens a signal with its events, knowledge base and rule, and the link keeps it open', async () => {
    const { router } = await open();
    fireEvent.click(await screen.findByRole('button', { name: /Encoded PowerShell by eve/ }));
    const panel = await screen.findByRole('complementary', { name: 'Signal' });
    for (const name of ['Overview', 'Raw events', 'Knowledge base'])
      expect(await within(panel).findByRole('tab', { name })).toBeTruthy();
    expect(within(panel).getByRole('button', { name: 'Search its events (v)' })).toBeTruthy();
    expect(within(panel).getByRole('button', { name: 'Open in the signal queue' })).toBeTruthy();
    expect(router.state.location.search).toBe('?signal=sig-1');
    fireEvent.keyDown(document.body, { key: 'r' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/c1/s1/workbook/edit/wb-1'));
  });

  it('[R-C21] leads from an artifact to its events', async () => {
    const { router } = await open();
    fireEvent.click(screen.getByRole('tab', { name: /Artifacts/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Search events with eve' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/c1/s1/workbook/new'));
    const query = new URLSearchParams(router.state.location.search);
    expect(query.get('query')).toBe('Events\n| search "eve"');
    expect(query.get('from')).toBe('2026-03-04T09:00:00.000Z');
  });

  it('[R-C26] the age of a closed case stands still, and no length of time is in milliseconds', async () => {
    await open({ status: 'CLOSED', resolution: 'benign', closed: CREATED + 2 * DAY_MS });
    expect(screen.getByText('Age').nextSibling?.textContent).toBe('2 d');
    expect(screen.getByText('TTA').nextSibling?.textContent).toBe('< 1 s');
  });

  it('[R-C26] says when it happened with the day first by size and 24 hours, as everywhere', async () => {
    await open();
    const card = await screen.findByRole('button', { name: /Encoded PowerShell by eve/ });
    expect(card.textContent).toMatch(/2026-03-04 \d\d:\d\d:\d\d/);
    expect(document.body.textContent).not.toMatch(/[AP]M\b/);
  });

  it('[R-C24] takes pasted artifacts, many at a time, of the types that their forms tell', async () => {
    const { seen } = await open();
    fireEvent.click(screen.getByRole('tab', { name: /Artifacts/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Add artifact' }));
    fireEvent.change(screen.getByLabelText('Values'), {
      target: { value: 'hxxps://evil[.]example/a\n203[.]0[.]113[.]10, ana@evil.example' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Add 3 artifacts' }));
    await waitFor(() =>
      expect(seen.find((call) => call.name === addCaseEntities.name)?.input).toEqual({
        scope_id: 's1',
        case_id: 'case-1',
        role: 'suspect',
        entities: [
          { type: 'url', value: 'https://evil.example/a' },
          { type: 'ip', value: '203.0.113.10' },
          { type: 'mail', value: 'ana@evil.example' },
        ],
      }),
    );
  });

  it('[R-C27] an empty case offers to add signals, and puts the chosen ones in', async () => {
    const { seen } = await open({}, []);
    fireEvent.click(await screen.findByRole('button', { name: 'Add signals' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(await within(dialog).findByRole('checkbox'));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add signals' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(seen.find((call) => call.name === addCaseSignals.name)?.input).toMatchObject({
      case_id: 'case-1',
      signal_ids: ['sig-1'],
    });
  });

  it('[R-C27] is exported from its page, in a file named after it', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Export' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(saved[0]).toMatch(/^CASE-7 \d{4}-\d\d-\d\d\.csv$/));
  });
});
