import type { ProductType, UserItem } from '@tyrian/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';

export interface TenantRow {
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly product_type: ProductType;
  readonly license_type: 'open' | 'trial' | 'subscription';
  readonly created_at: number;
  readonly primary_org: string | null;
  readonly secondary_orgs: string[];
  readonly user_count: number;
}

/** Tenants by name: those of `clusterIds`, those connected to `orgId`, or all of them. */
export async function selectTenants(
  db: IdentityDb,
  wanted: { readonly all: boolean; readonly clusterIds: readonly string[]; readonly orgId: string | null },
): Promise<TenantRow[]> {
  const { rows } = await sql<TenantRow>`
    select t.cluster_id, t.cluster_name, t.product_type, t.license_type, t.created_at,
      (select o.name from tenant_organization c join organization o using (org_id)
        where c.cluster_id = t.cluster_id and c.is_primary) as primary_org,
      array(select o.name from tenant_organization c join organization o using (org_id)
        where c.cluster_id = t.cluster_id and not c.is_primary order by lower(o.name)) as secondary_orgs,
      -- As many as the page of the tenant lists: also those whose roles were all taken away.
      (select count(*) from tenant_access a where a.cluster_id = t.cluster_id) as user_count
    from tenant t
    where ${wanted.all} or t.cluster_id = any(${[...wanted.clusterIds]}::text[])
      or t.cluster_id in (select cluster_id from tenant_organization where org_id = ${wanted.orgId})
    order by lower(t.cluster_name), t.cluster_id`.execute(db);
  return rows;
}

interface ScopeRow {
  scope_id: string;
  scope_name: string;
  is_enabled: boolean;
}

export async function selectScopes(db: IdentityDb, clusterId: string): Promise<ScopeRow[]> {
  return db
    .selectFrom('scope')
    .select(['scope_id', 'scope_name', 'is_enabled'])
    .where('cluster_id', '=', clusterId)
    .orderBy('created_at')
    .orderBy('scope_id')
    .execute();
}

/** The scopes of all tenants at once, by tenant and in their order. */
export async function selectAllScopes(db: IdentityDb): Promise<Map<string, ScopeRow[]>> {
  const rows = await db
    .selectFrom('scope')
    .select(['cluster_id', 'scope_id', 'scope_name', 'is_enabled'])
    .orderBy('created_at')
    .orderBy('scope_id')
    .execute();
  const byTenant = new Map<string, ScopeRow[]>();
  for (const { cluster_id: clusterId, ...scope } of rows) {
    byTenant.set(clusterId, [...(byTenant.get(clusterId) ?? []), scope]);
  }
  return byTenant;
}

export async function selectAdministrators(db: IdentityDb, clusterId: string): Promise<UserItem[]> {
  return db
    .selectFrom('tenant_access as a')
    .innerJoin('person as p', 'p.user_id', 'a.user_id')
    .select(['p.user_id', 'p.name', 'p.email as email_id'])
    .where('a.cluster_id', '=', clusterId)
    .where('a.access_type', '=', 'Administrator')
    .orderBy(sql`lower(p.name)`)
    .execute();
}

/** What every tenant begins with: its primary organization, and its scopes in their order. */
export interface TenantBasics {
  readonly clusterId: string;
  readonly primaryOrgId: string;
  readonly scopes: readonly { readonly scopeId: string; readonly name: string }[];
  readonly now: number;
}

/** Adds a tenant with its scopes and its primary organization, all or nothing. */
export async function insertTenant(
  db: IdentityDb,
  tenant: TenantBasics & { readonly name: string; readonly productType: ProductType },
): Promise<void> {
  const { clusterId, now } = tenant;
  await withinTransaction(db, async (trx) => {
    await trx
      .insertInto('tenant')
      .values({
        cluster_id: clusterId,
        cluster_name: tenant.name,
        product_type: tenant.productType,
        created_at: timestamp(now),
      })
      .execute();
    await insertBasics(trx, tenant);
  });
}

export async function insertBasics(
  db: QueryExecutorProvider,
  { clusterId, primaryOrgId, scopes, now }: TenantBasics,
): Promise<void> {
  await sql`insert into tenant_organization (cluster_id, org_id, is_primary)
    values (${clusterId}, ${primaryOrgId}, true)`.execute(db);
  for (const [at, { scopeId, name }] of scopes.entries()) {
    await sql`insert into scope (cluster_id, scope_id, scope_name, created_at)
      values (${clusterId}, ${scopeId}, ${name}, ${timestamp(now + at)})`.execute(db);
  }
}

export async function insertSecondaryOrganization(
  db: IdentityDb,
  clusterId: string,
  orgId: string,
): Promise<void> {
  await db
    .insertInto('tenant_organization')
    .values({ cluster_id: clusterId, org_id: orgId, is_primary: false })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateScopeStatus(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
  isEnabled: boolean,
): Promise<boolean> {
  const done = await db
    .updateTable('scope')
    .set({ is_enabled: isEnabled })
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Whether the scope exists in the tenant and is enabled. */
export async function isScopeEnabled(db: IdentityDb, clusterId: string, scopeId: string): Promise<boolean> {
  const found = await db
    .selectFrom('scope')
    .select('scope_id')
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('is_enabled', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}

export async function disableScopes(db: IdentityDb, clusterId: string): Promise<void> {
  await db.updateTable('scope').set({ is_enabled: false }).where('cluster_id', '=', clusterId).execute();
}

export async function deleteTenant(db: IdentityDb, clusterId: string): Promise<void> {
  await db.deleteFrom('tenant').where('cluster_id', '=', clusterId).execute();
}

export interface TenantOrganization {
  readonly orgId: string;
  readonly name: string;
  readonly is_primary: boolean;
}

/** The organizations of a tenant, the primary one first. */
export async function selectTenantOrganizations(
  db: IdentityDb,
  clusterId: string,
): Promise<TenantOrganization[]> {
  return db
    .selectFrom('tenant_organization as c')
    .innerJoin('organization as o', 'o.org_id', 'c.org_id')
    .select(['o.org_id as orgId', 'o.name', 'c.is_primary'])
    .where('c.cluster_id', '=', clusterId)
    .orderBy('c.is_primary', 'desc')
    .orderBy(sql`lower(o.name)`)
    .execute();
}
