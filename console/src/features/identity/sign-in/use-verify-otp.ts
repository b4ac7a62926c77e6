import { startAuthentication } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import {
  OTP_STATUSES,
  type OtpStatus,
  otpPasskeyOptions,
  type UserAccess,
  verifyOtp,
} from '@tyrian/contract';
import { useState } from 'react';
import { CallError, call } from '../../../lib/call.ts';
import { serverText } from '../../../lib/server-text.ts';
import { keepOtpStatus, type SignInProgress } from './sign-in-progress.ts';

/** How a second step failed; `other` is anything that is not about the code. */
export interface OtpFailure {
  readonly status: OtpStatus | 'other';
  readonly attemptsLeft: number;
  /** What the server said, in the user's language; empty when it said nothing. */
  readonly text: string;
}

type Answer = { readonly otp: string } | { readonly passkey: Record<string, unknown> };
type PasskeyOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

function failureOf(error: unknown): OtpFailure {
  const details = (error instanceof CallError ? error.details : null) as {
    otp_status?: string;
    attempts_left?: number;
  } | null;
  const status = OTP_STATUSES.find((one) => one === details?.otp_status) ?? 'other';
  return {
    status,
    attemptsLeft: details?.attempts_left ?? 0,
    text: error instanceof CallError ? serverText(error) : '',
  };
}

/**
 * Sends the second step. An error status marks the code invalid and another may be typed; when the sign-in is over,
 * or locked, only its beginning is left. `onOpened` gets the session's record, and recovery codes after enrolment.
 */
export function useVerifyOtp(
  { email, challenge }: SignInProgress,
  onOpened: (record: UserAccess, codes: readonly string[]) => Promise<void>,
) {
  const [failure, setFailure] = useState<OtpFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const verify = useMutation<void, unknown, Answer>({
    mutationFn: async (answer) => {
      const input = { emailId: email, otp_token: challenge.otp_token, ...answer };
      const { recovery_codes = [], ...record } = await call(verifyOtp, { input, sessionFlow: true });
      keepOtpStatus('verified');
      setFailure(null);
      await onOpened(record, recovery_codes);
    },
    meta: { quiet: true },
    onError: (error) => {
      const next = failureOf(error);
      if (next.status !== 'other') keepOtpStatus(next.status);
      setFailure(next);
      setAttempt((count) => count + 1);
    },
  });
  const passkey = useMutation<void, unknown, void>({
    mutationFn: async () => {
      const input = { otp_token: challenge.otp_token };
      const { options } = await call(otpPasskeyOptions, { input, sessionFlow: true });
      const signed = await startAuthentication({ optionsJSON: options as unknown as PasskeyOptions });
      verify.mutate({ passkey: { ...signed } });
    },
    meta: { quiet: true },
    onError: (error) => setFailure(failureOf(error)),
  });
  return {
    failure,
    /** Counts failures, so that an input can begin afresh. */
    attempt,
    canGoOn: failure?.status !== 'expired' && failure?.status !== 'locked',
    isPending: verify.isPending || passkey.isPending,
    withCode: (otp: string) => verify.mutate({ otp }),
    withPasskey: () => passkey.mutate(),
  };
}
