import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { type OutgoingError, outgoingErrorIn } from '../../../platform/outgoing/outgoing-error.ts';
import type { AuditService } from './audit-service.ts';

// Connections that somebody asked for and that did not come about leave an entry: who, where to and what for. Whoever
// reads the trail of an organization may be the one who tries hosts, so why it failed stands in the server's log alone.

export interface OutgoingAsked {
  readonly who: { readonly userId: string; readonly name: string } | null;
  readonly source: string;
  readonly orgId: string;
  /** What the connection was for, e.g. `saml metadata`. */
  readonly purpose: string;
}

/** Runs work that connects for an organization; an OutgoingError becomes an entry and what `otherwise` answers or throws. */
export async function withOutgoingTrail<T>(
  { audit, outgoing }: { readonly audit: AuditService; readonly outgoing: Outgoing },
  { purpose, ...asked }: OutgoingAsked,
  work: () => Promise<T>,
  otherwise: (error: OutgoingError) => T,
): Promise<T> {
  try {
    return await outgoing.onBehalfOf(asked.orgId, work);
  } catch (error) {
    const failed = outgoingErrorIn(error);
    if (!failed) throw error;
    const entity = `${failed.host.slice(0, 253)}:${failed.port}`;
    const entry = { action: 'outgoing.failed', ...asked, entity, details: { purpose } };
    // Anybody can begin a sign-in, again and again: equal ones within a minute are counted.
    await (asked.who === null ? audit.recordOften(entry) : audit.record(entry));
    return otherwise(failed);
  }
}
