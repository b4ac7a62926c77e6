import type { Transaction } from 'kysely';
import type { IdentityDb, IdentityTables } from '../users/identity-tables.ts';

/**
 * Runs work in a transaction in which nobody else's work for the same user runs: what counts first and writes then
 * would otherwise be done by forty at once. A user who does not exist has no turn to wait for.
 */
export function inTurnOf<T>(
  db: IdentityDb,
  userId: string,
  work: (trx: Transaction<IdentityTables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('person')
      .select('user_id')
      .where('user_id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return work(trx);
  });
}
