import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  askTuning,
  listRuleHealth,
  listTuning,
  type OutputOf,
  type RuleHealthItem,
  readLedgerPicture,
  releaseRule,
  ruleLedger,
  runningWorkbooks,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { RuleHealthPage } from './rule-health-page.tsx';
import { ScheduledJobsPage } from './scheduled-jobs-page.tsx';
import { SignalJobsPage } from './signal-jobs-page.tsx';

const T = 1_772_636_820_000;
const HOUR = 3_600_000;
const engineer = sampleAccess({ role: 'Security Engineer' });
const analyst = sampleAccess({ role: 'Security Analyst' });

const reason = {
  message: 'It failed 8 times in a row: The query does not compile',
  messageCode: 'rules.setAsideFailing',
  messageValues: { count: 8, reason: 'The query does not compile' },
};
const item: RuleHealthItem = {
  ...{ ID: 'w1', name: 'Tool use', kind: 'workbook', mode: 'streamed', cron: null, timezone: 'UTC' },
  ...{ state: 'quarantined', last_run: T, last_duration_ms: 40, next_run: null, error: null },
  quarantine: { since: T, ...reason },
  ...{ runs: 1_280, failures: 8, signals: 20, covered_from: T - HOUR, covered_until: T, lag_ms: 2 * HOUR },
  ...{ gaps: 1, gap_ms: 120_000, reruns: 2, cpu_ms_day: 90_000, cpu_share: 0.25, signals_day: 20 },
  ...{ false_positive_share: 0.4, open_share: 0.5, last_true_positive: null },
  ...{ silent_streams: ['Dns'], misses_fields: true, tuning_open: 3 },
};
const states = { off: 0, waiting: 0, ok: 11, late: 0, failing: 0, quarantined: 1 };
const page: OutputOf<typeof listRuleHealth> = {
  ...{ data: [item], total_count: 1, from: T - 24 * HOUR, to: T },
  totals: {
    ...{ states, cpu_ms_day: 360_000, shared_cpu_ms_day: 36_000, runs: 1_280, failures: 8, signals: 20 },
    ...{ silent: 1, tuning_open: 3, knows_inputs: true },
  },
};
const bucket = { covered_ms: HOUR, gap_ms: 0, failed_ms: 0, reruns: 0, retries: 0, rows: 0, signals: 0 };
const picture: OutputOf<typeof readLedgerPicture> = {
  ...{ name: 'Tool use', state: 'quarantined', covered_from: T - 2 * HOUR, covered_until: T },
  buckets: [
    { ...bucket, from: T - 2 * HOUR, to: T - HOUR, covered_ms: HOUR - 120_000, gap_ms: 120_000, signals: 4 },
    { ...bucket, from: T - HOUR, to: T, covered_ms: 0, failed_ms: 60_000, reruns: 1 },
  ],
  gaps: [{ from: T - HOUR - 120_000, to: T - HOUR }],
  ...{ gap_count: 1, waiting_reruns: 0, quarantine: { since: T, ...reason }, next_run: null },
};
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  calls = stubCalls([
    [listRuleHealth, ({ text }) => (text ? { ...page, data: [], total_count: 0 } : page)],
    [listTuning, () => ({ data: [], total_count: 0 })],
    [readLedgerPicture, () => picture],
    [ruleLedger, () => ({ data: [], total_count: 0 })],
    [releaseRule, () => ({ ID: 'w1' })],
    [askTuning, () => ({ request_id: 'q1' })],
    [
      runningWorkbooks,
      () => ({
        data: [
          {
            ...item,
            ...{
              ID: 'w2',
              name: 'Weekly',
              mode: 'scheduled',
              cron: '0 6 * * 1',
              state: 'ok',
              quarantine: null,
            },
            ...{ enabled: true, started: T, last_status: 'done', next_runs: [T + HOUR, T + 2 * HOUR] },
          },
        ],
        total_count: 1,
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

describe('rule health', () => {
  it('[T-RULE-HEALTH] shows lag, cost, noise and silence of each rule, and filters by a state with a click', async () => {
    await renderScreen(<RuleHealthPage />, { access: analyst });
    const row = await screen.findByRole('row', { name: /Tool use/ });
    for (const text of ['2 h', '1 min 30 s · 25%', '20', '40%', '50%', 'Dns', 'misses a field', '3'])
      expect(within(row).getByText(text)).toBeTruthy();
    expect(within(row).getByText(reason.message)).toBeTruthy();
    const totals = screen.getByRole('region', { name: 'All rules that are on' });
    fireEvent.click(within(totals).getByRole('button', { name: /1\s*Set aside/ }));
    await waitFor(() =>
      expect(inputs('ruleHealth.list').at(-1)).toMatchObject({
        state: 'quarantined',
        sort: 'cpu_ms_day',
        desc: true,
      }),
    );
    fireEvent.click(
      screen.getByRole('columnheader', { name: /False positives/ }).querySelector('button') as Element,
    );
    await waitFor(() =>
      expect(inputs('ruleHealth.list').at(-1)).toMatchObject({ sort: 'false_positive_share' }),
    );
  });

  it('[T-RULE-QUARANTINE] says why a rule is set aside, and lets engineers alone release it', async () => {
    await renderScreen(<SignalJobsPage />, { access: engineer, url: '/?rule=w1' });
    const notice = await screen.findByText(reason.message, { selector: '[role="alert"] *' });
    fireEvent.click(
      within(notice.closest('[role="alert"]') as HTMLElement).getByRole('button', { name: 'Release' }),
    );
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Release' }));
    await waitFor(() => expect(inputs('ruleHealth.release')).toEqual([{ scope_id: 's1', ID: 'w1' }]));
    cleanup();
    clearStored();
    await renderScreen(<SignalJobsPage />, { access: analyst, url: '/?rule=w1' });
    await screen.findByText(reason.message, { selector: '[role="alert"] *' });
    expect(screen.queryByRole('button', { name: 'Release' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
  });

  it('[S2-32] draws the ledger, and says the same in words', async () => {
    await renderScreen(<SignalJobsPage />, { access: analyst, url: '/?rule=w1' });
    const drawn = await screen.findByRole('img', { name: /^Evaluated/ });
    expect(drawn.getAttribute('aria-label')).toBe(
      'Evaluated: 58 min. Gaps: 1. Parts with failures: 1. Runs again: 1. Signals: 4.',
    );
    const parts = [...drawn.querySelectorAll('title')].map((title) => title.textContent ?? '');
    expect(parts).toHaveLength(2);
    expect(parts[0]).toContain('Gaps: 2 min');
    expect(parts[1]).toContain('Failed: 1 min');
  });

  it('[T-RULE-TUNING] takes a comment with the request', async () => {
    await renderScreen(<SignalJobsPage />, { access: analyst, url: '/?rule=w1' });
    fireEvent.click(await screen.findByRole('button', { name: 'Needs tuning' }));
    const dialog = await screen.findByRole('dialog');
    const send = within(dialog).getByRole('button', { name: 'Send request' });
    expect((send as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(within(dialog).getByLabelText(/Comment/), { target: { value: ' Too loud ' } });
    fireEvent.click(send);
    await waitFor(() =>
      expect(inputs('ruleHealth.askTuning')).toEqual([{ scope_id: 's1', ID: 'w1', comment: 'Too loud' }]),
    );
  });

  it('[S2-31] lists what has a schedule with its next run and its last result', async () => {
    await renderScreen(<ScheduledJobsPage />, { access: engineer });
    const row = await screen.findByRole('row', { name: /Weekly/ });
    expect(within(row).getByText('0 6 * * 1 UTC')).toBeTruthy();
    expect(within(row).getByText('Done')).toBeTruthy();
    expect((within(row).getByRole('switch', { name: 'Run Weekly' }) as HTMLInputElement).checked).toBe(true);
  });
});
