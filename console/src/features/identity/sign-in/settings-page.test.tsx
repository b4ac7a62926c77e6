import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { listNotificationSwitches, listSessions, readFactors, savePreferences } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { landingTarget } from '../../../lib/landing.ts';
import { flushPreferences } from '../../../lib/preferences.ts';
import { readSession } from '../../../lib/session-store.ts';
import { readSettings } from '../../../lib/settings.ts';
import { clearStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { stubCalls } from '../../../testing/stub-calls.ts';
import { SettingsPage } from './settings-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

async function open(ending: string, access = sampleAccess({ role: 'Security Analyst' })) {
  const calls = stubCalls([
    [
      readFactors,
      () => ({
        required: false,
        totp: null,
        passkeys: [],
        allowed: ['totp'],
        passkey_origin: null,
        asks_password: true,
        recovery_codes_left: 0,
      }),
    ],
    [listSessions, () => ({ data: [] })],
    [
      listNotificationSwitches,
      () => ({
        data: [{ kind: 'case_assigned', in_console: true, by_mail: false }],
        mail_is_set_up: true,
        mails_per_hour: 5,
      }),
    ],
    [savePreferences, (input) => input],
  ]);
  await renderScreen(<SettingsPage />, { access, url: `/c1/s1${ending}` });
  await screen.findByRole('heading', { name: 'Sessions' });
  return calls;
}

describe('the settings', () => {
  it('[R-C37] hold on one page who one is, how the console looks, how one signs in and where', async () => {
    await open('/settings');
    const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);
    expect(titles).toEqual([
      'Profile',
      'Preferences',
      'Notifications',
      'Password',
      'Second factor',
      'Sessions',
    ]);
    expect(screen.getByText('ada@example.org')).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Time zone' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add an authenticator app' })).toBeTruthy();
    expect(await screen.findByRole('switch', { name: /: Email$/ })).toBeTruthy();
  });

  it('[R-C37][S2-61] are opened by the old link too, which begins at the password', async () => {
    await open('/change-password');
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'));
    cleanup();
    await open('/settings');
    expect(document.activeElement).toBe(document.body);
  });

  it('[R-C37] keep the start page on the server, and signing in leads there', async () => {
    const { seen } = await open('/settings');
    fireEvent.click(screen.getByRole('combobox', { name: 'Start page' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Signals', hidden: true }));
    expect(readSettings().startPage).toBe('signals');
    await flushPreferences();
    await waitFor(() => expect(seen.at(-1)?.input).toEqual({ start_page: 'signals' }));
    const session = readSession();
    expect(session && landingTarget(session, null)).toBe('/c1/s1/incident/signals');
    expect(session && landingTarget(session, '/c1/s1/incident/cases')).toBe('/c1/s1/incident/cases');
  });

  it('offer no start page to those whom the specification leads to one', async () => {
    await open('/settings', sampleAccess({ role: 'Viewer' }));
    expect(screen.queryByRole('combobox', { name: 'Start page' })).toBeNull();
  });
});
