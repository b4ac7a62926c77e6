import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { identityDb } from '../users/identity-tables.ts';

// Who did what, when, where and from which address. An entry that cannot be written is logged with its whole
// content and does not undo what was done.

/** What a feature says about an act; `who` is null for the product itself. */
interface AuditEntry {
  /** A verb with its object, e.g. `login`, `case.export`, `user.disable`. */
  readonly action: string;
  readonly who: { readonly userId: string; readonly name: string } | null;
  /** Address of the caller; empty for work of the product itself. */
  readonly source: string;
  readonly orgId?: string;
  readonly clusterId?: string;
  readonly scopeId?: string;
  /** The object acted on: an id or a name. */
  readonly entity?: string;
  /** Small JSON; never a password, a session id or a token. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The organization of a user, looked up in the same statement. */
const orgOf = (userId: string | null) =>
  sql<string | null>`(select org_id from person where user_id = ${userId})`;

export interface AuditService {
  record(entry: AuditEntry): Promise<void>;
}

export function createAuditService(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
}): AuditService {
  const db = identityDb(deps.postgres);
  return {
    record: async (entry) => {
      try {
        await db
          .insertInto('audit_entry')
          .values({
            created_ms: deps.clock.now(),
            source: entry.source,
            user_id: entry.who?.userId ?? null,
            user_name: entry.who?.name ?? 'System',
            org_id: entry.orgId ?? orgOf(entry.who?.userId ?? null),
            cluster_id: entry.clusterId ?? null,
            scope_id: entry.scopeId ?? null,
            action: entry.action,
            entity: entry.entity ?? '',
            details: JSON.stringify(entry.details ?? {}),
          })
          .execute();
      } catch (error) {
        deps.log.error({ err: error, entry }, 'an audit entry could not be written');
      }
    },
  };
}
