import { type Agreement, agreementsDue } from '@tyrian/contract';
import { scopePath } from '../../../lib/scope-path.ts';
import type { Session } from '../../../lib/session-store.ts';

// Licence agreement and privacy policy come before anything else.

/** What the user has still to accept; null when nothing. */
export function openAgreement(session: Session): Agreement | null {
  const { eulaStatus: EULA, isPolicyAccepted } = session.user;
  return agreementsDue({ EULA, isPolicyAccepted })[0] ?? null;
}

/** The page of an agreement at the place of the session. */
export function agreementPath(session: Session, which: Agreement): string {
  const { clusterId, scope_id: scopeId } = session.user;
  return scopePath({ clusterId, scopeId }, `/privacy/${which}`);
}
