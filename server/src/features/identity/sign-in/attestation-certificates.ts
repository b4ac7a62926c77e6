import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/**
 * Whether the attestation of a new passkey brings certificates of its maker (WebAuthn level 2, 8). Nobody asked for
 * them, browsers leave them out, and checking them would read lists of revoked certificates from addresses that stand
 * in them. Throws for what is no attestation object. `encoded` is base64url.
 */
export function bringsCertificates(encoded: string): boolean {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(encoded, 'base64url')));
  const format = attestation.get('fmt');
  const isBare = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  return !isBare;
}
