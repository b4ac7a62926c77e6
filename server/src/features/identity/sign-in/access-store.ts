import { createHash } from 'node:crypto';
import {
  type AccessEntry,
  AGREEMENT_VERSIONS,
  type AuthType,
  type Locale,
  type OtpMethod,
  type UserAccess,
  type UserType,
} from '@tyrian/contract';
import { sql } from 'kysely';
import type { IdentityDb } from '../identity-tables.ts';

// Reads who somebody is and what they may reach, always from the database: a right that is taken away is
// gone with the next call.

/** What the session table keeps of a session id. */
export function hashSsid(ssid: string): Buffer {
  return createHash('sha256').update(ssid).digest();
}

/** A session with its person, as far as it matters to whether it is still good. */
export interface SessionRow {
  readonly userId: string;
  readonly createdMs: number;
  readonly lastSeenMs: number;
  readonly expiresMs: number;
  readonly idleMs: number;
  readonly enabled: boolean;
  /** Of everybody's access, when the session was read. */
  readonly accessVersion: number;
}

export interface PersonRow {
  readonly userId: string;
  readonly passwordHash: string;
  /** May sign in: user and organization are enabled, and the address is no other organization's. */
  readonly enabled: boolean;
  readonly orgId: string;
  readonly orgName: string;
  readonly name: string;
  readonly email: string;
  readonly locale: Locale;
  readonly authType: AuthType;
  readonly otpMethods: readonly OtpMethod[];
  /** The organization asks for a second factor after every way to sign in. */
  readonly secondFactorAlways: boolean;
}

interface EntryRow {
  cluster_id: string;
  cluster_name: string;
  product_type: AccessEntry['productType'];
  license_type: AccessEntry['licenseType'];
  access_type: AccessEntry['access_type'];
  scopes: AccessEntry['scope_access'];
}

/**
 * The tenants of a user with the scopes that the user may know of: an administrator and root know them all,
 * others only enabled ones in which they hold a role. Root sees every tenant, with No Access where no more
 * was given.
 */
async function entriesOf(db: IdentityDb, userId: string, isRoot: boolean): Promise<AccessEntry[]> {
  const { rows } = await sql<EntryRow>`
    select t.cluster_id, t.cluster_name, t.product_type, t.license_type,
      coalesce(a.access_type, 'No Access') as access_type,
      coalesce((
        select json_agg(json_build_object('scope_id', s.scope_id, 'scope_name', s.scope_name,
          'role', case when a.access_type = 'No Access' then 'No Access' else coalesce(r.role, 'No Access') end,
          'is_enabled', s.is_enabled, 'cluster_id', s.cluster_id) order by s.created_at, s.scope_id)
        from scope s left join scope_access r
          on r.cluster_id = s.cluster_id and r.scope_id = s.scope_id and r.user_id = ${userId}
        where s.cluster_id = t.cluster_id and (${isRoot} or a.access_type = 'Administrator'
          or (s.is_enabled and r.role is not null and a.access_type = 'Custom'))
      ), '[]'::json) as scopes
    from tenant t left join tenant_access a on a.cluster_id = t.cluster_id and a.user_id = ${userId}
    where ${isRoot} or a.access_type is not null
    order by lower(t.cluster_name), t.cluster_id`.execute(db);
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    access_type: row.access_type,
    licenseType: row.license_type,
    productType: row.product_type,
    scope_access: row.scopes,
  }));
}

/** The access record of a user; null when there is none. */
export async function readAccess(db: IdentityDb, userId: string, ssid: string): Promise<UserAccess | null> {
  const person = await db
    .selectFrom('person')
    .select(['user_id', 'org_id', 'email', 'name', 'user_type', 'root_viewer', 'mfa_enabled', 'locale'])
    .select(['eula_version', 'policy_version'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!person) return null;
  const isRoot = person.user_type === 'root';
  const access = await entriesOf(db, userId, isRoot);
  return {
    user_id: person.user_id,
    name: person.name,
    email_id: person.email,
    SSID: ssid,
    isRoot,
    isRootViewer: person.root_viewer,
    isOrgAdmin: person.user_type === 'org_admin',
    isAdmin: access.some((entry) => entry.access_type === 'Administrator'),
    userType: person.user_type,
    orgId: person.org_id,
    EULA: person.eula_version >= AGREEMENT_VERSIONS.eula,
    isPolicyAccepted: person.policy_version >= AGREEMENT_VERSIONS.policy,
    mfa_flag: person.mfa_enabled ? 'enabled' : 'disabled',
    locale: person.locale,
    access,
  };
}

/** The session behind a session id, whether or not it is still good. */
export async function readSession(db: IdentityDb, ssid: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.user_id', 's.user_id')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .select(['s.user_id', 's.created_at', 's.last_seen_at', 's.expires_at'])
    .select(['p.status', 'o.status as org_status', 'o.session_timeout_min', 'o.session_max_min'])
    .select((query) => query.selectFrom('access_version').select('version').as('access_version'))
    .where('s.ssid_hash', '=', hashSsid(ssid))
    .executeTakeFirst();
  if (!row) return null;
  return {
    userId: row.user_id,
    createdMs: row.created_at,
    lastSeenMs: row.last_seen_at,
    // A limit that was lowered later binds sessions that were open already.
    expiresMs: Math.min(row.expires_at, row.created_at + row.session_max_min * 60_000),
    idleMs: row.session_timeout_min * 60_000,
    enabled: row.status === 'enabled' && row.org_status === 'enabled',
    accessVersion: row.access_version ?? 0,
  };
}

/**
 * Whether the mail domain of the user's address belongs to another organization: then the address signs in only as that
 * one says. Root is exempt, or giving a domain away could lock root out.
 */
const isOfOtherDomain = sql<boolean>`(p.user_type <> 'root' and exists (select from mail_domain d
  where d.domain = split_part(lower(p.email), '@', 2) and d.org_id <> p.org_id))`.as('of_other_domain');

/** Columns that tell who tries to sign in and how the organization wants it. */
const ACCOUNT_COLUMNS = [
  'p.user_id',
  'p.password_hash',
  'p.status',
  'p.org_id',
  'p.name',
  'p.email',
  'p.locale',
  'p.user_type',
  'o.name as org_name',
  'o.status as org_status',
  'o.auth_type',
  'o.otp_methods',
  'o.second_factor_always',
] as const;

/** The account that an email address signs in to, and whether it has signed in from `address` before. */
export async function readAccount(
  db: IdentityDb,
  email: string,
  address: string,
): Promise<{ person: PersonRow | null; isKnownAddress: boolean }> {
  const row = await db
    .selectFrom('person as p')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .leftJoin('login_address as l', (join) =>
      join.onRef('l.user_id', '=', 'p.user_id').on('l.source_address', '=', address),
    )
    .select(ACCOUNT_COLUMNS)
    .select(['l.last_login_at', isOfOtherDomain])
    .where(sql`lower(p.email)`, '=', email)
    .executeTakeFirst();
  if (!row || row.of_other_domain) return { person: null, isKnownAddress: false };
  return { person: personOf(row), isKnownAddress: row.last_login_at !== null };
}

/** The account of a user id; null when there is none. */
export async function readPerson(db: IdentityDb, userId: string): Promise<PersonRow | null> {
  const row = await db
    .selectFrom('person as p')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .select([...ACCOUNT_COLUMNS, isOfOtherDomain])
    .where('p.user_id', '=', userId)
    .executeTakeFirst();
  return row ? personOf(row) : null;
}

/** Whoever runs the directory of an organization must not become root by it: root's password is kept here. */
function withOwnPassword(authType: AuthType): AuthType {
  return authType === 'sso' || authType === 'ldap' ? 'standard' : authType;
}

function personOf(row: {
  user_id: string;
  password_hash: string;
  status: string;
  org_id: string;
  name: string;
  email: string;
  locale: Locale;
  org_name: string;
  org_status: string;
  auth_type: AuthType;
  user_type: UserType;
  otp_methods: OtpMethod[];
  second_factor_always: boolean;
  of_other_domain: boolean;
}): PersonRow {
  return {
    userId: row.user_id,
    passwordHash: row.password_hash,
    enabled: row.status === 'enabled' && row.org_status === 'enabled' && !row.of_other_domain,
    orgId: row.org_id,
    orgName: row.org_name,
    name: row.name,
    email: row.email,
    locale: row.locale,
    authType: row.user_type === 'root' ? withOwnPassword(row.auth_type) : row.auth_type,
    otpMethods: row.otp_methods,
    secondFactorAlways: row.second_factor_always,
  };
}

/** Whether the user has signed in from this address before. */
export async function isKnownAddress(db: IdentityDb, userId: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('login_address')
    .select('last_login_at')
    .where('user_id', '=', userId)
    .where('source_address', '=', address)
    .executeTakeFirst();
  return row !== undefined;
}
