import { expect, it } from 'vitest';
import { bringsCertificates } from './attestation-certificates.ts';
import { createSoftwarePasskey } from './testing/software-passkey.ts';

/** Text of CBOR: its kind and length in one byte, as hex. */
const text = (word: string) => `${(0x60 + word.length).toString(16)}${Buffer.from(word).toString('hex')}`;
const attestation = (format: string, statement: string) =>
  Buffer.from(
    `a3${text('fmt')}${text(format)}${text('attStmt')}${statement}${text('authData')}4100`,
    'hex',
  ).toString('base64url');

it('[S02] a passkey that brings certificates, and with them addresses to read, is told from one that brings none', () => {
  const made = createSoftwarePasskey('https://console.example').register({ challenge: 'YQ' });
  const { attestationObject } = made.response as { attestationObject: string };
  expect(bringsCertificates(attestationObject)).toBe(false);
  expect(bringsCertificates(attestation('packed', `a1${text('sig')}4100`))).toBe(false);
  for (const format of ['packed', 'apple', 'android-key', 'tpm', 'fido-u2f']) {
    expect(bringsCertificates(attestation(format, `a1${text('x5c')}814100`)), format).toBe(true);
  }
  expect(bringsCertificates(attestation('android-safetynet', `a1${text('response')}4100`))).toBe(true);
  expect(() => bringsCertificates('AAAA')).toThrow();
});
