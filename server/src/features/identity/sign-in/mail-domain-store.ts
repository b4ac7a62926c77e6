import type { AuthType } from '@tyrian/contract';
import { sql } from 'kysely';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';

/** How an organization signs in, as far as the sign-in page needs it. */
export interface SignInWay {
  readonly auth_type: AuthType;
  /** With `sso` alone. */
  readonly sso_kind: 'saml' | 'oidc' | null;
}

/** The organization that the mail domain of an address belongs to; null when none has claimed it. */
export async function findMailDomain(
  db: IdentityDb,
  email: string,
): Promise<(SignInWay & { readonly orgId: string }) | null> {
  const domain = email.trim().toLowerCase().split('@').at(-1) ?? '';
  const row = await db
    .selectFrom('mail_domain as d')
    .innerJoin('organization as o', 'o.org_id', 'd.org_id')
    .select(['o.org_id as orgId', 'o.auth_type', 'o.sso_kind'])
    .where('d.domain', '=', domain)
    .executeTakeFirst();
  if (!row) return null;
  return { ...row, sso_kind: row.auth_type === 'sso' ? row.sso_kind : null };
}

/** The mail domains of an organization. */
export async function mailDomainsOf(db: IdentityDb, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('mail_domain')
    .select('domain')
    .where('org_id', '=', orgId)
    .orderBy('domain')
    .execute();
  return rows.map((row) => row.domain);
}

/**
 * Users of other organizations whose address is in a mail domain of this one: they were added before it had the domain,
 * and cannot sign in any more. The first hundred by address.
 */
export async function selectOutsiders(
  db: IdentityDb,
  orgId: string,
): Promise<{ user_id: string; email_id: string; organization: string }[]> {
  const { rows } = await sql<{ user_id: string; email_id: string; organization: string }>`
    select p.user_id, p.email as email_id, o.name as organization
    from mail_domain d join person p on split_part(lower(p.email), '@', 2) = d.domain
      and p.org_id <> d.org_id and p.user_type <> 'root'
    join organization o on o.org_id = p.org_id
    where d.org_id = ${orgId} order by lower(p.email) limit 100`.execute(db);
  return rows;
}

/** Replaces them. Throws the engine's unique violation when another organization has one. */
export async function replaceMailDomains(
  db: IdentityDb,
  orgId: string,
  domains: readonly string[],
): Promise<void> {
  await withinTransaction(db, async (trx) => {
    await trx.deleteFrom('mail_domain').where('org_id', '=', orgId).execute();
    if (domains.length > 0) {
      await trx
        .insertInto('mail_domain')
        .values([...new Set(domains)].map((domain) => ({ domain, org_id: orgId })))
        .execute();
    }
  });
}
