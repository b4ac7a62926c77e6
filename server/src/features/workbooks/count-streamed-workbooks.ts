import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

/** How many workbooks of a tenant are switched on to run every minute; one that runs in two scopes counts once. */
export async function countStreamedWorkbooks(postgres: Postgres, clusterId: string): Promise<number> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from workbook w
      where w.cluster_id = ${clusterId} and w.deleted_at is null and not w.native and w.mode = 'streamed'
        and exists (select from rule r where r.cluster_id = w.cluster_id and r.workbook_id = w.workbook_id
          and r.enabled)`.execute(trx);
    return rows[0]?.n ?? 0;
  });
}
