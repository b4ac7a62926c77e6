import { notifications } from '@mantine/notifications';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import {
  accessDetails,
  invalidateSession,
  listCases,
  login,
  logout,
  tenantList,
  verifyOtp,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { APP_VERSION } from '../lib/app-version.ts';
import { CallError, call } from '../lib/call.ts';
import { activateLocale } from '../lib/i18n.ts';
import { noticeList, notify } from '../lib/notify.ts';
import { readSession, storeSession } from '../lib/session-store.ts';
import { clearStored, readStored, writeStored } from '../lib/storage.ts';
import { sampleAccess } from '../testing/sample-session.ts';
import { Refusal, stubCalls } from '../testing/stub-calls.ts';
import { Providers } from './providers.tsx';
import { queryClient } from './query-client.ts';
import { startSession } from './start-session.ts';

const goAndReload = vi.hoisted(() => vi.fn());
vi.mock('../lib/page-reload.ts', () => ({ goAndReload, reloadPage: vi.fn() }));

// The error catalogue of the specification, row by row, with everything wired as at the start of the console.

const ENDS = [
  [invalidateSession, () => ({})],
  [logout, () => ({})],
] as const;
const record = sampleAccess({ role: 'Security Engineer' });

beforeEach(async () => {
  await activateLocale('en-US');
  writeStored('version', APP_VERSION);
  startSession();
  storeSession(record, { clusterId: 'c1', scopeId: 's1' });
  window.location.hash = '/c1/s1/incident/cases';
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  queryClient.clear();
  notifications.clean();
  notifications.cleanQueue();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearStored();
});

/** A call of a page that the server answers so, in a query with the console's own handling. */
async function callThatGets(answer: unknown, more: Parameters<typeof stubCalls>[0] = []) {
  const calls = stubCalls([[listCases, () => answer], ...ENDS, ...more]);
  const run = () => call(listCases, { params: { clusterId: 'c1' }, input: { scope_id: 's1' } });
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: run });
  await mutation.execute(undefined).catch(() => undefined);
  return calls;
}
const said = () => noticeList().map(({ title, text }) => [title, text]);
const isSignedOut = () =>
  waitFor(() => {
    expect(readSession()).toBeNull();
    expect(window.location.hash).toBe('#/auth/login');
  });

describe('the error catalogue', () => {
  it('[S8-01] status invalid: the session ends', async () => {
    const { seen } = await callThatGets(new Refusal(401, 'invalid', 'Invalid'));
    await isSignedOut();
    expect(seen.map(({ name }) => name)).toEqual(['cases.list', 'sessions.invalidate', 'signIn.logout']);
    expect(readStored('historyUrl')).toBe('/c1/s1/incident/cases');
  });

  it.each(['User Invalid', 'Invalid'])(
    '[S8-02] status error with message %s: the session ends',
    async (words) => {
      await callThatGets(new Refusal(200, 'error', words));
      await isSignedOut();
    },
  );

  it('[S8-02] status error with any other message: the session goes on', async () => {
    await callThatGets(new Refusal(503, 'error', 'Invalid query'));
    expect(readSession()).not.toBeNull();
  });

  it('[S8-03] failed with user not authorised: rights are read again; unchanged ones change nothing', async () => {
    const { seen } = await callThatGets(
      new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised'),
      [
        [accessDetails, () => record],
        [tenantList, () => ({ data: [], total_count: 0 })],
      ],
    );
    await waitFor(() =>
      expect(seen.map(({ name }) => name)).toEqual(['cases.list', 'account.readAccess', 'tenants.list']),
    );
    expect(said()).toEqual([['You have no rights to access this page.', '']]);
    expect(readSession()).not.toBeNull();
    expect(goAndReload).not.toHaveBeenCalled();
  });

  it('[S8-03] rights that have changed take effect at once', async () => {
    const less = sampleAccess({ role: 'Viewer' });
    await callThatGets(new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised'), [
      [accessDetails, () => less],
      [tenantList, () => ({ data: [], total_count: 0 })],
    ]);
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/'));
    expect(readSession()?.role).toBe('User - Viewer');
  });

  it('[S8-03] the same answer on the access-details flow: the notice, and the session ends', async () => {
    const refusal = new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised');
    await callThatGets(refusal, [[accessDetails, () => refusal]]);
    await isSignedOut();
    expect(readStored('historyUrl')).toBe('/c1/s1/incident/cases');
  });

  it('[S8-04] any other failed status: Something went wrong, with the words of the server', async () => {
    await callThatGets(new Refusal(409, 'failed', 'changed by Bob'));
    expect(said()).toEqual([['Something went wrong', 'changed by Bob']]);
  });

  it('[S8-04] in the access refresh: Connections failed', async () => {
    await callThatGets(new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised'), [
      [accessDetails, () => new Refusal(409, 'failed', 'no')],
    ]);
    await waitFor(() => expect(said().flat()).toContain('Connections failed'));
    expect(readSession()).not.toBeNull();
  });

  it('[S8-05] network or other error: the server message if there is one, else Something went wrong', async () => {
    await callThatGets(new TypeError('fetch failed'));
    expect(said()).toEqual([['Something went wrong', '']]);
    await callThatGets(new Refusal(503, 'error', 'An engine is not available'));
    expect(said()[0]).toEqual(['Something went wrong', 'An engine is not available']);
    expect(readSession()).not.toBeNull();
  });

  it('[S8-06][S8-07] a failed sign-in or code never ends a session, whatever its status', async () => {
    stubCalls([
      [login, () => new Refusal(403, 'failed', 'Email or password is incorrect', null, 'sign-in-refused')],
      [
        verifyOtp,
        () => new Refusal(422, 'error', 'The code is wrong or was already used', { otp_status: 'invalid' }),
      ],
    ]);
    const input = { emailId: 'ada@example.org', password: 'x' };
    const wrong = await call(login, { input, sessionFlow: true }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(CallError);
    const code = { otp_token: 't', otp: '000000' };
    const error = await call(verifyOtp, { input: code, sessionFlow: true }).catch((one: unknown) => one);
    expect(error).toMatchObject({ kind: 'failed', details: { otp_status: 'invalid' } });
    expect(readSession()).not.toBeNull();
  });

  it('[S8-10] notices appear bottom right and go after 4 seconds', async () => {
    render(<Providers>{null}</Providers>);
    vi.useFakeTimers();
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    act(() => notify('info', 'Saved for later'));
    await pass(500);
    const notice = screen.getByText('Saved for later');
    expect(notice.closest('[data-position]')?.getAttribute('data-position')).toBe('bottom-right');
    await pass(3_400);
    expect(screen.queryByText('Saved for later')).not.toBeNull();
    // What is over fades for some 200 ms.
    await pass(600);
    expect(screen.queryByText('Saved for later')).toBeNull();
  });
});
