import type { SyslogGrant } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type Row, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import type { SourceTables, SyslogGrantTable } from './source-tables.ts';

// Networks and certificates that root has given to tenants. Both worlds are touched: the platform's grants, and the
// sources of the tenant that lose what is taken back.

type SyslogGrantRow = Row<SyslogGrantTable>;

export interface SyslogGrantStore {
  /** Of one tenant, or of all. */
  list(of: { readonly clusterId?: string; readonly grantId?: string }): Promise<readonly SyslogGrant[]>;
  /** PostgreSQL refuses overlaps (23P01, 23505) and unknown tenants (23503). */
  add(row: SyslogGrantRow, lastStep: LastStep): Promise<void>;
  /** Also ends what sources of the tenant had from it; null when there is no such grant. */
  remove(grantId: string, notice: string, lastStep: LastStep<SyslogGrantRow>): Promise<SyslogGrantRow | null>;
}

export function createSyslogGrantStore(postgres: Postgres): SyslogGrantStore {
  const db = postgres.platform.withTables<SourceTables>();
  return {
    list: async ({ clusterId = null, grantId = null }) => {
      const found = await sql<SyslogGrant>`
        select g.grant_id, g.cluster_id, t.cluster_name, g.network, g.certificate, g.created_by,
          g.created_at as created_ms from syslog_grant g join tenant t using (cluster_id)
        where (${clusterId}::text is null or g.cluster_id = ${clusterId})
          and (${grantId}::text is null or g.grant_id = ${grantId})
        order by t.cluster_name, g.network, g.certificate limit 10000`.execute(db);
      return found.rows;
    },
    add: (row, lastStep) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('syslog_grant').values(withTimestamps(row, 'created_at')).execute();
        await lastStep(trx);
      }),
    remove: (grantId, notice, lastStep) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('syslog_grant')
          .where('grant_id', '=', grantId)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const { cluster_id: clusterId, network, certificate } = row;
        await sql`select set_config('tyrian.cluster_id', ${clusterId}, true)`.execute(trx);
        await sql`delete from ingest_sender where cluster_id = ${clusterId} and network <<= ${network}::cidr`.execute(
          trx,
        );
        await sql`delete from ingest_certificate
          where cluster_id = ${clusterId} and certificate = ${certificate}`.execute(trx);
        await sql`update ingest_source set notice = ${notice}
          where cluster_id = ${clusterId} and revoked_at is null and (
            ${certificate} = any(certificates)
            or exists (select 1 from unnest(networks) n where n <<= ${network}::cidr))`.execute(trx);
        await lastStep(trx, row);
        return row;
      }),
  };
}
