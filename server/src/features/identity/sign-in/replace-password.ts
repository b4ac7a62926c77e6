import { PASSWORD_HISTORY } from '@tyrian/contract';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { passwordFits } from './password-hash.ts';
import { withUserLock } from './user-lock.ts';

/** Whether the password is the present one or among the last that the user had. */
export async function isPasswordUsedBefore(
  db: IdentityDb,
  userId: string,
  password: string,
): Promise<boolean> {
  const present = await db
    .selectFrom('person')
    .select('password_hash')
    .where('user_id', '=', userId)
    .execute();
  const earlier = await db
    .selectFrom('password_history')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(PASSWORD_HISTORY - 1)
    .execute();
  for (const { password_hash } of [...present, ...earlier]) {
    if (await passwordFits(password_hash, password)) return true;
  }
  return false;
}

/** Sets a password, keeps the replaced one as history, ends sessions; returns how many ended. */
export function replacePassword(
  db: IdentityDb,
  change: {
    readonly userId: string;
    readonly passwordHash: string;
    readonly now: number;
    /** Hash of the session that goes on; every session ends without it. */
    readonly keepSession?: Buffer;
  },
): Promise<number> {
  const { userId, passwordHash, now, keepSession } = change;
  return withUserLock(db, userId, async (trx) => {
    const before = await trx
      .selectFrom('person')
      .select(['password_hash', 'password_changed_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('password_history')
      .values({
        user_id: userId,
        password_hash: before.password_hash,
        created_at: timestamp(before.password_changed_at),
      })
      .execute();
    await trx
      .updateTable('person')
      .set({ password_hash: passwordHash, password_changed_at: timestamp(now) })
      .where('user_id', '=', userId)
      .execute();
    // What was begun with the old password does not go on, and no link outlives a change.
    await trx.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute();
    await trx
      .deleteFrom('password_link')
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute();
    let ending = trx.deleteFrom('session').where('user_id', '=', userId);
    if (keepSession) ending = ending.where('ssid_hash', '!=', keepSession);
    const ended = await ending.executeTakeFirst();
    return Number(ended.numDeletedRows);
  });
}
