import type { SamplePolicy } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SampleWriter } from './sample-store.ts';

// What a tenant asks of samples.

export async function readPolicy(trx: TenantTransaction, clusterId: string): Promise<SamplePolicy> {
  const { rows } = await sql<SamplePolicy>`
    select prod_needs_samples, changed_at as changed, changed_by from sample_policy
    where cluster_id = ${clusterId}`.execute(trx);
  return rows[0] ?? { prod_needs_samples: false, changed: null, changed_by: '' };
}

export async function writePolicy(
  trx: TenantTransaction,
  { clusterId, nowMs, author }: SampleWriter,
  prodNeedsSamples: boolean,
): Promise<void> {
  await sql`
    insert into sample_policy (cluster_id, prod_needs_samples, changed_at, changed_by)
    values (${clusterId}, ${prodNeedsSamples}, ${timestamp(nowMs)}, ${author})
    on conflict (cluster_id) do update set prod_needs_samples = excluded.prod_needs_samples,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(trx);
}
