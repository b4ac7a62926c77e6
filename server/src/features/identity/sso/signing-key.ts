import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { SsoDb } from './sso-store.ts';

// The key with which requests and logouts to SAML providers are signed, and its certificate, which our metadata
// publish. Made at the first use; the certificate signs itself, as providers trust it by the metadata alone.

export interface SigningKey {
  readonly privateKey: string;
  /** PEM. */
  readonly certificate: string;
}

const PURPOSE = 'sso signing key';
const SEQUENCE = 0x30;

/** One element of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const RSA_SHA256 = der(SEQUENCE, Buffer.from('06092a864886f70d01010b0500', 'hex'));

/** A certificate of the key by itself. */
export function selfSigned(privateKey: KeyObject, publicKey: KeyObject, commonName: string): string {
  const name = der(
    SEQUENCE,
    der(0x31, der(SEQUENCE, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)))),
  );
  const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    RSA_SHA256,
    name,
    der(SEQUENCE, time(2020), time(2090)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(SEQUENCE, body, RSA_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

/** The key of this installation. */
export async function signingKeyOf(db: SsoDb, secrets: SecretBox, now: number): Promise<SigningKey> {
  const stored = await db.selectFrom('sso_signing_key').selectAll().executeTakeFirst();
  if (stored) {
    return { privateKey: secrets.open(stored.sealed_key, PURPOSE), certificate: stored.certificate };
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await db
    .insertInto('sso_signing_key')
    .values({
      only_one: true,
      sealed_key: secrets.seal(pem, PURPOSE),
      certificate: selfSigned(createPrivateKey(pem), publicKey, 'Tyrian'),
      created_at: timestamp(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Of two processes that made one, both use the one that stands.
  return signingKeyOf(db, secrets, now);
}
