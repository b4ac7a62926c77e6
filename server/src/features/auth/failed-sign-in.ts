import { AppError } from '../../platform/app-error.ts';
import type { AuditService } from '../audit/audit-service.ts';

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

/** Equal ones within a minute are counted. Throws AppError `unavailable` when the trail cannot be written. */
export function noteFailedSignIn(audit: AuditService, failed: FailedSignIn): Promise<void> {
  const { action = 'login.failed', who = null, entity, source, orgId, reason } = failed;
  const entry = { action, who, source, entity, ...(orgId ? { orgId } : {}), details: { reason } };
  // Whoever is locked out and goes on with other addresses does not fill the trail either.
  const ofLock = [action, source, orgId ?? '', reason].join('\n');
  return audit.recordOften(entry, reason === 'locked' ? ofLock : undefined);
}

/** Counts an attempt at the guard; when it refuses, that is a failed sign-in too. */
export async function begunOrNoted(
  audit: AuditService,
  failed: Omit<FailedSignIn, 'reason'>,
  begin: () => Promise<void>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    if (error instanceof AppError && error.kind === 'too-many') {
      await noteFailedSignIn(audit, { ...failed, reason: 'locked' });
    }
    throw error;
  }
}
