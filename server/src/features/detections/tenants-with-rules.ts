import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

/** Tenants in which a detection is on, in one question for all of them. */
export function tenantsWithRules(postgres: Postgres): Promise<readonly { readonly clusterId: string }[]> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'detections', true)`.execute(trx);
    const { rows } = await sql<{ clusterId: string }>`
      select distinct cluster_id as "clusterId" from rule_group`.execute(trx);
    return rows;
  });
}
