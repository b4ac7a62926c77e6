import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { networkOf } from '../../../platform/http/trusted-proxies.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { type Counter, createAttemptCounter, type GuardLimit } from './attempt-counter.ts';

// Slows down guessing without telling which accounts exist. An attempt is reserved before the password is looked at,
// under a hash of what was typed, so unknown accounts are counted like known ones and parallel attempts cannot slip
// through. The tight limit is per account and address: somebody else's guessing from elsewhere does not lock anybody
// out. The loose limits per address and per account do not hold for a right password at an address from which the
// account has signed in before; a wrong one gets the answer that everybody gets, so that nobody learns who is at home.

export const GUARD_LIMITS = {
  pair: { free: 5, firstPauseMs: 60_000, longestPauseMs: 15 * 60_000 },
  address: { free: 60, firstPauseMs: 30_000, longestPauseMs: 5 * 60_000 },
  account: { free: 100, firstPauseMs: 30_000, longestPauseMs: 60_000 },
} as const satisfies Record<string, GuardLimit>;

/** An answer that a lock gives takes so long in real time, whether or not a password was looked at before it. */
const LOCKED_ANSWER_MS = 250;

export interface Attempt {
  /** What was typed, or what else is guessed at. */
  readonly account: string;
  readonly address: string;
  /** Whether the account has signed in from this address before. */
  readonly isKnownAddress: boolean;
}

export interface LoginGuard {
  /**
   * Counts an attempt while `check` looks at it; null from `check` means wrong. Throws AppError `too-many`, with the
   * seconds to wait, when it must not be looked at. `onFailed` writes down what was wrong or locked, before the answer.
   * `lock` is what to answer a wrong attempt with instead of the caller's own words. An attempt that was not looked at
   * (`too-many` from `check`) is not counted.
   */
  attempt<T>(
    attempt: Attempt,
    check: () => Promise<T | null>,
    onFailed: () => Promise<void>,
  ): Promise<{ readonly proved: T | null; readonly lock: AppError | null }>;
}

const keyOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

/**
 * Whether the password was never looked at, because too many wait for that. A directory that answers with an error may
 * have looked at it: that counts.
 */
const wasNotLookedAt = (error: unknown) => error instanceof AppError && error.kind === 'too-many';

/** Waits until an answer that began at `startedMs` has taken as long as every locked answer takes. */
async function takeTime(startedMs: number): Promise<void> {
  const left = LOCKED_ANSWER_MS - (performance.now() - startedMs);
  if (left > 0) await sleep(left);
}

interface LoginGuardParts {
  readonly clock: Clock;
  readonly counter: ReturnType<typeof createAttemptCounter>;
}

export function createLoginGuard(db: IdentityDb, clock: Clock): LoginGuard {
  const counter = createAttemptCounter(db, clock);
  const parts: LoginGuardParts = { clock, counter };
  return { attempt: (asked, check, onFailed) => attempt(parts, asked, check, onFailed) };
}

function lockError(parts: LoginGuardParts, untilMs: number): AppError {
  const seconds = Math.max(1, Math.ceil((untilMs - parts.clock.now()) / 1000));
  return new AppError('too-many', say('auth.tooManyFailures', { seconds }), {
    retry_after_s: seconds,
  });
}

async function attempt<T>(
  parts: LoginGuardParts,
  { account, address, isKnownAddress }: Attempt,
  check: () => Promise<T | null>,
  onFailed: () => Promise<void>,
): Promise<{ readonly proved: T | null; readonly lock: AppError | null }> {
  const { counter } = parts;
  const startedMs = performance.now();
  const pair: Counter = { key: keyOf('pair', account, address), limit: GUARD_LIMITS.pair };
  const ofAddress = { key: keyOf('address', networkOf(address)), limit: GUARD_LIMITS.address };
  const ofAccount = { key: keyOf('account', account), limit: GUARD_LIMITS.account };
  const pairLock = await counter.reserve(pair);
  if (pairLock !== null) {
    await onFailed();
    throw lockError(parts, pairLock);
  }
  const reserved: Counter[] = [pair];
  let lockMs: number | null = null;
  for (const one of isKnownAddress ? [ofAddress] : [ofAddress, ofAccount]) {
    lockMs = await counter.reserve(one, reserved);
    if (lockMs !== null) break;
    reserved.push(one);
  }
  if (isKnownAddress) lockMs ??= await counter.lockOf(ofAccount);
  const lock = lockMs === null ? null : lockError(parts, lockMs);
  if (lock && !isKnownAddress) {
    await counter.fail(reserved);
    await onFailed();
    await takeTime(startedMs);
    throw lock;
  }
  let proved: Awaited<ReturnType<typeof check>>;
  try {
    proved = await check();
  } catch (error) {
    await (wasNotLookedAt(error) ? counter.release(reserved) : counter.fail(reserved));
    throw error;
  }
  if (proved !== null) await counter.succeed(pair, reserved);
  else {
    await counter.fail(reserved);
    await onFailed();
    if (lock) await takeTime(startedMs);
  }
  return { proved, lock };
}
