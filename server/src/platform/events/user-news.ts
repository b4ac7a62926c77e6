import { type QueryExecutorProvider, sql } from 'kysely';

/** Open consoles listen here; the payload is the user for whom something changed: a notification, a session. */
export const USER_CHANNEL = 'tyrian_user_news';

/** Tells the open consoles of these users to look, when the transaction has ended. */
export async function tellUsers(db: QueryExecutorProvider, userIds: readonly string[]): Promise<void> {
  const users = [...new Set(userIds)];
  if (users.length === 0) return;
  await sql`select pg_notify(${USER_CHANNEL}, told) from unnest(${users}::text[]) as told`.execute(db);
}
