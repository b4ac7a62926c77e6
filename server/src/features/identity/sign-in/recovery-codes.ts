import { createHash, randomInt } from 'node:crypto';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { withUserLock } from './user-lock.ts';

// Codes to get in once without the second factor. Only hashes are kept; 50 bits each need no slow hash.

const COUNT = 10;
/** No letters that are easily mixed up, since the codes are read off paper. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 10;

const hashOf = (userId: string, code: string) => createHash('sha256').update(`${userId} ${code}`).digest();

function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Replaces the recovery codes of a user; the new ones, as they are shown once: `abcde-fghjk`. */
export async function replaceRecoveryCodes(db: IdentityDb, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  // Of two who renew them at once, the codes of one are good, never both.
  await withUserLock(db, userId, async (trx) => {
    await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
    await trx
      .insertInto('recovery_code')
      .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code), used_at: null })))
      .execute();
  });
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`);
}

/** Uses a code up; whether it was good. Of two attempts at once one wins. */
export async function takeRecoveryCode(
  db: IdentityDb,
  userId: string,
  typed: string,
  now: number,
): Promise<boolean> {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  if (code.length !== LENGTH) return false;
  const taken = await db
    .updateTable('recovery_code')
    .set({ used_at: timestamp(now) })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

/** How many are left. */
export async function countRecoveryCodes(db: IdentityDb, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return rows.length;
}
