import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { setPassword, validResetLink, verifyPassToken } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';
import { NewPasswordPage } from './new-password-page.tsx';

afterEach(() => {
  notifications.clean();
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const PAGES = [
  [
    '[S2-07]',
    'a first password',
    'passwords.verifyToken',
    '/auth/set-password/:token',
    '/auth/set-password/tok1',
  ],
  [
    '[S2-05]',
    'a reset',
    'passwords.checkResetLink',
    '/auth/reset-password/:linkType/:token',
    '/auth/reset-password/forgot/tok1',
  ],
] as const;

function answers(link: () => unknown, saved: () => unknown = () => ({})) {
  return stubCalls([
    [verifyPassToken, link],
    [validResetLink, link],
    [setPassword, saved],
  ]);
}
const valid = () => ({ kind: 'set', email_id: 'ada@example.org' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const submit = () => screen.getByRole('button', { name: 'Set password' });

describe('a password from the link of a mail', () => {
  it.each(PAGES)('%s %s: the server is asked about the link, then gets the password', async (...page) => {
    const [, , asked, route, url] = page;
    const { seen } = answers(valid);
    const { router } = await renderScreen(<NewPasswordPage />, { route, url });
    await screen.findByText(/ada@example\.org/);
    expect(seen.map((one) => [one.name, one.url.endsWith('/tok1')])).toEqual([[asked, true]]);

    type('New password', 'weak');
    type('New password again', 'weak');
    expect(submit().hasAttribute('disabled'), 'against the rules').toBe(true);
    type('New password', 'Better-word.1');
    expect(submit().hasAttribute('disabled'), 'not the same twice').toBe(true);
    type('New password again', 'Better-word.1');
    fireEvent.click(submit());
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth/login'));
    expect(seen[1]).toMatchObject({
      name: 'passwords.set',
      input: { token: 'tok1', password: 'Better-word.1' },
    });
  });

  it.each(PAGES)('%s %s: a link that does not work offers a new one, and no password', async (...page) => {
    const [, , , route, url] = page;
    answers(() => new Refusal(404, 'failed', 'this link does not work any more'));
    await renderScreen(<NewPasswordPage />, { route, url });
    await screen.findByText('The link has expired or was already used.');
    expect(screen.queryByLabelText('New password')).toBeNull();
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/auth/reset-password/forgot_pass', '/auth/login']);
  });

  it.each([
    ['[S2-07]', 'history', 'It must differ from the last three.'],
    ['[S21]', 'common', 'It is a well-known password or close to one.'],
    ['[S21]', 'personal', 'It contains your name, your address, your organization or the product.'],
  ])('%s a password that the server refuses (%s) is told, and another may be typed', async (...refused) => {
    const [, reason, words] = refused;
    answers(valid, () => new Refusal(422, 'failed', 'broken', { broken: [reason] }));
    const { router } = await renderScreen(<NewPasswordPage />, { route: PAGES[0][3], url: PAGES[0][4] });
    await screen.findByText(/ada@example\.org/);
    type('New password', 'Better-word.1');
    type('New password again', 'Better-word.1');
    fireEvent.click(submit());
    expect((await within(screen.getByRole('main')).findByRole('alert')).textContent).toContain(words);
    expect(router.state.location.pathname).toBe('/auth/set-password/tok1');
  });
});
