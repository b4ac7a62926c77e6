// What senders may use at once. docs/ingest.md names the numbers and the answers.

const MIB = 1024 * 1024;

export interface SenderLimits {
  /** Bytes of bodies that are being received or stored, of all senders together. */
  readonly bodyBytes: number;
  /** The same of one tenant, so that no tenant can use up what others need. */
  readonly tenantBodyBytes: number;
  /** Open connections of syslog in all, and of one address. */
  readonly syslogConnections: number;
  readonly syslogConnectionsPerAddress: number;
  /** A syslog connection on which nothing comes for so long is closed. */
  readonly syslogIdleMs: number;
  /** Bytes of unfinished messages of all syslog connections together. */
  readonly syslogUnfinishedBytes: number;
}

export const SENDER_LIMITS: SenderLimits = {
  bodyBytes: 512 * MIB,
  tenantBodyBytes: 192 * MIB,
  syslogConnections: 2_000,
  syslogConnectionsPerAddress: 200,
  syslogIdleMs: 3_600_000,
  syslogUnfinishedBytes: 256 * MIB,
};

/** A part of the budget, given back when the body is done with. */
export interface BodyLease {
  /** Takes more; false when there is no more. */
  grow(bytes: number): boolean;
  release(): void;
}

export interface BodyBudget {
  /** Null when the tenant, or all senders together, have too much under way. */
  reserve(clusterId: string, bytes: number): BodyLease | null;
}

/** Counts bytes of bodies under way, per tenant and in all. */
export function createBodyBudget({
  bodyBytes,
  tenantBodyBytes,
}: Pick<SenderLimits, 'bodyBytes' | 'tenantBodyBytes'>): BodyBudget {
  const used = new Map<string, number>();
  let all = 0;

  const take = (clusterId: string, bytes: number): boolean => {
    const own = used.get(clusterId) ?? 0;
    if (all + bytes > bodyBytes || own + bytes > tenantBodyBytes) return false;
    all += bytes;
    used.set(clusterId, own + bytes);
    return true;
  };
  const giveBack = (clusterId: string, bytes: number): void => {
    all -= bytes;
    const own = (used.get(clusterId) ?? 0) - bytes;
    if (own > 0) used.set(clusterId, own);
    else used.delete(clusterId);
  };

  return {
    reserve: (clusterId, bytes) => {
      if (!take(clusterId, bytes)) return null;
      let held = bytes;
      let isReleased = false;
      return {
        grow: (more) => {
          if (isReleased || !take(clusterId, more)) return false;
          held += more;
          return true;
        },
        release: () => {
          if (isReleased) return;
          isReleased = true;
          giveBack(clusterId, held);
        },
      };
    },
  };
}
