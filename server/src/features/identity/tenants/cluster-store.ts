import type { FleetItem } from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp, withTimestamps } from '../../../platform/postgres/timestamp.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { AdministrationDb } from './administration-tables.ts';
import { insertBasics, type TenantBasics } from './tenant-store.ts';

export interface ClusterRow {
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly product_type: FleetItem['productType'];
  readonly license_type: FleetItem['licenseType'];
  readonly license_until: number | null;
  readonly eula_accepted_at: number | null;
  readonly eula_accepted_by: string | null;
  readonly is_set_up: boolean;
  readonly created_at: number;
  readonly primary_org: string | null;
  readonly scope_count: number;
  readonly user_count: number;
  readonly admin_count: number;
  readonly engine_url: string | null;
}

/** Clusters by name; only the one of `clusterId` when it is given. */
export async function selectClusters(
  db: AdministrationDb,
  wanted: {
    readonly clusterId: string | null;
    readonly search: string;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<{ rows: ClusterRow[]; total: number }> {
  const text = wanted.search.trim().toLowerCase();
  const { rows } = await sql<ClusterRow & { total: number }>`
    select t.cluster_id, t.cluster_name, t.product_type, t.license_type, t.license_until,
      t.eula_accepted_at, t.eula_accepted_by, t.is_set_up, t.created_at, e.url as engine_url,
      (select o.name from tenant_organization c join organization o using (org_id)
        where c.cluster_id = t.cluster_id and c.is_primary) as primary_org,
      (select count(*) from scope s where s.cluster_id = t.cluster_id) as scope_count,
      (select count(*) from tenant_access a where a.cluster_id = t.cluster_id) as user_count,
      (select count(*) from tenant_access a where a.cluster_id = t.cluster_id
        and a.access_type = 'Administrator') as admin_count,
      count(*) over () as total
    from tenant t left join tenant_engine e using (cluster_id)
    where (${wanted.clusterId}::text is null or t.cluster_id = ${wanted.clusterId})
      and (strpos(lower(t.cluster_name), ${text}) > 0 or strpos(lower(t.cluster_id), ${text}) > 0)
    order by lower(t.cluster_name), t.cluster_id limit ${wanted.limit} offset ${wanted.offset}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** Adds a cluster that is still to be set up, with its engine, all or nothing. */
export async function insertCluster(
  db: AdministrationDb,
  cluster: {
    readonly clusterId: string;
    readonly name: string;
    readonly engine: { readonly url: string; readonly sealedAccess: string } | null;
    readonly now: number;
  },
): Promise<void> {
  const { clusterId, name, engine, now } = cluster;
  await withinTransaction(db, async (trx) => {
    await trx
      .insertInto('tenant')
      .values({
        cluster_id: clusterId,
        cluster_name: name,
        product_type: 'essential',
        is_set_up: false,
        created_at: timestamp(now),
      })
      .execute();
    if (engine === null) return;
    await trx
      .insertInto('tenant_engine')
      .values({
        cluster_id: clusterId,
        url: engine.url,
        sealed_access: engine.sealedAccess,
        changed_at: timestamp(now),
      })
      .execute();
  });
}

/** Sets up a connected cluster once; false when it is set up already. */
export async function setUpClusterRows(
  db: AdministrationDb,
  setup: TenantBasics & { readonly productType: FleetItem['productType'] },
): Promise<boolean> {
  return withinTransaction(db, async (trx) => {
    const done = await trx
      .updateTable('tenant')
      .set({ is_set_up: true, product_type: setup.productType })
      .where('cluster_id', '=', setup.clusterId)
      .where('is_set_up', '=', false)
      .executeTakeFirst();
    if (done.numUpdatedRows === 0n) return false;
    await insertBasics(trx, setup);
    return true;
  });
}

/** Changes columns of a cluster; false when there is none. */
export async function updateCluster(
  db: AdministrationDb,
  clusterId: string,
  change: {
    readonly cluster_name?: string;
    readonly license_type?: FleetItem['licenseType'];
    readonly product_type?: FleetItem['productType'];
    readonly license_until?: number | null;
    readonly eula_accepted_at?: number;
    readonly eula_accepted_by?: string;
  },
): Promise<boolean> {
  const done = await db
    .updateTable('tenant')
    .set(withTimestamps(change, 'license_until', 'eula_accepted_at'))
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function updateEngineAccess(
  db: AdministrationDb,
  clusterId: string,
  sealedAccess: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('tenant_engine')
    .set({ sealed_access: sealedAccess, changed_at: timestamp(now) })
    .where('cluster_id', '=', clusterId)
    .execute();
}

export async function isEnabledPersonOf(
  db: AdministrationDb,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('person')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('org_id', '=', orgId)
    .where('status', '=', 'enabled')
    .executeTakeFirst();
  return found !== undefined;
}
