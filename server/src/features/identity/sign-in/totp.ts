import { OTP_DIGITS } from '@tyrian/contract';
import { generateSecret, generateSync, generateURI, verifySync } from 'otplib';

// Codes of authenticator apps: RFC 6238 with SHA-1, six digits and 30 seconds, which every app knows.

const STEP_SECONDS = 30;
const KIND = { algorithm: 'sha1', digits: OTP_DIGITS, period: STEP_SECONDS } as const;

/** A new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => generateSecret({ length: 20 });

/** The code that an app shows at a time; for tests and for whoever needs to compare. */
export function totpCode(secret: string, nowMs: number): string {
  return generateSync({ ...KIND, secret, epoch: nowMs / 1000 });
}

/**
 * The time step whose code was typed, when it is now, the one before or the one after, for clocks that are a little off,
 * and after `lastStep`; null otherwise. A step that was used once is never given again.
 */
export function matchTotp(secret: string, typed: string, nowMs: number, lastStep: number): number | null {
  const token = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = nowMs / 1000;
  const answer = verifySync({ ...KIND, secret, token, epoch, epochTolerance: STEP_SECONDS });
  if (!answer.valid) return null;
  const step = Math.floor(epoch / STEP_SECONDS) + answer.delta;
  return step > lastStep ? step : null;
}

/** The address that an app reads from a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  return generateURI({ ...KIND, secret, issuer, label: account });
}
