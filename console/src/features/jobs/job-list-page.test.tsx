import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  cancelJob,
  codedText,
  JOB_KINDS,
  type JobItem,
  LOCALES,
  listJobs,
  retryJob,
  say,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '../../lib/i18n.ts';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { JobListPage } from './job-list-page.tsx';

const one = (job_id: string, more: Partial<JobItem> = {}): JobItem => ({
  job_id,
  kind: 'retention-of-tenant',
  clusterId: 'c1',
  cluster_name: 'Harbour',
  state: 'done',
  is_canceling: false,
  is_scheduled: false,
  asked_by: null,
  attempt: 1,
  done: 12,
  total: null,
  error: null,
  created: 1_772_636_829_000,
  due: 1_772_636_829_000,
  started: 1_772_636_830_000,
  ended: 1_772_636_835_000,
  ...more,
});

const admin = sampleAccess({ isTenantAdmin: true });
let rows: JobItem[];
let refused: boolean;
let calls: ReturnType<typeof stubCalls>;
beforeEach(() => {
  refused = false;
  rows = [
    one('3', { state: 'running', ended: null, done: 3, total: 10 }),
    one('2', {
      kind: 'silent-sources',
      state: 'failed',
      error: 'the engine said no',
      clusterId: null,
      cluster_name: null,
    }),
    one('1', { kind: 'a-kind-of-tomorrow' }),
  ];
  calls = stubCalls([
    [
      listJobs,
      () =>
        refused ? new Refusal(503, 'failed', 'the engine is away') : { data: rows, total_count: rows.length },
    ],
    [cancelJob, () => ({ state: 'running' })],
    [retryJob, () => ({ state: 'waiting' })],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const open = async (name: string, access = admin) => {
  await renderScreen(<JobListPage />, { access });
  fireEvent.click(await screen.findByRole('gridcell', { name }));
  return screen.findByRole('complementary', { name: `Job ${name}` });
};

describe('the page of jobs', () => {
  it('[T-jobs] lists what runs, failed and is done, also of a version that this one does not know', async () => {
    await renderScreen(<JobListPage />, { access: admin });
    await screen.findByRole('gridcell', { name: 'Removal of events past their retention' });
    for (const text of [
      'Running',
      'Failed',
      'Done',
      '3 / 10',
      'Check for silent sources',
      'a-kind-of-tomorrow',
    ])
      expect(screen.getByRole('gridcell', { name: text }), text).toBeTruthy();
  });

  it('filters by state at the server, and keeps the filter in the address', async () => {
    const { router } = await renderScreen(<JobListPage />, {
      access: admin,
      url: '/?state=failed&kind=silent-sources',
    });
    await screen.findByRole('gridcell', { name: 'Failed' });
    expect(calls.seen[0]?.input).toMatchObject({ state: 'failed', kind: 'silent-sources' });
    expect(router.state.location.search).toContain('state=failed');
  });

  it('[T-jobs] asks before it cancels, and tells the server once', async () => {
    const flyout = await open('Removal of events past their retention');
    fireEvent.click(within(flyout).getByRole('button', { name: 'Cancel job' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('What is done already stays done.', { exact: false })).toBeTruthy();
    expect(calls.seen.some((call) => call.name === cancelJob.name)).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel job' }));
    await waitFor(() => expect(calls.seen.filter((call) => call.name === cancelJob.name)).toHaveLength(1));
    expect(calls.seen.find((call) => call.name === cancelJob.name)?.url).toBe('/lc/mgmt/job/3/cancel');
  });

  it('shows why a job failed, and retries it', async () => {
    const flyout = await open('Check for silent sources');
    expect(within(flyout).getByText('the engine said no')).toBeTruthy();
    fireEvent.click(within(flyout).getByRole('button', { name: 'Retry' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Retry' }));
    await waitFor(() =>
      expect(calls.seen.find((call) => call.name === retryJob.name)?.url).toBe('/lc/mgmt/job/2/retry'),
    );
  });

  it('[R-C39] says in French why a job failed, around the words of others', async () => {
    const { message, ...code } = codedText(say('jobs.attemptFailed', { reason: 'the engine said no' }));
    rows = [one('2', { kind: 'silent-sources', state: 'failed', error: message, ...code })];
    const french = 'La tentative a échoué : the engine said no';
    await renderScreen(<JobListPage />, { access: admin });
    await activateLocale('fr-FR');
    fireEvent.click(await screen.findByRole('gridcell', { name: french }));
    const flyout = await screen.findByRole('complementary');
    expect(within(flyout).getByRole('status').textContent).toBe(french);
  });

  it('offers a root viewer nothing that changes a job', async () => {
    const viewer = sampleAccess({ user: { isRoot: true, isRootViewer: true } });
    const flyout = await open('Check for silent sources', viewer);
    expect(within(flyout).queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('says so when there are none, and when they cannot be read', async () => {
    rows = [];
    await renderScreen(<JobListPage />, { access: admin });
    expect(await screen.findByText('No jobs')).toBeTruthy();
    cleanup();
    refused = true;
    await renderScreen(<JobListPage />, { access: admin });
    expect(await screen.findByText('the engine is away', { exact: false })).toBeTruthy();
  });

  it.each(LOCALES)('has a name for every kind in %s', async (locale) => {
    const texts = (await import(`./locales/jobs.${locale}.json`)) as { kinds: Record<string, string> };
    expect(Object.keys(texts.kinds).sort()).toEqual([...JOB_KINDS].sort());
  });
});
