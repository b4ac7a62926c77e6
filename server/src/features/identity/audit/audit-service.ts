import { say } from '@tyrian/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { currentCall } from '../../../platform/http/call-context.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { storableJson, storableText } from '../../../platform/postgres/storable.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { createCountedEntries } from './counted-entries.ts';

// Who did what, when, where and from which address. An entry is written in the transaction of the act, and what cannot
// be written there does not happen.

/** What a feature says about an act. */
export interface AuditEntry {
  /** A verb with its object, e.g. `login`, `case.export`, `user.disable`. */
  readonly action: string;
  /** The caller of the running call when absent; null for the product itself. */
  readonly who?: { readonly userId: string; readonly name: string } | null;
  /** The name under which somebody acted whom nothing has proved, e.g. the address of a failed sign-in. */
  readonly claimedName?: string;
  /** Address of the caller; that of the running call when absent, empty for work of the product itself. */
  readonly source?: string;
  /** The organization of `who` when absent. */
  readonly orgId?: string;
  readonly clusterId?: string;
  readonly scopeId?: string;
  /** The object acted on: an id or a name. */
  readonly entity?: string;
  /** Small JSON; never a password, a session id or a token. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditService {
  /**
   * Writes an entry: through `trx`, the transaction of the act, or by itself where nothing is changed. In a tenant's
   * transaction the entry must be of that tenant. Take it as the last step: entries wait for each other until their
   * transactions end. Throws AppError `unavailable` when it cannot be written; the act must then not happen.
   */
  record(entry: AuditEntry, trx?: QueryExecutorProvider): Promise<void>;
  /**
   * Writes the entry of something that changes nothing and that anybody can do again and again: the first
   * at once, equal ones of the next minute as one more with their number. Equal are those of one `kind`; when absent
   * those of one action, source, user, organization, tenant and entity. `windowMs` instead of the minute. Throws like
   * `record`.
   */
  recordOften(entry: AuditEntry, kind?: string, windowMs?: number): Promise<void>;
  /** Writes what was counted; `all`: also where its time is not over. */
  flush(all?: boolean): Promise<void>;
}

const MAX_NAME = 1024;
export function createAuditService(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
}): AuditService {
  const { postgres, clock, log } = deps;

  function insert(entry: AuditEntry, db: QueryExecutorProvider) {
    const call = currentCall();
    const who = entry.who === undefined ? (call?.caller ?? null) : entry.who;
    const named = (text: string | null | undefined) =>
      text == null ? null : storableText(text.slice(0, MAX_NAME));
    return sql`
      insert into audit_entry
        (created_at, source, user_id, user_name, org_id, cluster_id, scope_id, action, entity, details)
      values (${timestamp(clock.now())}, ${named(entry.source ?? call?.source ?? '')}, ${named(who?.userId)},
        ${named(who?.name ?? entry.claimedName ?? 'System')}, ${named(entry.orgId)}, ${named(entry.clusterId)},
        ${named(entry.scopeId)}, ${named(entry.action)}, ${named(entry.entity ?? '')},
        ${storableJson(entry.details ?? {})})`.execute(db);
  }

  async function record(entry: AuditEntry, trx?: QueryExecutorProvider): Promise<void> {
    try {
      await insert(entry, trx ?? postgres.platform);
    } catch (error) {
      // Neither who nor what: the log has other readers than the trail.
      log.error({ err: (error as Error).message, action: entry.action }, 'an audit entry was not written');
      throw new AppError('unavailable', say('engines.auditUnwritten'));
    }
    const call = currentCall();
    if (call) call.entries += 1;
  }

  const counted = createCountedEntries<AuditEntry>({ write: record, clock, log });
  return {
    record,
    recordOften: async (entry, kind, windowMs) => {
      const call = currentCall();
      // What is counted is written by whichever call comes later.
      const who = entry.who === undefined ? (call?.caller ?? null) : entry.who;
      const whole = { ...entry, who, source: entry.source ?? call?.source ?? '' };
      const { action, source, orgId = '', clusterId = '', entity = '' } = whole;
      const same = [action, source, who?.userId ?? '', orgId, clusterId, entity];
      await counted.note(whole, kind ?? same.join('\n'), windowMs);
      if (call) call.entries += 1;
    },
    flush: counted.flush,
  };
}
