import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { accessDetails, login, tenantList } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noticeList } from '../../../lib/notify.ts';
import { readSession } from '../../../lib/session-store.ts';
import { clearStored, writeStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';

const goAndReload = vi.hoisted(() => vi.fn());
vi.mock('../../../lib/page-reload.ts', () => ({ goAndReload }));
const { SignInPage } = await import('./sign-in-page.tsx');

afterEach(() => {
  notifications.clean();
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearStored();
});

async function signIn(answer: unknown) {
  const calls = stubCalls([
    [login, () => answer],
    [accessDetails, () => answer],
    [tenantList, () => ({ data: [], total_count: 0 })],
  ]);
  await renderScreen(<SignInPage />);
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ada@example.org' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  return calls;
}

describe('signing in', () => {
  it('[S4-18][S4-19][S2-78] submits the credentials, establishes the session and goes home', async () => {
    const { seen } = await signIn(sampleAccess({ role: 'Security Analyst' }));
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/c1/s1/home/s1/c1'));
    expect(seen[0]).toMatchObject({
      name: 'signIn.login',
      input: { emailId: 'ada@example.org', password: 'secret' },
    });
    expect(readSession()?.role).toBe('User - Security Analyst');
  });

  it('[S2-77][S4-37] returns to the page that was open before', async () => {
    writeStored('historyUrl', '/c1/s1/incident/cases');
    await signIn(sampleAccess({ role: 'Security Analyst' }));
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/c1/s1/incident/cases'));
  });

  it('[S8-06][R-H8] says once what the server says, and marks the password', async () => {
    await signIn(new Refusal(403, 'failed', 'wrong email or password', null, 'sign-in-refused'));
    expect(await screen.findAllByText('wrong email or password')).toHaveLength(1);
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
    expect(noticeList()[0]).toMatchObject({ tone: 'failed', title: 'wrong email or password' });
    expect(goAndReload).not.toHaveBeenCalled();
  });

  it('[S8-06][S4-21] otherwise says that login verification failed, and stops loading', async () => {
    await signIn(new TypeError('down'));
    expect(await screen.findAllByText('Login verification failed')).toHaveLength(1);
    expect(noticeList()[0]).toMatchObject({ tone: 'failed', title: 'Login verification failed' });
    expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('data-loading')).toBe(false);
    expect(readSession()).toBeNull();
  });
});
