import { invalidateSession, logout } from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '../../../lib/i18n.ts';
import { readSession, storeSession } from '../../../lib/session-store.ts';
import { clearStored, readStored, writeStored } from '../../../lib/storage.ts';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';

const notify = vi.hoisted(() => vi.fn());
vi.mock('../../../lib/notify.ts', () => ({ notify }));
const { endSession } = await import('./end-session.ts');

beforeEach(async () => {
  await activateLocale('en-US');
  storeSession(sampleAccess({ role: 'Security Engineer' }), { clusterId: 'c1', scopeId: 's1' });
  window.location.hash = '/c1/s1/incident/cases';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearStored();
});

describe('the end of a session', () => {
  it('[S4-36][S7-05][S7-08] invalidates the server session, then logs out with the ssid', async () => {
    const { seen } = stubCalls([
      [invalidateSession, () => ({})],
      [logout, () => ({})],
    ]);
    await endSession('logout');
    expect(seen.map(({ name }) => name)).toEqual(['sessions.invalidate', 'signIn.logout']);
    expect(seen[0]).toMatchObject({ url: '/c1/api/session/invalidate', input: {} });
    expect(seen[1]?.input).toEqual({ ssid: 'ssid-1' });
  });

  it('[S4-35] sets the invalid flag and drops the access data before the server is told', async () => {
    const left: unknown[] = [];
    stubCalls([
      [invalidateSession, () => left.push([readStored('isInvalid'), readStored('user'), readSession()])],
      [logout, () => ({})],
    ]);
    await endSession('expired');
    expect(left).toEqual([[true, undefined, null]]);
  });

  it('[S4-35][S4-37] clears everything except the page to come back to', async () => {
    stubCalls([]);
    const keys = ['user', 'ssid', 'role', 'Clusters', 'EnabledScopes', 'prefs.recentRanges'] as const;
    writeStored('prefs.recentRanges', []);
    for (const key of keys) expect(readStored(key), key).toBeDefined();
    await endSession('expired');
    expect(readSession()).toBeNull();
    for (const key of keys) expect(readStored(key), key).toBeUndefined();
    expect(readStored('historyUrl')).toBe('/c1/s1/incident/cases');
    expect(window.location.hash).toBe('#/auth/login');
  });

  it('[S4-39] says that the session has expired', async () => {
    stubCalls([]);
    await endSession('access');
    expect(notify).toHaveBeenCalledWith('failed', 'Session expired. Redirecting to login');
  });

  it('[S4-38] waits 100 ms when there is no user payload', async () => {
    stubCalls([]);
    writeStored('user', undefined);
    vi.useFakeTimers();
    const done = endSession('expired');
    await vi.advanceTimersByTimeAsync(99);
    expect(window.location.hash).toBe('#/c1/s1/incident/cases');
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(window.location.hash).toBe('#/auth/login');
  });

  it('ends here even when the server does not answer', async () => {
    stubCalls([
      [invalidateSession, () => new TypeError('down')],
      [logout, () => new Refusal(503, 'error', 'down')],
    ]);
    await endSession('logout');
    expect(readSession()).toBeNull();
  });
});
