import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { OTP_DIGITS } from '@tyrian/contract';

// Codes of authenticator apps: RFC 6238 with SHA-1, six digits and 30 seconds, which every app knows.

const STEP_MS = 30_000;
/** Codes of the step before and after are taken too, for clocks that are a little off. */
const DRIFT_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET_BYTES = 20;

/** A new secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of randomBytes(SECRET_BYTES)) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += BASE32[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

function bytesOf(secret: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of secret) {
    value = (value << 5) | BASE32.indexOf(letter);
    bits += 5;
    if (bits >= 8) {
      bytes.push((value >>> (bits - 8)) & 255);
      bits -= 8;
    }
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

/** The code of a secret at a time step. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const at = (mac[mac.length - 1] ?? 0) & 15;
  const number = mac.readUInt32BE(at) & 0x7fff_ffff;
  return String(number % 10 ** OTP_DIGITS).padStart(OTP_DIGITS, '0');
}

/** The code that an app shows at a time; for tests and for whoever needs to compare. */
export function totpCode(secret: string, nowMs: number): string {
  return codeAt(secret, Math.floor(nowMs / STEP_MS));
}

/**
 * The time step whose code was typed, when it is near now and after `lastStep`; null otherwise. A step that was
 * used once is never given again.
 */
export function matchTotp(secret: string, typed: string, nowMs: number, lastStep: number): number | null {
  const code = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return null;
  const now = Math.floor(nowMs / STEP_MS);
  let found: number | null = null;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step++) {
    const same = timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code));
    if (same && step > lastStep && found === null) found = step;
  }
  return found;
}

/** The address that an app reads from a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
