import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

/** How many cases of a tenant are not closed, over all its scopes. */
export async function countOpenCases(postgres: Postgres, clusterId: string): Promise<number> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from incident_case where cluster_id = ${clusterId} and status <> 'CLOSED'`.execute(
      trx,
    );
    return rows[0]?.n ?? 0;
  });
}
