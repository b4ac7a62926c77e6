import type { Locale } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

/**
 * The language of the user with this address, of whatever organization: an address has one user on the platform, and
 * the answer is for nobody but whoever reads there. Null for an address that no user has.
 */
export async function selectLocale(postgres: Postgres, address: string): Promise<Locale | null> {
  const { rows } = await sql<{ locale: Locale }>`
    select locale from person where lower(email) = lower(${address})`.execute(postgres.platform);
  return rows[0]?.locale ?? null;
}
