import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import { encode } from '@msgpack/msgpack';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import { decodeForward } from './forward-records.ts';

// The handshake of Fluent forward: HELO, PING, PONG. The shared key is the token of a source; which source it is, is said
// by the user name of the sender, which is the beginning of that token.

function sha512(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const NAME = hostname();

export interface Handshake {
  /** What the server says first. */
  readonly hello: Uint8Array;
  /** Reads what a sender says to it; null for one that does not prove a key. */
  read(message: Uint8Array): Promise<{ readonly source: IngestSource; readonly answer: Uint8Array } | null>;
  /** The answer to a sender that is refused. */
  readonly refusal: Uint8Array;
}

function partsOf(message: Uint8Array): readonly (string | Uint8Array)[] | undefined {
  let said: unknown;
  try {
    said = decodeForward(message);
  } catch {
    return undefined;
  }
  if (!Array.isArray(said)) return undefined;
  const parts: readonly unknown[] = said;
  if (parts[0] !== 'PING' || parts.length < 6) return undefined;
  if (!parts.every((part) => typeof part === 'string' || ArrayBuffer.isView(part))) return undefined;
  return parts as readonly (string | Uint8Array)[];
}

/** A handshake of one connection. */
export function createHandshake(sources: SourceService): Handshake {
  const nonce = randomBytes(16).toString('hex');
  const auth = randomBytes(16).toString('hex');
  return {
    hello: encode(['HELO', { nonce, auth, keepalive: true }]),
    refusal: encode(['PONG', false, 'the shared key or the user name is wrong', '', '']),
    read: async (message) => {
      const parts = partsOf(message);
      if (parts === undefined) return null;
      const [, host = '', salt = '', digest = '', user = ''] = parts;
      let proven = '';
      const source = await sources.findBySharedKey(Buffer.from(user).toString('utf8'), (key) => {
        if (!isEqual(sha512(salt, host, nonce, key), Buffer.from(digest).toString('utf8'))) return false;
        proven = key;
        return true;
      });
      if (source === null) return null;
      return { source, answer: encode(['PONG', true, '', NAME, sha512(salt, NAME, nonce, proven)]) };
    },
  };
}
