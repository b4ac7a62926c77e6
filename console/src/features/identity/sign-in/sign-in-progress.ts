import type { OtpChallenge, OtpStatus } from '@tyrian/contract';
import { writeStored } from '../../../lib/storage.ts';

// A sign-in between its first and its second step. It lives in memory alone: a reload begins again, and nothing of
// a half-done sign-in stays behind in the browser but how the last code fared.

export interface SignInProgress {
  readonly email: string;
  readonly challenge: OtpChallenge;
}

let current: SignInProgress | null = null;

export function readProgress(): SignInProgress | null {
  return current;
}

export function keepProgress(progress: SignInProgress | null): void {
  current = progress;
  writeStored('otpStatus', undefined);
}

/** Keeps how a code fared: `invalid` marks the code wrong until another one is typed. */
export function keepOtpStatus(status: OtpStatus | 'verified'): void {
  writeStored('otpStatus', status);
}
