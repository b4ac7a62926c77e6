import type { Kysely, QueryExecutorProvider } from 'kysely';

/** What still belongs to a change before it is committed: its entry in the audit trail. What it throws undoes the change. */
export type LastStep<T = void> = (trx: QueryExecutorProvider, made: T) => Promise<void>;

/** Runs `work` in the transaction that `db` is, else in one of its own. */
export function withinTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
