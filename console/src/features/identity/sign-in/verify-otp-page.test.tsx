import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import {
  accessDetails,
  login,
  type OtpChallenge,
  sendOtpMail,
  tenantList,
  verifyOtp,
} from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSession } from '../../../lib/session-store.ts';
import { clearStored, readStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';

const goAndReload = vi.hoisted(() => vi.fn());
vi.mock('../../../lib/page-reload.ts', () => ({ goAndReload }));
const { SignInPage } = await import('./sign-in-page.tsx');
const { VerifyOtpPage } = await import('./verify-otp-page.tsx');
const { keepProgress, readProgress } = await import('./sign-in-progress.ts');

const CHALLENGE: OtpChallenge = {
  SSID: '',
  mfa_flag: 'enabled',
  otp_token: 'token-1',
  methods: ['totp', 'mail'],
  enrol: null,
  recovery: true,
  expires: Date.now() + 600_000,
};
const noTenants = [tenantList, () => ({ data: [], total_count: 0 })] as const;

afterEach(() => {
  cleanup();
  keepProgress(null);
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearStored();
});

async function open(challenge: Partial<OtpChallenge> = {}) {
  keepProgress({ email: 'ada@example.org', challenge: { ...CHALLENGE, ...challenge } });
  return renderScreen(<VerifyOtpPage />, { route: '/auth/login/verify-otp', url: '/auth/login/verify-otp' });
}

function typeCode(code: string) {
  screen.getAllByLabelText('Digit of the code').forEach((box, at) => {
    fireEvent.change(box, { target: { value: code[at] } });
  });
}

describe('the second step', () => {
  it('[S4-20] follows a sign-in whose mfa_flag is enabled, and carries its answer', async () => {
    stubCalls([[login, () => CHALLENGE]]);
    const { router } = await renderScreen(<SignInPage />, { route: '/auth/login', url: '/auth/login' });
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ada@example.org' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth/login/verify-otp'));
    expect(readProgress()).toMatchObject({ email: 'ada@example.org', challenge: CHALLENGE });
    expect(readSession()).toBeNull();
  });

  it('[S4-20] without that answer, as after a reload, it leads back to sign-in', async () => {
    const { router } = await renderScreen(<VerifyOtpPage />, {
      route: '/auth/login/verify-otp',
      url: '/auth/login/verify-otp',
    });
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth/login'));
  });

  it('[C003][S4-22] an answer with SSID establishes the session', async () => {
    const record = sampleAccess({ role: 'Security Analyst' });
    const { seen } = stubCalls([[verifyOtp, () => record], [accessDetails, () => record], noTenants]);
    await open();
    typeCode('123456');
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/c1/s1/home/s1/c1'));
    expect(seen[0]).toMatchObject({
      name: 'factors.verify',
      input: { emailId: 'ada@example.org', otp_token: 'token-1', otp: '123456' },
    });
    expect(readStored('user')).toMatchObject({ otpStatus: 'verified', otpInvalid: false });
  });

  it('[S4-22][S8-07] status error marks the code invalid, stores the OTP status, and another may be typed', async () => {
    const answers = [
      new Refusal(422, 'error', 'wrong', { otp_status: 'invalid', attempts_left: 1 }),
      sampleAccess({ role: 'Viewer' }),
    ];
    stubCalls([
      [verifyOtp, () => answers.shift()],
      [accessDetails, () => sampleAccess({ role: 'Viewer' })],
      noTenants,
    ]);
    await open();
    typeCode('111111');
    expect((await screen.findByRole('alert')).textContent).toContain('1 attempt is left');
    expect(readStored('otpStatus')).toBe('invalid');
    expect(screen.getAllByLabelText<HTMLInputElement>('Digit of the code').map((box) => box.value)).toEqual(
      Array(6).fill(''),
    );
    typeCode('222222');
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/c1/s1/dashboard'));
  });

  it.each([
    ['expired', 422, 'The sign-in took too long. Start again.'],
    ['locked', 429, 'Too many wrong codes. Start again.'],
  ])('[S4-22] status %s leaves only the way back', async (otp_status, http, words) => {
    stubCalls([[verifyOtp, () => new Refusal(http, 'failed', 'no', { otp_status })]]);
    await open();
    typeCode('111111');
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(readStored('otpStatus')).toBe(otp_status);
    expect(screen.queryByLabelText('Digit of the code')).toBeNull();
    expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe('/auth/login');
  });

  it('[C003] offers mail, recovery codes and passkeys only as far as there are any', async () => {
    stubCalls([[sendOtpMail, () => ({ sent_to: 'a•••@example.org', expires: 1, next: null })]]);
    await open();
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Send a code by email' }));
    expect((await screen.findByRole('status')).textContent).toBe('A code was sent to a•••@example.org.');
    fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    expect(screen.getByLabelText('Recovery code')).toBeTruthy();
    cleanup();
    await open({ methods: ['passkey'], recovery: false });
    expect(screen.getByRole('button', { name: 'Use a passkey' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull();
    expect(screen.queryByLabelText('Digit of the code')).toBeNull();
  });

  it('[C003] shows QR code and key at enrolment, and the recovery codes before the session begins', async () => {
    const recovery_codes = ['abcde-fghjk', 'mnpqr-stuvw'];
    const record = sampleAccess({ role: 'Viewer' });
    const details = [new Refusal(503, 'error', 'down'), record];
    stubCalls([
      [verifyOtp, () => ({ ...record, recovery_codes })],
      [accessDetails, () => details.shift()],
      noTenants,
    ]);
    await open({ methods: ['totp'], enrol: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' } });
    expect(screen.getByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
    expect(screen.getByText('ABCD EFGH')).toBeTruthy();
    typeCode('123456');
    await screen.findByText('abcde-fghjk');
    expect(goAndReload).not.toHaveBeenCalled();
    expect(readSession()).toBeNull();
    // A session that could not begin leaves the codes where they are, and says why.
    fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
    expect((await screen.findByRole('alert')).textContent).toBe('down');
    expect(screen.getByText('abcde-fghjk')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(goAndReload).toHaveBeenCalledWith('/c1/s1/dashboard'));
  });
});
