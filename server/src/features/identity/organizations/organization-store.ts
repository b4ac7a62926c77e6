import type { OrganizationItem } from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';

/** Adds an organization. Throws the engine's unique violation when the name is taken. */
export async function insertOrganization(
  db: IdentityDb,
  row: { readonly orgId: string; readonly name: string; readonly now: number },
): Promise<void> {
  await db
    .insertInto('organization')
    .values({ org_id: row.orgId, name: row.name, created_at: timestamp(row.now) })
    .execute();
}

/** Organizations by name; only the one of `orgId` when it is given. */
export async function selectOrganizations(
  db: IdentityDb,
  wanted: {
    readonly orgId: string | null;
    readonly search: string;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<{ data: OrganizationItem[]; total_count: number }> {
  let query = db
    .selectFrom('organization as o')
    .where(sql<boolean>`strpos(lower(o.name), ${wanted.search.trim().toLowerCase()}) > 0`);
  if (wanted.orgId !== null) query = query.where('o.org_id', '=', wanted.orgId);
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll('o')
    .select(sql<number>`(select count(*) from person p where p.org_id = o.org_id)`.as('users'))
    .select(sql<number>`(select count(*) from tenant_organization t where t.org_id = o.org_id)`.as('tenants'))
    .orderBy(sql`lower(o.name)`)
    .limit(wanted.limit)
    .offset(wanted.offset)
    .execute();
  return {
    total_count: total,
    data: rows.map((row) => ({
      orgId: row.org_id,
      name: row.name,
      auth_type: row.auth_type,
      session_timeout_min: row.session_timeout_min,
      status: row.status,
      user_count: row.users,
      tenant_count: row.tenants,
      created: row.created_at,
    })),
  };
}

export async function deleteOrganization(db: IdentityDb, orgId: string): Promise<boolean> {
  const done = await db.deleteFrom('organization').where('org_id', '=', orgId).executeTakeFirst();
  return done.numDeletedRows > 0n;
}
