import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

/** How many signals of a tenant there are over all its scopes, and how many of them wait for review. */
export async function countSignals(
  postgres: Postgres,
  clusterId: string,
): Promise<{ tracked: number; pending: number }> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ tracked: number; pending: number }>`
      select count(*) as tracked, count(*) filter (where triaged_at is null) as pending
      from signal where cluster_id = ${clusterId}`.execute(trx);
    return rows[0] ?? { tracked: 0, pending: 0 };
  });
}
