import { say } from '@tyrian/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import type { AuditEntry, AuditRecorder } from '../../../platform/audit-recorder.ts';
import type { Clock } from '../../../platform/clock.ts';
import { currentCall } from '../../../platform/http/call-context.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { storableJson, storableText } from '../../../platform/postgres/storable.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { createCountedEntries } from './counted-entries.ts';

// Who did what, when, where and from which address. An entry is written in the transaction of the act, and what cannot
// be written there does not happen.

export interface AuditService extends AuditRecorder {
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
