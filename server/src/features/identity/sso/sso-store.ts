import { createHash } from 'node:crypto';
import type { OidcProvider, SamlProvider, SsoKind } from '@tyrian/contract';
import { type Kysely, sql } from 'kysely';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { type Row, type Timestamp, timestamp, withTimestamps } from '../../../platform/postgres/timestamp.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';

// The tables of db/postgres/0004_sso.sql. What is taken is deleted by the statement that reads it, so that of two
// who come with the same answer one gets nothing.

interface SsoRequestTable {
  request_id: string;
  org_id: string;
  kind: SsoKind;
  browser_hash: Buffer;
  sealed_state: string | null;
  expires_at: Timestamp;
}

type SsoRequestRow = Row<SsoRequestTable>;

// A type, not an interface: Kysely asks for an index signature.
type SsoTables = {
  organization: { org_id: string; name: string; sso_kind: SsoKind | null; auth_type: string; status: string };
  mail_domain: { domain: string; org_id: string };
  person: { user_id: string; org_id: string; email: string; user_type: string };
  session: { session_id: string; user_id: string; method: string };
  sso_provider: {
    org_id: string;
    kind: SsoKind;
    settings: Record<string, unknown>;
    sealed_secret: string | null;
    changed_at: Timestamp;
  };
  sso_signing_key: { only_one: boolean; sealed_key: string; certificate: string; created_at: Timestamp };
  sso_request: SsoRequestTable;
  sso_ticket: {
    token_hash: Buffer;
    user_id: string;
    kind: SsoKind;
    browser_hash: Buffer;
    expires_at: Timestamp;
  };
  sso_subject: {
    user_id: string;
    org_id: string;
    kind: SsoKind;
    name_id: string;
    name_format: string | null;
    session_index: string | null;
    seen_at: Timestamp;
  };
};
export type SsoDb = Kysely<SsoTables>;

export function ssoDb(postgres: Postgres): SsoDb {
  return postgres.platform.withTables<SsoTables>() as unknown as SsoDb;
}

/** What tables keep of a token or a cookie. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export type Provider =
  | { readonly orgId: string; readonly kind: 'saml'; readonly saml: SamlProvider }
  | {
      readonly orgId: string;
      readonly kind: 'oidc';
      readonly oidc: OidcProvider;
      readonly clientSecret: string | null;
    };

const secretOf = (orgId: string) => `sso client of ${orgId}`;

/** The identity provider of an organization; null when there is none. */
export async function readProvider(db: SsoDb, secrets: SecretBox, orgId: string): Promise<Provider | null> {
  const row = await db.selectFrom('sso_provider').selectAll().where('org_id', '=', orgId).executeTakeFirst();
  if (!row) return null;
  if (row.kind === 'saml') {
    return { orgId, kind: 'saml', saml: row.settings as unknown as SamlProvider };
  }
  const clientSecret = row.sealed_secret === null ? null : secrets.open(row.sealed_secret, secretOf(orgId));
  return { orgId, kind: 'oidc', oidc: row.settings as unknown as OidcProvider, clientSecret };
}

/** Sets or, with null, takes away the provider; the sign-in page learns of it in the same transaction. */
export async function saveProvider(
  db: SsoDb,
  secrets: SecretBox,
  orgId: string,
  provider: Provider | null,
  now: number,
): Promise<void> {
  await withinTransaction(db, async (trx) => {
    await trx.deleteFrom('sso_provider').where('org_id', '=', orgId).execute();
    await trx.deleteFrom('sso_request').where('org_id', '=', orgId).execute();
    await trx
      .updateTable('organization')
      .set({ sso_kind: provider?.kind ?? null })
      .where('org_id', '=', orgId)
      .execute();
    if (!provider) return;
    const isOidc = provider.kind === 'oidc';
    await trx
      .insertInto('sso_provider')
      .values({
        org_id: orgId,
        kind: provider.kind,
        settings: { ...(isOidc ? provider.oidc : provider.saml) },
        sealed_secret:
          isOidc && provider.clientSecret !== null
            ? secrets.seal(provider.clientSecret, secretOf(orgId))
            : null,
        changed_at: timestamp(now),
      })
      .execute();
  });
}

export async function addRequest(db: SsoDb, row: SsoRequestRow, now: number): Promise<void> {
  await db.deleteFrom('sso_request').where('expires_at', '<', timestamp(now)).execute();
  await db.insertInto('sso_request').values(withTimestamps(row, 'expires_at')).execute();
}

export async function hasRequest(db: SsoDb, id: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('sso_request')
    .select('request_id')
    .where('request_id', '=', id)
    .where('expires_at', '>', timestamp(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a sign-in under way up; null when there is none, or no more, or for another organization. */
export async function takeRequest(
  db: SsoDb,
  wanted: { readonly id: string; readonly orgId: string; readonly kind: SsoKind },
  now: number,
): Promise<SsoRequestRow | null> {
  const row = await db
    .deleteFrom('sso_request')
    .where('request_id', '=', wanted.id)
    .where('org_id', '=', wanted.orgId)
    .where('kind', '=', wanted.kind)
    .where('expires_at', '>', timestamp(now))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function addTicket(db: SsoDb, ticket: Row<SsoTables['sso_ticket']>, now: number): Promise<void> {
  await db.deleteFrom('sso_ticket').where('expires_at', '<', timestamp(now)).execute();
  await db.insertInto('sso_ticket').values(withTimestamps(ticket, 'expires_at')).execute();
}

/** Uses a ticket up, whoever comes with it; null when there is none or it has expired. */
export async function takeTicket(
  db: SsoDb,
  token: string,
  now: number,
): Promise<SsoTables['sso_ticket'] | null> {
  const row = await db
    .deleteFrom('sso_ticket')
    .where('token_hash', '=', hashOf(token))
    .returningAll()
    .executeTakeFirst();
  return row && row.expires_at > now ? row : null;
}

/** The organization of a user, for the trail; undefined when there is none. */
export async function organizationOf(db: SsoDb, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('person').select('org_id').where('user_id', '=', userId).executeTakeFirst();
  return row?.org_id;
}

/** The organization whose people sign in by single sign-on with addresses of this mail domain. */
export async function findOrganizationOf(db: SsoDb, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('mail_domain as d')
    .innerJoin('organization as o', 'o.org_id', 'd.org_id')
    .select('o.org_id')
    .where('d.domain', '=', email.trim().toLowerCase().split('@').at(-1) ?? '')
    .where('o.auth_type', '=', 'sso')
    .where('o.status', '=', 'enabled')
    .executeTakeFirst();
  return row?.org_id ?? null;
}

/** The user of the organization with this address. Root never comes through the provider of an organization. */
export async function findMember(db: SsoDb, orgId: string, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('person')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_type', '<>', 'root')
    .where(sql`lower(email)`, '=', email.trim().toLowerCase())
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function saveSubject(db: SsoDb, subject: Row<SsoTables['sso_subject']>): Promise<void> {
  const stored = withTimestamps(subject, 'seen_at');
  const { user_id: _key, ...change } = stored;
  await db
    .insertInto('sso_subject')
    .values(stored)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

export async function readSubject(db: SsoDb, userId: string): Promise<SsoTables['sso_subject'] | null> {
  const row = await db.selectFrom('sso_subject').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ?? null;
}

/** Ends the sessions that somebody, named as the provider does, has opened by SAML; answers how many. */
export async function endSessionsOf(db: SsoDb, orgId: string, nameId: string): Promise<number> {
  const ended = await db
    .deleteFrom('session')
    .where('method', '=', 'saml')
    .where('user_id', 'in', (query) =>
      query
        .selectFrom('sso_subject')
        .select('user_id')
        .where('org_id', '=', orgId)
        .where('name_id', '=', nameId),
    )
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}
