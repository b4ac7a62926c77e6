import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

// A certificate for 127.0.0.1 and, if asked for, a name, written here because a bare machine may have no tool that makes one.

/** One element of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const name = (text: string) =>
  der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(text)))));
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));

/** Writes `cert.pem` and `key.pem` into the folder; answers their paths and the certificate's text. */
export function selfSignedCertificate(
  folder: string,
  dnsName?: string,
): { cert: string; key: string; pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alsoName = dnsName === undefined ? [] : [der(0x82, Buffer.from(dnsName))];
  const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])), ...alsoName);
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name('tyrian test'),
    der(SEQUENCE, time(2020), time(2090)),
    name('tyrian test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, address)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString('base64');
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem'), pem };
  writeFileSync(files.cert, pem);
  writeFileSync(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return files;
}
