import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { IdentityDb } from '../users/identity-tables.ts';

// Slows down guessing without telling which accounts exist. An attempt is counted before the password is
// looked at, under a hash of what was typed, so unknown accounts are counted like known ones and parallel
// attempts cannot slip through. The tight limit is per account and address: somebody else's guessing from
// elsewhere does not lock anybody out. The loose limit per account does not hold at an address from which
// the account has signed in before.

export interface GuardLimit {
  /** Attempts that are free; the last of them already starts the first pause. */
  readonly free: number;
  /** The first pause; it doubles with every further attempt. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export const GUARD_LIMITS = {
  pair: { free: 5, firstPauseMs: 60_000, longestPauseMs: 15 * 60_000 },
  address: { free: 60, firstPauseMs: 30_000, longestPauseMs: 5 * 60_000 },
  account: { free: 100, firstPauseMs: 30_000, longestPauseMs: 60_000 },
} as const satisfies Record<string, GuardLimit>;

/** Counting starts afresh after so long without an attempt. */
const FORGET_MS = 15 * 60_000;

export interface LoginGuard {
  /** Counts an attempt; throws AppError `too-many`, with the seconds to wait, when it must not go on. */
  begin(email: string, address: string, isKnownPlace: boolean): Promise<void>;
  /** The attempt was right: it counts no longer. */
  succeed(email: string, address: string): Promise<void>;
}

const keyOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

export function createLoginGuard(db: IdentityDb, clock: Clock): LoginGuard {
  async function count(key: Buffer, limit: GuardLimit): Promise<void> {
    const now = clock.now();
    const failures = sql<number>`(case when f.window_ms < ${now - FORGET_MS} then 1 else f.failures + 1 end)`;
    const counted = await sql<{ failures: number }>`
      insert into login_failure as f (key_hash, failures, window_ms, locked_until_ms)
      values (${key}, 1, ${now}, ${limit.free <= 1 ? now + limit.firstPauseMs : 0})
      on conflict (key_hash) do update set
        failures = ${failures},
        window_ms = ${now},
        locked_until_ms = case when ${failures} < ${limit.free} then 0 else ${now} + least(
          ${limit.longestPauseMs}::float8,
          ${limit.firstPauseMs}::float8 * power(2, least(${failures} - ${limit.free}, 30)))::bigint end
      where f.locked_until_ms <= ${now}
      returning failures`.execute(db);
    if (counted.rows.length > 0) return;
    const locked = await db
      .selectFrom('login_failure')
      .select('locked_until_ms')
      .where('key_hash', '=', key)
      .executeTakeFirst();
    const seconds = Math.max(1, Math.ceil(((locked?.locked_until_ms ?? now) - now) / 1000));
    throw new AppError('too-many', `too many failed sign-ins; try again in ${seconds} s`, {
      retry_after_s: seconds,
    });
  }

  return {
    begin: async (email, address, isKnownPlace) => {
      await count(keyOf('pair', email, address), GUARD_LIMITS.pair);
      await count(keyOf('address', address), GUARD_LIMITS.address);
      if (!isKnownPlace) await count(keyOf('account', email), GUARD_LIMITS.account);
    },
    succeed: async (email, address) => {
      const stale = clock.now() - 24 * 3_600_000;
      await sql`delete from login_failure where key_hash = ${keyOf('pair', email, address)} or window_ms < ${stale}`.execute(
        db,
      );
      await sql`update login_failure set failures = greatest(failures - 1, 0), locked_until_ms = 0
        where key_hash in (${keyOf('address', address)}, ${keyOf('account', email)})`.execute(db);
    },
  };
}
