import { sql } from 'kysely';
import type { Postgres, TenantTransaction } from '../../../platform/postgres/postgres.ts';
import { timestamp, withTimestamps } from '../../../platform/postgres/timestamp.ts';
import { streamConfigDb } from './administration-tables.ts';

export interface StreamConfigRow {
  readonly scope_id: string;
  readonly stream: string;
  readonly retention_days: number;
  readonly changed_at: number;
  readonly changed_by: string;
}

/** Every line of a tenant, those of its scopes included. */
export async function selectStreamConfig(postgres: Postgres, clusterId: string): Promise<StreamConfigRow[]> {
  return postgres.inTenant(clusterId, (trx) =>
    streamConfigDb(trx)
      .selectFrom('stream_config')
      .select(['scope_id', 'stream', 'retention_days', 'changed_at', 'changed_by'])
      .where('cluster_id', '=', clusterId)
      .execute(),
  );
}

/** The tenants that keep events of any stream for a limited time. */
export function tenantsWithRetention(postgres: Postgres): Promise<readonly { readonly clusterId: string }[]> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'retention', true)`.execute(trx);
    const { rows } = await sql<{ clusterId: string }>`
      select distinct cluster_id as "clusterId" from stream_config`.execute(trx);
    return rows;
  });
}

/** Sets a line, or takes it away when `retention_days` is null. */
export async function writeStreamConfig(
  trx: TenantTransaction,
  clusterId: string,
  line: Omit<StreamConfigRow, 'retention_days'> & { readonly retention_days: number | null },
): Promise<void> {
  const { retention_days, ...rest } = line;
  if (retention_days === null) {
    await sql`delete from stream_config where cluster_id = ${clusterId} and scope_id = ${line.scope_id}
      and stream = ${line.stream}`.execute(trx);
    return;
  }
  await streamConfigDb(trx)
    .insertInto('stream_config')
    .values({ cluster_id: clusterId, ...withTimestamps(rest, 'changed_at'), retention_days })
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'scope_id', 'stream']).doUpdateSet({
        retention_days,
        changed_at: timestamp(line.changed_at),
        changed_by: line.changed_by,
      }),
    )
    .execute();
}
