import { AppError } from '../../../platform/app-error.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { Attempt, LoginGuard } from './login-guard.ts';

// Sign-ins that failed, in the trail of the organization whose they would have been. What is said here, the caller is
// never told.

export interface FailedSignIn {
  /** `login.failed` when absent. */
  readonly action?: string;
  readonly who?: { readonly userId: string; readonly name: string } | null;
  /** The address tried. */
  readonly entity: string;
  readonly source: string;
  /** The organization of the account, else the one that has claimed the mail domain. */
  readonly orgId: string | undefined;
  readonly reason: string;
}

const TOO_MANY = 'too many at once';

/** Equal ones within a minute are counted. Throws AppError `unavailable` when the trail cannot be written. */
export function noteFailedSignIn(audit: AuditService, failed: FailedSignIn): Promise<void> {
  const { action = 'login.failed', who = null, entity, source, orgId, reason } = failed;
  const entry = {
    action,
    who,
    claimedName: entity || 'Unknown',
    source,
    entity,
    ...(orgId ? { orgId } : {}),
    details: { reason },
  };
  // Whoever is locked out and goes on with other addresses does not fill the trail either.
  const ofLock = [action, source, orgId ?? '', reason].join('\n');
  const isRefused = reason === 'locked' || reason === TOO_MANY;
  return audit.recordOften(entry, isRefused ? ofLock : undefined);
}

/** What became of an attempt: what it proves, or why it proves nothing. */
export type AttemptOutcome<T> = { readonly proved: T } | { readonly wrong: string };

const reasonOf = (error: unknown): string => {
  if (!(error instanceof AppError)) return 'could not be checked';
  return error.kind === 'too-many' ? TOO_MANY : error.message;
};

/**
 * Lets `look` look at an attempt where the guard allows it. What is wrong, locked or could not be looked at is noted.
 * `proved` is null for a wrong one; then `lock` is the answer, if there is one. Throws what the guard and `look` throw,
 * and AppError `unavailable` when the trail cannot be written: a wrong attempt is counted also then.
 */
export async function attemptOrNote<T>(
  { guard, audit }: { readonly guard: LoginGuard; readonly audit: AuditService },
  attempt: Attempt,
  failed: Omit<FailedSignIn, 'reason'>,
  look: () => Promise<AttemptOutcome<T>>,
): Promise<{ readonly proved: T | null; readonly lock: AppError | null }> {
  let reason = 'locked';
  let isNoted = false;
  const note = () => {
    isNoted = true;
    return noteFailedSignIn(audit, { ...failed, reason });
  };
  const check = async () => {
    const outcome = await look();
    if ('proved' in outcome) return outcome.proved;
    reason = outcome.wrong;
    return null;
  };
  try {
    return await guard.attempt(attempt, check, note);
  } catch (error) {
    if (isNoted) throw error;
    reason = reasonOf(error);
    await note();
    throw error;
  }
}
