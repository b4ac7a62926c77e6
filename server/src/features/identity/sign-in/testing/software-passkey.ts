import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

// An authenticator in software: makes an ES256 credential and signs with it, as WebAuthn level 2 says. What it says
// about itself can be bent, to see what is refused.

/** The few kinds of CBOR that a credential is made of. */
function cbor(value: unknown): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)]),
    ]);
  }
  throw new Error('not a kind of CBOR that is needed here');
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const USER_PRESENT = 0x01;
const HAS_CREDENTIAL = 0x40;

export interface SoftwarePasskey {
  /** The answer to registration options. */
  register(options: Record<string, unknown>): Record<string, unknown>;
  /** The answer to what is to be signed. */
  sign(
    options: Record<string, unknown>,
    bent?: {
      readonly origin?: string;
      readonly rpId?: string;
      readonly counter?: number;
      readonly damaged?: boolean;
    },
  ): Record<string, unknown>;
}

export function createSoftwarePasskey(origin: string): SoftwarePasskey {
  const rpId = new URL(origin).hostname;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const bytes = (text: unknown) => Buffer.from(String(text), 'base64url');
  const authData = (forRp: string, flags: number, count: number, rest = Buffer.alloc(0)) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(count);
    return Buffer.concat([sha256(forRp), Buffer.from([flags]), number, rest]);
  };
  const clientData = (type: string, challenge: unknown, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, value.toString('base64url')]),
    ),
  });
  return {
    register: ({ challenge }) => {
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(jwk.x)],
          [-3, bytes(jwk.y)],
        ]),
      );
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authData(rpId, USER_PRESENT | HAS_CREDENTIAL, counter, credential);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: cbor(
          new Map<string, unknown>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', data],
          ]),
        ),
      });
    },
    sign: ({ challenge }, bent = {}) => {
      counter = bent.counter ?? counter + 1;
      const data = authData(bent.rpId ?? rpId, USER_PRESENT, counter);
      const client = clientData('webauthn.get', challenge, bent.origin ?? origin);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      if (bent.damaged) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return answer({ clientDataJSON: client, authenticatorData: data, signature });
    },
  };
}
