import type { AccessType, ScopeRole, TenantUser, UserItem, UserType } from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { agreedAt } from './agreed-at.ts';
import type { ScopePerson } from './scope-person.ts';

export interface NewUser {
  readonly userId: string;
  readonly orgId: string;
  readonly email: string;
  readonly name: string;
  readonly phone: string | null;
  readonly userType: UserType;
  readonly rootViewer: boolean;
  /** Has accepted licence agreement and privacy policy. */
  readonly hasAgreed: boolean;
  readonly passwordHash: string;
  readonly now: number;
}

export interface UserSummary extends UserItem {
  readonly user_type: UserType;
  readonly root_viewer: boolean;
  readonly status: 'enabled' | 'disabled';
  readonly organization: string;
  readonly tenants: string;
  readonly last_login_at: number | null;
}

interface Page {
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
  /** Only those who may handle cases. */
  readonly handlersOnly?: boolean;
}

/** Adds a user. Throws the engine's violation when the email is taken or the organization is missing. */
export async function insertUser(db: IdentityDb, user: NewUser): Promise<void> {
  await db
    .insertInto('person')
    .values({
      user_id: user.userId,
      org_id: user.orgId,
      email: user.email,
      name: user.name,
      phone: user.phone,
      user_type: user.userType,
      root_viewer: user.rootViewer,
      password_hash: user.passwordHash,
      password_changed_at: timestamp(user.now),
      created_at: timestamp(user.now),
      ...(user.hasAgreed ? agreedAt(user.now) : {}),
    })
    .execute();
}

export async function findUserByEmail(
  db: IdentityDb,
  email: string,
): Promise<{ user_id: string; name: string; org_id: string; organization: string } | undefined> {
  return db
    .selectFrom('person as p')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .select(['p.user_id', 'p.name', 'p.org_id', 'o.name as organization'])
    .where(sql`lower(p.email)`, '=', email.trim().toLowerCase())
    .executeTakeFirst();
}

export async function findOrganizationName(db: IdentityDb, orgId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .select('name')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row?.name;
}

/** The name of another organization that the mail domain of an address belongs to. */
export async function findForeignDomain(
  db: IdentityDb,
  email: string,
  orgId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mail_domain as d')
    .innerJoin('organization as o', 'o.org_id', 'd.org_id')
    .select('o.name')
    .where('d.domain', '=', email.toLowerCase().split('@').at(-1) ?? '')
    .where('d.org_id', '!=', orgId)
    .executeTakeFirst();
  return row?.name;
}

/** Replaces the access of a user to a tenant; roles of scopes that are not named are taken away. */
export async function replaceAccess(
  db: IdentityDb,
  access: {
    readonly userId: string;
    readonly clusterId: string;
    readonly accessType: AccessType;
    readonly roles: Readonly<Record<string, ScopeRole>>;
  },
): Promise<void> {
  const { userId, clusterId } = access;
  await withinTransaction(db, async (trx) => {
    await trx
      .deleteFrom('tenant_access')
      .where('user_id', '=', userId)
      .where('cluster_id', '=', clusterId)
      .execute();
    await trx
      .insertInto('tenant_access')
      .values({ user_id: userId, cluster_id: clusterId, access_type: access.accessType })
      .execute();
    for (const [scopeId, role] of Object.entries(access.roles)) {
      if (role === 'No Access') continue;
      await trx
        .insertInto('scope_access')
        .values({ user_id: userId, cluster_id: clusterId, scope_id: scopeId, role })
        .execute();
    }
  });
}

/** Whether the user's organization is connected to the tenant. */
export async function mayBeConnected(db: IdentityDb, userId: string, clusterId: string): Promise<boolean> {
  const found = await db
    .selectFrom('person as p')
    .innerJoin('tenant_organization as t', 't.org_id', 'p.org_id')
    .select('p.user_id')
    .where('p.user_id', '=', userId)
    .where('t.cluster_id', '=', clusterId)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Switches an account on or off; off ends its sessions. The last root administrator cannot be switched off:
 * false says so, or that there is no such user.
 */
export async function updateStatus(
  db: IdentityDb,
  userId: string,
  status: 'enabled' | 'disabled',
): Promise<boolean> {
  return withinTransaction(db, async (trx) => {
    // Two roots that switch each other off at the same moment must not both succeed.
    await trx.selectFrom('person').select('user_id').where('user_type', '=', 'root').forUpdate().execute();
    const { rows } = await sql`
      update person p set status = ${status}
      where user_id = ${userId} and (${status} = 'enabled' or user_type <> 'root' or root_viewer or exists (
        select from person o where o.user_id <> p.user_id and o.user_type = 'root' and not o.root_viewer
          and o.status = 'enabled'))
      returning user_id`.execute(trx);
    if (rows.length > 0 && status === 'disabled') {
      await trx.deleteFrom('session').where('user_id', '=', userId).execute();
    }
    return rows.length > 0;
  });
}

export async function deleteUser(db: IdentityDb, userId: string): Promise<boolean> {
  const done = await db.deleteFrom('person').where('user_id', '=', userId).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Everybody, for the command line. */
export async function selectUsers(db: IdentityDb): Promise<UserSummary[]> {
  const { rows } = await sql<UserSummary>`
    select p.user_id, p.name, p.email as email_id, p.user_type, p.root_viewer, p.status, p.last_login_at,
      o.name as organization,
      coalesce((select string_agg(t.cluster_name, ', ' order by t.cluster_name) from tenant_access a
        join tenant t on t.cluster_id = a.cluster_id
        where a.user_id = p.user_id and a.access_type <> 'No Access'), '') as tenants
    from person p join organization o on o.org_id = p.org_id
    order by o.name, lower(p.email)`.execute(db);
  return rows;
}

const matching = (search: string) => {
  const text = search.trim().toLowerCase();
  return sql<boolean>`(strpos(lower(p.name), ${text}) > 0 or strpos(lower(p.email), ${text}) > 0)`;
};

/** Enabled users with a role in the scope, by name. */
export async function selectScopeUsers(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
  page: Page,
): Promise<{ data: UserItem[]; total_count: number }> {
  const query = db
    .selectFrom('scope_access as s')
    .innerJoin('tenant_access as a', (join) =>
      join.onRef('a.user_id', '=', 's.user_id').onRef('a.cluster_id', '=', 's.cluster_id'),
    )
    .innerJoin('person as p', 'p.user_id', 's.user_id')
    .where('s.cluster_id', '=', clusterId)
    .where('s.scope_id', '=', scopeId)
    .where('a.access_type', '!=', 'No Access')
    .where('p.status', '=', 'enabled')
    .where(matching(page.search))
    .$if(page.handlersOnly === true, (some) =>
      some.where('s.role', 'in', ['Security Analyst', 'Security Engineer']),
    );
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const data = await query
    .select(['p.user_id', 'p.name', 'p.email as email_id'])
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.user_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { data, total_count: total };
}

/** Everybody enabled who has a role in an enabled scope or administers its tenant. */
export async function selectScopePeople(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
): Promise<ScopePerson[]> {
  const { rows } = await sql<ScopePerson>`
    select p.user_id, p.name, p.email as email_id, p.locale, r.role, a.access_type = 'Administrator' as is_tenant_admin
    from tenant_access a
    join scope s on s.cluster_id = a.cluster_id and s.scope_id = ${scopeId} and s.is_enabled
    join person p on p.user_id = a.user_id and p.status = 'enabled'
    join organization o on o.org_id = p.org_id and o.status = 'enabled'
    left join scope_access r on r.user_id = a.user_id and r.cluster_id = a.cluster_id and r.scope_id = s.scope_id
    where a.cluster_id = ${clusterId} and a.access_type <> 'No Access'
      and (r.role is not null or a.access_type = 'Administrator')
    order by lower(p.name), p.user_id`.execute(db);
  return rows;
}

/** An enabled user who holds one of the roles in the scope. */
export async function findScopeUser(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
  userId: string,
  roles: readonly ('Viewer' | 'Security Analyst' | 'Security Engineer')[],
): Promise<UserItem | undefined> {
  return db
    .selectFrom('scope_access as s')
    .innerJoin('tenant_access as a', (join) =>
      join.onRef('a.user_id', '=', 's.user_id').onRef('a.cluster_id', '=', 's.cluster_id'),
    )
    .innerJoin('person as p', 'p.user_id', 's.user_id')
    .select(['p.user_id', 'p.name', 'p.email as email_id'])
    .where('s.cluster_id', '=', clusterId)
    .where('s.scope_id', '=', scopeId)
    .where('s.user_id', '=', userId)
    .where('s.role', 'in', roles)
    .where('a.access_type', '!=', 'No Access')
    .where('p.status', '=', 'enabled')
    .executeTakeFirst();
}

/** The users connected to a tenant, with their access to all its scopes. */
export async function selectTenantUsers(
  db: IdentityDb,
  clusterId: string,
  page: Page,
): Promise<{ data: TenantUser[]; total_count: number }> {
  const query = db
    .selectFrom('tenant_access as a')
    .innerJoin('person as p', 'p.user_id', 'a.user_id')
    .where('a.cluster_id', '=', clusterId)
    .where(matching(page.search));
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const data = await query
    .select(['p.user_id', 'p.name', 'p.email as email_id', 'p.status', 'p.user_type', 'a.access_type'])
    .select('p.last_login_at as last_login')
    .select(
      sql<TenantUser['scope_access']>`coalesce((
        select json_agg(json_build_object('scope_id', s.scope_id, 'scope_name', s.scope_name,
          'role', coalesce(r.role, 'No Access'), 'is_enabled', s.is_enabled, 'cluster_id', s.cluster_id)
          order by s.created_at, s.scope_id)
        from scope s left join scope_access r
          on r.cluster_id = s.cluster_id and r.scope_id = s.scope_id and r.user_id = p.user_id
        where s.cluster_id = ${clusterId}), '[]'::json)`.as('scope_access'),
    )
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.user_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { data, total_count: total };
}
