import { sql } from 'kysely';
import { type Row, timestamp, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { CaseDb, CaseRow, CaseTables } from './case-tables.ts';

// One case: its row, its signals, entities, notes and history. Every look-up names tenant and scope, so a
// case of elsewhere is not found.

const inScope = (db: CaseDb, scope: ScopeRef) =>
  db
    .selectFrom('incident_case')
    .where('cluster_id', '=', scope.clusterId)
    .where('scope_id', '=', scope.scopeId);

export async function findCase(db: CaseDb, scope: ScopeRef, caseId: string): Promise<CaseRow | undefined> {
  return inScope(db, scope).selectAll().where('case_id', '=', caseId).executeTakeFirst();
}

export async function findCases(db: CaseDb, scope: ScopeRef, caseIds: readonly string[]): Promise<CaseRow[]> {
  if (caseIds.length === 0) return [];
  return inScope(db, scope)
    .selectAll()
    .where('case_id', 'in', [...caseIds])
    .orderBy('number')
    .execute();
}

/** The case, held against other writers until the transaction ends. */
export async function lockCase(db: CaseDb, scope: ScopeRef, caseId: string): Promise<CaseRow | undefined> {
  return inScope(db, scope).selectAll().where('case_id', '=', caseId).forUpdate().executeTakeFirst();
}

/** The next number of the tenant; a transaction that fails gives it back. */
export async function nextCaseNumber(db: CaseDb, clusterId: string): Promise<number> {
  const row = await db
    .insertInto('incident_case_counter')
    .values({ cluster_id: clusterId, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('cluster_id')
        .doUpdateSet({ last_number: sql<number>`incident_case_counter.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return row.last_number;
}

const storedCase = <T extends Partial<CaseRow>>(row: T) =>
  withTimestamps(row, 'created_at', 'updated_at', 'closed_at', 'status_since', 'oldest_signal_at');

export async function insertCase(db: CaseDb, row: CaseRow): Promise<void> {
  await db.insertInto('incident_case').values(storedCase(row)).execute();
}

/** Writes the changed columns and counts the revision up; answers the row as it is now. */
export async function updateCase(
  db: CaseDb,
  row: CaseRow,
  change: Partial<CaseRow>,
  now: number,
): Promise<CaseRow> {
  return db
    .updateTable('incident_case')
    .set({ ...storedCase(change), updated_at: timestamp(now), revision: row.revision + 1 })
    .where('cluster_id', '=', row.cluster_id)
    .where('scope_id', '=', row.scope_id)
    .where('case_id', '=', row.case_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function selectSignals(db: CaseDb, row: CaseRow): Promise<CaseTables['case_signal'][]> {
  return db
    .selectFrom('case_signal')
    .selectAll()
    .where('cluster_id', '=', row.cluster_id)
    .where('case_id', '=', row.case_id)
    .orderBy('added_at', 'desc')
    .orderBy('signal_id')
    .execute();
}

/** Adds signals; answers the ids that were not in the case before. */
export async function insertSignals(
  db: CaseDb,
  signals: readonly Row<CaseTables['case_signal']>[],
): Promise<string[]> {
  if (signals.length === 0) return [];
  const added = await db
    .insertInto('case_signal')
    .values(signals.map((signal) => withTimestamps(signal, 'raised_at', 'added_at')))
    .onConflict((conflict) => conflict.doNothing())
    .returning('signal_id')
    .execute();
  return added.map((one) => one.signal_id);
}

export async function deleteSignal(db: CaseDb, row: CaseRow, signalId: string): Promise<boolean> {
  const done = await db
    .deleteFrom('case_signal')
    .where('cluster_id', '=', row.cluster_id)
    .where('case_id', '=', row.case_id)
    .where('signal_id', '=', signalId)
    .executeTakeFirst();
  return done.numDeletedRows > 0n;
}

export async function selectAddedEntities(db: CaseDb, row: CaseRow): Promise<CaseTables['case_entity'][]> {
  return db
    .selectFrom('case_entity')
    .selectAll()
    .where('cluster_id', '=', row.cluster_id)
    .where('case_id', '=', row.case_id)
    .orderBy('added_at')
    .orderBy('type')
    .orderBy('value')
    .execute();
}

/** Adds an entity, or gives an added one another role. */
export async function upsertEntity(db: CaseDb, entity: Row<CaseTables['case_entity']>): Promise<void> {
  await db
    .insertInto('case_entity')
    .values(withTimestamps(entity, 'added_at'))
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'case_id', 'type', 'value']).doUpdateSet({ role: entity.role }),
    )
    .execute();
}
