import type { Kysely } from 'kysely';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb, IdentityTables } from '../identity-tables.ts';

/**
 * Runs work in the transaction that `db` is, else in one of its own, in which nobody else's work for the same user runs:
 * what counts first and writes then would otherwise be done by forty at once. The row of the user is taken first, so
 * that two who change the same rows never wait for each other. A user who does not exist has no turn to wait for.
 */
export function withUserLock<T>(
  db: IdentityDb,
  userId: string,
  work: (trx: Kysely<IdentityTables>) => Promise<T>,
): Promise<T> {
  return withinTransaction(db, async (trx) => {
    await trx
      .selectFrom('person')
      .select('user_id')
      .where('user_id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return work(trx);
  });
}
