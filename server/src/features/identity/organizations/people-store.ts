import {
  type OutputOf,
  type PersonItem,
  type platformSearch,
  type readOrganization,
  say,
  type UserType,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';

const PERSON = sql`p.user_id, p.name, p.email as email_id, p.phone, p.user_type, p.root_viewer,
  p.org_id as "orgId", o.name as organization, p.status,
  case when p.mfa_enabled then 'enabled' else 'disabled' end as mfa_flag,
  p.created_at as created, p.last_login_at as last_login,
  (select count(*) from tenant_access a where a.user_id = p.user_id
    and a.access_type <> 'No Access') as tenant_count`;

/** The people of an organization by name. */
export async function selectPeople(
  db: IdentityDb,
  orgId: string,
  page: { readonly search: string; readonly limit: number; readonly offset: number },
): Promise<{ data: PersonItem[]; total_count: number }> {
  const text = page.search.trim().toLowerCase();
  const { rows } = await sql<PersonItem & { total: number }>`
    select ${PERSON}, count(*) over () as total from person p join organization o using (org_id)
    where p.org_id = ${orgId} and (strpos(lower(p.name), ${text}) > 0 or strpos(lower(p.email), ${text}) > 0)
    order by lower(p.name), p.user_id limit ${page.limit} offset ${page.offset}`.execute(db);
  return { data: rows.map(({ total: _, ...row }) => row), total_count: rows[0]?.total ?? 0 };
}

export async function findPerson(db: IdentityDb, userId: string): Promise<PersonItem | undefined> {
  const { rows } = await sql<PersonItem>`
    select ${PERSON} from person p join organization o using (org_id) where p.user_id = ${userId}`.execute(
    db,
  );
  return rows[0];
}

/** The tenants that an organization is connected to, with how many of its people have access. */
export async function selectOrganizationTenants(
  db: IdentityDb,
  orgId: string,
): Promise<OutputOf<typeof readOrganization>['tenants']> {
  const { rows } = await sql<OutputOf<typeof readOrganization>['tenants'][number]>`
    select t.cluster_id as "clusterId", t.cluster_name as "clusterName", c.is_primary,
      (select count(*) from tenant_access a join person p using (user_id)
        where a.cluster_id = t.cluster_id and p.org_id = c.org_id and a.access_type <> 'No Access') as user_count
    from tenant_organization c join tenant t using (cluster_id) where c.org_id = ${orgId}
    order by lower(t.cluster_name)`.execute(db);
  return rows;
}

/** Renames or switches an organization; off ends the sessions of its people. */
export async function updateOrganization(
  db: IdentityDb,
  orgId: string,
  change: { readonly name?: string | undefined; readonly status?: 'enabled' | 'disabled' | undefined },
): Promise<void> {
  await withinTransaction(db, async (trx) => {
    const set = {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.status === undefined ? {} : { status: change.status }),
    };
    if (Object.keys(set).length > 0) {
      await trx.updateTable('organization').set(set).where('org_id', '=', orgId).execute();
    }
    if (change.status === 'disabled') {
      await sql`delete from session s using person p where p.user_id = s.user_id and p.org_id = ${orgId}`.execute(
        trx,
      );
    }
  });
}

interface PersonFields {
  readonly name?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly user_type?: UserType | undefined;
  readonly root_viewer?: boolean | undefined;
}

/** Changes fields of a person. Throws AppError `conflict` when no root administrator would be left. */
export async function updatePerson(db: IdentityDb, userId: string, fields: PersonFields): Promise<void> {
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (Object.keys(set).length === 0) return;
  await withinTransaction(db, async (trx) => {
    // Two roots that take each other's type away at the same moment must not both succeed.
    await trx.selectFrom('person').select('user_id').where('user_type', '=', 'root').forUpdate().execute();
    const type = fields.user_type;
    await trx
      .updateTable('person')
      .set({ ...set, ...(type !== undefined && type !== 'root' ? { root_viewer: false } : {}) })
      .where('user_id', '=', userId)
      .execute();
    const { rows } = await sql`select from person
      where user_type = 'root' and not root_viewer and status = 'enabled' limit 1`.execute(trx);
    if (rows.length === 0) throw new AppError('conflict', say('organizations.lastRoot'));
  });
}

/** Those that begin with what is looked for come first, then those of which a word does. */
const rank = (name: string, text: string) => {
  const column = sql.ref(name);
  return sql`case when starts_with(lower(${column}), ${text}) then 0
    when strpos(' ' || lower(${column}), ' ' || ${text}) > 0 then 1 else 2 end, lower(${column})`;
};

/** Organizations whose name holds the text; only the one of `within` when it is given. */
export async function searchOrganizations(
  db: IdentityDb,
  within: string | null,
  query: string,
  limit: number,
): Promise<{ orgId: string; name: string }[]> {
  const text = query.trim().toLowerCase();
  const { rows } = await sql<{ orgId: string; name: string }>`
    select o.org_id as "orgId", o.name from organization o
    where strpos(lower(o.name), ${text}) > 0 and (${within}::text is null or o.org_id = ${within})
    order by ${rank('o.name', text)}, o.org_id limit ${limit}`.execute(db);
  return rows;
}

/** People whose name or address holds the text; only those of the organization `within` when it is given. */
export async function searchPeople(
  db: IdentityDb,
  within: string | null,
  query: string,
  limit: number,
): Promise<OutputOf<typeof platformSearch>['people']> {
  const text = query.trim().toLowerCase();
  const { rows } = await sql<OutputOf<typeof platformSearch>['people'][number]>`
    select p.user_id, p.name, p.email as email_id, p.org_id as "orgId", o.name as organization
    from person p join organization o using (org_id)
    where (strpos(lower(p.name), ${text}) > 0 or strpos(lower(p.email), ${text}) > 0)
      and (${within}::text is null or p.org_id = ${within})
    order by ${rank('p.name', text)}, p.user_id limit ${limit}`.execute(db);
  return rows;
}
