import type { IdentityDb } from '../identity-tables.ts';
import { withUserLock } from './user-lock.ts';

/** Removes every second factor of a user, with what is begun, and ends the sessions. */
export async function removeFactors(db: IdentityDb, userId: string): Promise<void> {
  await withUserLock(db, userId, async (trx) => {
    for (const table of ['totp_factor', 'passkey', 'recovery_code', 'factor_offer'] as const) {
      await trx.deleteFrom(table).where('user_id', '=', userId).execute();
    }
    await trx.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute();
    await trx.deleteFrom('session').where('user_id', '=', userId).execute();
    await trx.updateTable('person').set({ mfa_enabled: false }).where('user_id', '=', userId).execute();
  });
}
