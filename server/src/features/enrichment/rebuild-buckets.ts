import { sql } from 'kysely';
import { type AnyJob, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { askForBuild } from './ask-for-build.ts';

/** Asks at midnight for a build of every bucket that is on: one query over all tenants, and a job for each bucket. */
export function bucketRebuilds(postgres: Postgres): AnyJob {
  return scheduledJob('enrichment-rebuilds', '0 0 * * *', async (_nothing, { signal }) => {
    const due = await postgres.platform.transaction().execute(async (trx) => {
      await sql`select set_config('tyrian.sweep', 'enrichment_due', true)`.execute(trx);
      const { rows } = await sql<{ cluster_id: string; scope_id: string; table_id: string }>`
        select cluster_id, scope_id, table_id from enrichment_table where kind = 'bucket' and enabled`.execute(
        trx,
      );
      return rows;
    });
    for (const { cluster_id: clusterId, scope_id: scopeId, table_id: tableId } of due) {
      signal.throwIfAborted();
      await postgres.inTenant(clusterId, (trx) => askForBuild(trx, { clusterId, scopeId }, tableId));
    }
    return due.length;
  });
}
