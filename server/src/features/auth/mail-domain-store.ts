import type { AuthType } from '@tyrian/contract';
import { withinTransaction } from '../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../users/identity-tables.ts';

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
