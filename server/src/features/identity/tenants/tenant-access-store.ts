import type { ScopeRole } from '@tyrian/contract';
import { sql } from 'kysely';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';

export interface Candidate {
  readonly user_id: string;
  readonly name: string;
  readonly email_id: string;
  readonly organization: string;
  readonly is_primary: boolean;
}

/** Enabled people of the tenant's organizations without a connection to it, by name. Root users reach it anyway. */
export async function selectCandidates(
  db: IdentityDb,
  clusterId: string,
  page: { readonly search: string; readonly limit: number; readonly offset: number },
): Promise<{ data: Candidate[]; total_count: number }> {
  const text = page.search.trim().toLowerCase();
  const { rows } = await sql<Candidate & { total: number }>`
    select p.user_id, p.name, p.email as email_id, o.name as organization, c.is_primary,
      count(*) over () as total
    from tenant_organization c join organization o using (org_id) join person p using (org_id)
    where c.cluster_id = ${clusterId} and p.status = 'enabled' and p.user_type <> 'root'
      and (strpos(lower(p.name), ${text}) > 0 or strpos(lower(p.email), ${text}) > 0)
      and not exists (select from tenant_access a
        where a.user_id = p.user_id and a.cluster_id = c.cluster_id and a.access_type <> 'No Access')
    order by lower(p.name), p.user_id limit ${page.limit} offset ${page.offset}`.execute(db);
  return { data: rows.map(({ total: _, ...row }) => row), total_count: rows[0]?.total ?? 0 };
}

/** How somebody stands to a tenant; undefined when the organization is not connected to it. */
export async function selectStanding(
  db: IdentityDb,
  clusterId: string,
  userId: string,
): Promise<{ name: string; is_primary: boolean; access_type: string | null } | undefined> {
  const { rows } = await sql<{ name: string; is_primary: boolean; access_type: string | null }>`
    select p.name, c.is_primary, a.access_type from person p
    join tenant_organization c on c.org_id = p.org_id and c.cluster_id = ${clusterId}
    left join tenant_access a on a.user_id = p.user_id and a.cluster_id = c.cluster_id
    where p.user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Enabled users with access to the tenant. */
export async function countConnected(db: IdentityDb, clusterId: string): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(*) as users from tenant_access a join person p using (user_id)
    where a.cluster_id = ${clusterId} and a.access_type <> 'No Access' and p.status = 'enabled'`.execute(db);
  return rows[0]?.users ?? 0;
}

/** Other enabled administrators of the tenant than this user. */
export async function countOtherAdministrators(
  db: IdentityDb,
  clusterId: string,
  userId: string,
): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*) as others from tenant_access a join person p using (user_id)
    where a.cluster_id = ${clusterId} and a.access_type = 'Administrator' and p.status = 'enabled'
      and a.user_id <> ${userId}`.execute(db);
  return rows[0]?.others ?? 0;
}

/** Gives a role in scopes to users who are connected; answers how many users were. */
export async function updateRoles(
  db: IdentityDb,
  clusterId: string,
  userIds: readonly string[],
  scopeIds: readonly string[],
  role: ScopeRole,
): Promise<number> {
  const users = sql`${[...userIds]}::text[]`;
  const scopes = sql`${[...scopeIds]}::text[]`;
  return withinTransaction(db, async (trx) => {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from tenant_access where cluster_id = ${clusterId} and user_id = any(${users})
      order by user_id for update`.execute(trx);
    const known = sql`${rows.map((row) => row.user_id)}::text[]`;
    await sql`delete from scope_access where cluster_id = ${clusterId}
      and user_id = any(${known}) and scope_id = any(${scopes})`.execute(trx);
    if (role !== 'No Access') {
      await sql`insert into scope_access (user_id, cluster_id, scope_id, role)
        select u, ${clusterId}, s.scope_id, ${role} from unnest(${known}) u cross join scope s
        where s.cluster_id = ${clusterId} and s.scope_id = any(${scopes})`.execute(trx);
      await sql`update tenant_access set access_type = 'Custom'
        where cluster_id = ${clusterId} and user_id = any(${known}) and access_type = 'No Access'`.execute(
        trx,
      );
    }
    return rows.length;
  });
}

export async function deleteAccess(db: IdentityDb, clusterId: string, userId: string): Promise<boolean> {
  const done = await db
    .deleteFrom('tenant_access')
    .where('cluster_id', '=', clusterId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/**
 * Connects an organization; as the primary one it replaces the one before, whose people keep their roles
 * and administer no longer. Answers how many administered.
 */
export async function upsertTenantOrganization(
  db: IdentityDb,
  clusterId: string,
  orgId: string,
  isPrimary: boolean,
): Promise<number> {
  return withinTransaction(db, async (trx) => {
    if (isPrimary) {
      await trx
        .updateTable('tenant_organization')
        .set({ is_primary: false })
        .where('cluster_id', '=', clusterId)
        .execute();
    }
    await sql`insert into tenant_organization (cluster_id, org_id, is_primary)
      values (${clusterId}, ${orgId}, ${isPrimary})
      on conflict (cluster_id, org_id) do update set is_primary = tenant_organization.is_primary or ${isPrimary}`.execute(
      trx,
    );
    if (!isPrimary) return 0;
    const { numAffectedRows } = await sql`
      update tenant_access a set access_type = case when exists (select from scope_access r
        where r.user_id = a.user_id and r.cluster_id = a.cluster_id) then 'Custom' else 'No Access' end
      from person p where p.user_id = a.user_id and a.cluster_id = ${clusterId}
        and a.access_type = 'Administrator' and p.org_id <> ${orgId}`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}

/** Takes a secondary organization off, with what its people held; null when it is not a secondary one. */
export async function deleteTenantOrganization(
  db: IdentityDb,
  clusterId: string,
  orgId: string,
): Promise<number | null> {
  return withinTransaction(db, async (trx) => {
    const done = await trx
      .deleteFrom('tenant_organization')
      .where('cluster_id', '=', clusterId)
      .where('org_id', '=', orgId)
      .where('is_primary', '=', false)
      .executeTakeFirst();
    if (done.numDeletedRows === 0n) return null;
    const { numAffectedRows } = await sql`delete from tenant_access a using person p
      where a.user_id = p.user_id and p.org_id = ${orgId} and a.cluster_id = ${clusterId}`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
