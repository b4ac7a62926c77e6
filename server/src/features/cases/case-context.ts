import {
  escapeNote,
  isReadOnly,
  type ServerMessage,
  SYSTEM_AUTHOR,
  say,
  storedText,
  type UserItem,
} from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { NoteToAdd } from './case-journal-store.ts';
import { findCase, lockCase } from './case-store.ts';
import { type CaseActor, type CaseDb, type CaseRow, caseDb } from './case-tables.ts';
import { caseKey } from './case-view.ts';
import type { SignalDirectory } from './signal-directory.ts';

// What every act on a case shares: a transaction bound to the tenant, the case locked, refused when closed.

export interface CaseDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly signals: SignalDirectory;
  /** Who may handle cases of a scope; undefined for everybody else, wherever they are. */
  readonly findHandler: (clusterId: string, scopeId: string, userId: string) => Promise<UserItem | undefined>;
  /** Everybody who may see and handle the cases of a scope. */
  readonly handlersOf: (clusterId: string, scopeId: string) => Promise<readonly UserItem[]>;
}

export interface CaseWork {
  readonly trx: TenantTransaction;
  readonly db: CaseDb;
  readonly row: CaseRow;
  readonly now: number;
}

/** Runs `work` on a case that is read only. Throws AppError `not-found`. */
export function readCase<T>(
  deps: CaseDeps,
  scope: ScopeRef,
  caseId: string,
  work: (found: CaseWork) => Promise<T>,
): Promise<T> {
  return deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const db = caseDb(trx);
    const row = await findCase(db, scope, caseId);
    if (!row) throw notFound();
    return work({ trx, db, row, now: deps.clock.now() });
  });
}

/** Runs `work` on a case held against other writers. Throws `not-found`, or `conflict` when it is closed. */
export function changeCase<T>(
  deps: CaseDeps,
  scope: ScopeRef,
  caseId: string,
  work: (found: CaseWork) => Promise<T>,
  mayBeClosed = false,
): Promise<T> {
  return deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const db = caseDb(trx);
    const row = await lockCase(db, scope, caseId);
    if (!row) throw notFound();
    if (!mayBeClosed && isReadOnly(row.status)) {
      throw new AppError('conflict', say('cases.closed'));
    }
    return work({ trx, db, row, now: deps.clock.now() });
  });
}

/** Ids that one entry of the audit trail names. */
export const MAX_NAMED = 1000;

/** Writes an act on a case into the audit trail and tells it as events, as the last step of its transaction. */
export async function recordAct(
  { audit }: Pick<CaseDeps, 'audit'>,
  { trx, row, now }: Pick<CaseWork, 'trx' | 'row' | 'now'>,
  { source, ...who }: CaseActor,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
  told: readonly CaseEvent[] = [changed(action)],
): Promise<void> {
  const { cluster_id: clusterId, scope_id: scopeId, case_id: entity } = row;
  await tellCase(trx, row, who, now, told);
  const entry = { action, who, source, clusterId, scopeId, entity };
  await audit.record({ ...entry, details: { case_key: caseKey(row.number), ...details } }, trx);
}

/** What others are told of an act on a case. */
export interface CaseEvent {
  readonly kind: 'case.created' | 'case.changed' | 'case.assigned' | 'case.noted';
  readonly details: Readonly<Record<string, unknown>>;
}

/** A change of a case in one word: the action of its history, e.g. `status`. */
const changed = (action: string): CaseEvent => ({
  kind: 'case.changed',
  details: { act: action.replace(/^case\./, '') },
});

/** Tells what was done to a case, with the names under which others know it. */
export function tellCase(
  trx: TenantTransaction,
  row: CaseRow,
  actor: Pick<CaseActor, 'userId' | 'name'>,
  atMs: number,
  told: readonly CaseEvent[],
): Promise<void> {
  const named = { case_key: caseKey(row.number), name: row.case_name };
  return writeEvents(
    trx,
    told.map(({ kind, details }) => ({
      clusterId: row.cluster_id,
      scopeId: row.scope_id,
      kind,
      objectId: row.case_id,
      actor: { userId: actor.userId, name: actor.name },
      details: { ...named, ...details },
      atMs,
    })),
  );
}

/** A note of the product about what was done, in the words of its reader; a plain text is a name. */
export function systemNote(said: ServerMessage | string): NoteToAdd {
  const notes = typeof said === 'string' ? escapeNote(said) : storedText(said);
  return { notes, author: SYSTEM_AUTHOR, authorId: null, kind: 'system', tags: [] };
}
