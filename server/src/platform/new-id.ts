import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on are thrown away, so that every character is equally likely. */
const FAIR_LIMIT = 256 - (256 % ALPHABET.length);

/** A new object id: 12 characters of a-z and 0-9 (62 bits), so it never equals the path marker `admin`. */
export function newId(): string {
  let id = '';
  while (id.length < 12) {
    for (const byte of randomBytes(16)) {
      if (byte < FAIR_LIMIT && id.length < 12) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}
