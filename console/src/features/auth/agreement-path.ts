import { placePath } from '../../lib/place.ts';
import type { Session } from '../../lib/session-store.ts';

// Licence agreement and privacy policy come before anything else.

export type Agreement = 'eula' | 'policy';

/** What the user has still to accept; null when nothing. */
export function openAgreement(session: Session): Agreement | null {
  if (!session.user.eulaStatus) return 'eula';
  return session.user.isPolicyAccepted ? null : 'policy';
}

/** The page of an agreement at the place of the session. */
export function agreementPath(session: Session, which: Agreement): string {
  const { clusterId, scope_id: scopeId } = session.user;
  return placePath({ clusterId, scopeId }, `/privacy/${which}`);
}
