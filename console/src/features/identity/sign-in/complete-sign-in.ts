import { isSignedIn, type SignInAnswer, type UserAccess } from '@tyrian/contract';
import { landingTarget } from '../../../lib/landing.ts';
import { goAndReload } from '../../../lib/page-reload.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { beginSession } from './establish-session.ts';
import { keepProgress } from './sign-in-progress.ts';

// What follows a first step, of whatever kind: a session and the page that was asked for, or the second step.

/** Where the second step stands. */
const VERIFY_OTP_PATH = '/auth/login/verify-otp';

/**
 * Goes on after a first step. Answers the path of the next page while there is no session; null once the session is
 * established and the landing page loads.
 */
export async function completeSignIn(answer: SignInAnswer, email: string): Promise<string | null> {
  if (!isSignedIn(answer)) {
    keepProgress({ email, challenge: answer });
    return VERIFY_OTP_PATH;
  }
  await enter(answer);
  return null;
}

/** Establishes the session and goes to the page that was asked for before, or to the landing page of the role. */
export async function enter(record: UserAccess): Promise<void> {
  const session = await beginSession(record);
  const stored = readStored<string>('historyUrl') ?? null;
  writeStored('historyUrl', undefined);
  await goAndReload(landingTarget(session, stored));
}
