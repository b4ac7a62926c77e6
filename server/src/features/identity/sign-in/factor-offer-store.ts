import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';

// What is offered and not yet confirmed: one of a kind for each user, for a quarter of an hour.

export const OFFER_MS = 15 * 60_000;

/** Keeps an offer; an earlier one of the kind is void. */
export async function keepOffer(
  db: IdentityDb,
  userId: string,
  kind: 'totp' | 'passkey',
  sealedValue: string,
  expires: number,
): Promise<void> {
  const change = { sealed_value: sealedValue, expires_at: timestamp(expires) };
  await db
    .insertInto('factor_offer')
    .values({ user_id: userId, kind, ...change })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(change))
    .execute();
}

/** The value of an offer that is still good. */
export async function findOffer(
  db: IdentityDb,
  userId: string,
  kind: 'totp' | 'passkey',
  now: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('factor_offer')
    .select('sealed_value')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('expires_at', '>', timestamp(now))
    .executeTakeFirst();
  return row?.sealed_value ?? null;
}

/** Uses an offer up: its value, or null when it is no longer good or somebody else used it. */
export async function takeOffer(
  db: IdentityDb,
  userId: string,
  kind: 'totp' | 'passkey',
  now: number,
): Promise<string | null> {
  const row = await db
    .deleteFrom('factor_offer')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning(['sealed_value', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > now ? row.sealed_value : null;
}
