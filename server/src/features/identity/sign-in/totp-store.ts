import type { Selectable } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';

/** What a sealed secret of an authenticator app is for. */
export const TOTP_PURPOSE = 'totp';

type TotpRow = Selectable<SignInTables['totp_factor']>;

/** The authenticator app of a user; null when there is none. */
export async function readTotp(db: IdentityDb, userId: string): Promise<TotpRow | null> {
  const row = await db.selectFrom('totp_factor').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ?? null;
}

/** Uses up the codes until this step; false when this one was used already, by another sign-in at once too. */
export async function useTotpStep(db: IdentityDb, userId: string, step: number): Promise<boolean> {
  const done = await db
    .updateTable('totp_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Keeps a confirmed app; false when the user has one, which is never replaced on the side. */
export async function keepTotp(
  db: IdentityDb,
  kept: { readonly userId: string; readonly sealedSecret: string; readonly lastStep: number },
  now: number,
): Promise<boolean> {
  const done = await db
    .insertInto('totp_factor')
    .values({
      user_id: kept.userId,
      sealed_secret: kept.sealedSecret,
      created_at: timestamp(now),
      last_step: kept.lastStep,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .executeTakeFirst();
  if (!done.numInsertedOrUpdatedRows) return false;
  await markFactors(db, kept.userId);
  return true;
}

/** Makes the flag of the access record agree with what the user has set up. */
export async function markFactors(db: IdentityDb, userId: string): Promise<boolean> {
  const totp = await readTotp(db, userId);
  const passkey = await db
    .selectFrom('passkey')
    .select('credential_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const has = totp !== null || passkey !== undefined;
  await db.updateTable('person').set({ mfa_enabled: has }).where('user_id', '=', userId).execute();
  return has;
}
