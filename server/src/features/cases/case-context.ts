import { escapeNote, isReadOnly, SYSTEM_AUTHOR, type UserItem } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { NoteToAdd } from './case-journal-store.ts';
import { findCase, lockCase } from './case-store.ts';
import { type CaseActor, type CaseDb, type CasePlace, type CaseRow, caseDb } from './case-tables.ts';
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
  place: CasePlace,
  caseId: string,
  work: (found: CaseWork) => Promise<T>,
): Promise<T> {
  return deps.postgres.inTenant(place.clusterId, async (trx) => {
    const db = caseDb(trx);
    const row = await findCase(db, place, caseId);
    if (!row) throw notFound();
    return work({ trx, db, row, now: deps.clock.now() });
  });
}

/** Runs `work` on a case held against other writers. Throws `not-found`, or `conflict` when it is closed. */
export function changeCase<T>(
  deps: CaseDeps,
  place: CasePlace,
  caseId: string,
  work: (found: CaseWork) => Promise<T>,
  mayBeClosed = false,
): Promise<T> {
  return deps.postgres.inTenant(place.clusterId, async (trx) => {
    const db = caseDb(trx);
    const row = await lockCase(db, place, caseId);
    if (!row) throw notFound();
    if (!mayBeClosed && isReadOnly(row.status)) {
      throw new AppError('conflict', 'the case is closed; open it again to change it');
    }
    return work({ trx, db, row, now: deps.clock.now() });
  });
}

/** Ids that one entry of the audit trail names. */
export const MOST_NAMED = 1000;

/** Writes an act on a case into the audit trail, as the last step of its transaction. */
export function recordAct(
  { audit }: Pick<CaseDeps, 'audit'>,
  { trx, row }: Pick<CaseWork, 'trx' | 'row'>,
  { source, ...who }: CaseActor,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { cluster_id: clusterId, scope_id: scopeId, case_id: entity } = row;
  const entry = { action, who, source, clusterId, scopeId, entity };
  return audit.record({ ...entry, details: { case_key: caseKey(row.number), ...details } }, trx);
}

/** A note of the product about what was done. `text` is plain. */
export function systemNote(text: string): NoteToAdd {
  return { notes: escapeNote(text), author: SYSTEM_AUTHOR, authorId: null, kind: 'system', tags: [] };
}
