import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Platform } from './platform.ts';

// Secrets that must be used again (a mail password, a key of another engine) are stored sealed: AES-256-GCM under
// a key that is not in the database, so that a copy of the database alone gives nothing away. `purpose` is part of
// what is authenticated: a sealed text moved to another place does not open there.

export interface SecretBox {
  seal(text: string, purpose: string): string;
  /** Throws when the text was not sealed for this purpose with this key. */
  open(sealed: string, purpose: string): string;
  /** HMAC-SHA256 of the text under the key, for this purpose: who has not the key cannot make it. */
  sign(text: string, purpose: string): Buffer;
}

const VERSION = 'v1';

/** A box over any key material. */
export function createSecretBox(keyMaterial: string): SecretBox {
  const key = createHash('sha256').update(keyMaterial).digest();
  return {
    sign: (text, purpose) => createHmac('sha256', key).update(`${purpose}\n${text}`).digest(),
    seal: (text, purpose) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [VERSION, nonce, cipher.getAuthTag(), body]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    open: (sealed, purpose) => {
      const [version, nonce = '', tag = '', body = ''] = sealed.split('.');
      if (version !== VERSION) throw new Error('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

/**
 * The box of this installation: the key of TYRIAN_SECRET_KEY, which several machines must share, or else one that
 * is made once in the data folder, readable by its owner only.
 */
export function secretBoxOf(platform: Pick<Platform, 'config' | 'dataFolder'>): SecretBox {
  return createSecretBox(platform.config.secretKey ?? keyOfFolder(platform.dataFolder));
}

function keyOfFolder(dataFolder: string): string {
  const file = path.join(dataFolder, 'secret-key');
  try {
    // `wx`: of several processes that start at once one writes, the others read what it wrote.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(file, 'utf8');
  if (key.length < 32) throw new Error(`${file} is damaged: it must hold at least 32 characters`);
  return key;
}
