import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';

// Counts attempts in the table login_failure, for every process alike. An attempt first acquires one of the free slots
// and releases it when it is over, as a failure or not. So a burst of right passwords is no failure, and a burst of
// wrong ones never gets more than the free slots before the pause begins.

export interface GuardLimit {
  /** Attempts that are free; the last of them already starts the first pause. */
  readonly free: number;
  /** The first pause; it doubles with every further attempt. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export interface Counter {
  readonly key: Buffer;
  readonly limit: GuardLimit;
}

/** Counting starts afresh after so long without a failure. */
const FORGET_MS = 15 * 60_000;
/** A slot that was never released counts as a failure after so long: its process ended meanwhile. */
const ABANDONED_MS = 60_000;
const STALE_MS = 24 * 3_600_000;

/** Waiting for a slot: so many in one process, so often, at most so long apart. */
const MAY_WAIT = 100;
const TRIES = 80;
const LONGEST_WAIT_MS = 150;

export interface AttemptCounter {
  /**
   * Acquires a slot, waiting while others are looked at. Null, or the time (epoch milliseconds) until which the counter is
   * locked. Throws AppError `too-many` when too many wait; then `held` is given back.
   */
  reserve(counter: Counter, held?: readonly Counter[]): Promise<number | null>;
  /** The time until which the counter is locked; null when it is not. */
  lockOf(counter: Counter): Promise<number | null>;
  /** The attempts were wrong: they count, and the last free one begins a pause. */
  fail(counters: readonly Counter[]): Promise<void>;
  /** The attempt was right: what failed under `forgiven` is forgotten. */
  succeed(forgiven: Counter, counters: readonly Counter[]): Promise<void>;
  /** The attempts were not looked at. */
  release(counters: readonly Counter[]): Promise<void>;
}

interface AttemptCounterParts {
  readonly clock: Clock;
  readonly db: IdentityDb;
  waiting: number;
}

export function createAttemptCounter(db: IdentityDb, clock: Clock): AttemptCounter {
  const parts: AttemptCounterParts = { clock, db, waiting: 0 };
  return bindDeps(parts, { lockOf, release, reserve, fail, succeed });
}

/** Acquires a slot if there is one now. After a pause one attempt at a time goes on. */
async function take(parts: AttemptCounterParts, { key, limit }: Counter): Promise<boolean> {
  const now = parts.clock.now();
  const isAbandoned = sql`(f.pending_at < ${timestamp(now - ABANDONED_MS)})`;
  const pending = sql`(case when ${isAbandoned} then 0 else f.pending end)`;
  const failures = sql`((case when f.window_start < ${timestamp(now - FORGET_MS)} then 0 else f.failures end)
      + (case when ${isAbandoned} then f.pending else 0 end))`;
  const { rows } = await sql`
      insert into login_failure as f (key_hash, failures, window_start, pending, pending_at)
      values (${key}, 0, ${timestamp(now)}, 1, ${timestamp(now)})
      on conflict (key_hash) do update set failures = ${failures}, pending = ${pending} + 1, pending_at = ${timestamp(now)}
      where f.locked_until <= ${timestamp(now)} and (${pending} = 0 or ${failures} + ${pending} < ${limit.free}::int)
      returning pending`.execute(parts.db);
  return rows.length > 0;
}

async function lockOf(parts: AttemptCounterParts, { key }: Counter): Promise<number | null> {
  const row = await parts.db
    .selectFrom('login_failure')
    .select('locked_until')
    .where('key_hash', '=', key)
    .executeTakeFirst();
  return row && row.locked_until > parts.clock.now() ? row.locked_until : null;
}

async function release(parts: AttemptCounterParts, counters: readonly Counter[]): Promise<void> {
  // One row at a time: statements over several rows could wait for each other.
  for (const { key } of counters) {
    await parts.db
      .updateTable('login_failure')
      .set({ pending: sql<number>`greatest(pending - 1, 0)` })
      .where('key_hash', '=', key)
      .execute();
  }
}

async function waitFor(parts: AttemptCounterParts, counter: Counter): Promise<number | null> {
  for (let round = 0; round < TRIES; round++) {
    await sleep(Math.min(LONGEST_WAIT_MS, 20 * 2 ** round));
    if (await take(parts, counter)) return null;
    const locked = await lockOf(parts, counter);
    if (locked !== null) return locked;
  }
  throw tooManyAtOnce();
}

async function reserve(
  parts: AttemptCounterParts,
  counter: Counter,
  held: readonly Counter[] = [],
): Promise<number | null> {
  if (await take(parts, counter)) return null;
  const locked = await lockOf(parts, counter);
  if (locked !== null) return locked;
  try {
    if (parts.waiting >= MAY_WAIT) throw tooManyAtOnce();
    parts.waiting++;
    return await waitFor(parts, counter).finally(() => {
      parts.waiting--;
    });
  } catch (error) {
    if (held.length > 0) await release(parts, held);
    throw error;
  }
}

async function fail({ clock, db }: AttemptCounterParts, counters: readonly Counter[]): Promise<void> {
  const now = clock.now();
  for (const { key, limit } of counters) {
    const failures = sql<number>`((case when window_start < ${timestamp(now - FORGET_MS)} then 0 else failures end) + 1)`;
    await sql`
          update login_failure set pending = greatest(pending - 1, 0), failures = ${failures}, window_start = ${timestamp(now)},
            locked_until = case when ${failures} < ${limit.free}::int then locked_until else ${timestamp(now)} + interval '1 millisecond' * least(
              ${limit.longestPauseMs}::float8,
              ${limit.firstPauseMs}::float8 * power(2, least(${failures} - ${limit.free}::int, 30))) end
          where key_hash = ${key}`.execute(db);
  }
}

async function succeed(
  parts: AttemptCounterParts,
  { key }: Counter,
  counters: readonly Counter[],
): Promise<void> {
  await release(parts, counters);
  await sql`update login_failure set failures = 0, locked_until = 'epoch' where key_hash = ${key}`.execute(
    parts.db,
  );
  const stale = parts.clock.now() - STALE_MS;
  await sql`delete from login_failure where (key_hash = ${key} and pending = 0)
        or (window_start < ${timestamp(stale)} and pending_at < ${timestamp(stale)})`.execute(parts.db);
}

function tooManyAtOnce(): AppError {
  return new AppError('too-many', say('auth.tooManySignIns'));
}
