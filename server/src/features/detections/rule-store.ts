import { type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import type { RuleTable, RuleTables } from './rule-tables.ts';
import type { RuleState } from './scheduler-machine.ts';

// Rules and their ledger in PostgreSQL. Every function works in the caller's transaction of one tenant.

export interface RuleKey {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly workbookId: string;
}

export interface StoredRule extends RuleKey {
  readonly enabled: boolean;
  readonly state: RuleState;
  readonly dueMs: number;
  readonly leaseOwner: string | null;
  readonly lastError: string | null;
  readonly lastRunMs: number | null;
  readonly lastDurationMs: number | null;
  readonly windowsDone: number;
  readonly windowsRerun: number;
  readonly rowsTotal: number;
  readonly signalsTotal: number;
}

const tables = (trx: TenantTransaction) => trx.withTables<RuleTables>();

type RuleRow = Selectable<RuleTable>;

function storedRule(row: RuleRow): StoredRule {
  return {
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    workbookId: row.workbook_id,
    enabled: row.enabled,
    state: {
      coveredFrom: row.covered_from_ms,
      coveredUntil: row.covered_until_ms ?? 0,
      span: row.span,
      failuresInARow: row.failures_in_a_row,
      retryAt: row.retry_ms,
      late: row.late,
    },
    dueMs: row.due_ms,
    leaseOwner: row.lease_owner,
    lastError: row.last_error,
    lastRunMs: row.last_run_ms,
    lastDurationMs: row.last_duration_ms,
    windowsDone: row.windows_done,
    windowsRerun: row.windows_rerun,
    rowsTotal: row.rows_total,
    signalsTotal: row.signals_total,
  };
}

const stateColumns = (state: RuleState) => ({
  covered_from_ms: state.coveredFrom,
  covered_until_ms: state.coveredFrom === null ? null : state.coveredUntil,
  span: state.span,
  failures_in_a_row: state.failuresInARow,
  retry_ms: state.retryAt,
  late: JSON.stringify(state.late),
});

/** Reads a rule and holds its row until the transaction ends; null when there is none. */
export async function lockRule(trx: TenantTransaction, key: RuleKey): Promise<StoredRule | null> {
  const row = await tables(trx)
    .selectFrom('rule')
    .selectAll()
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .forUpdate()
    .executeTakeFirst();
  return row ? storedRule(row) : null;
}

/** The rules of a scope, or those of some workbooks in it. */
export async function rulesInScope(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  workbookIds?: readonly string[],
): Promise<StoredRule[]> {
  if (workbookIds?.length === 0) return [];
  const rows = await tables(trx)
    .selectFrom('rule')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .$if(workbookIds !== undefined, (query) => query.where('workbook_id', 'in', workbookIds ?? []))
    .execute();
  return rows.map(storedRule);
}

/** Makes the row of a rule that has none yet; an existing one stays as it is. */
export async function ensureRule(trx: TenantTransaction, key: RuleKey, enabled: boolean): Promise<void> {
  await tables(trx)
    .insertInto('rule')
    .values({
      cluster_id: key.clusterId,
      scope_id: key.scopeId,
      workbook_id: key.workbookId,
      enabled,
      covered_from_ms: null,
      covered_until_ms: null,
      last_error: null,
      last_run_ms: null,
      last_duration_ms: null,
      lease_owner: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface RuleChange {
  readonly state: RuleState;
  readonly enabled?: boolean;
  readonly dueMs?: number;
  readonly lastError?: string | null;
  readonly run?: { readonly atMs: number; readonly durationMs: number; readonly rerun: boolean };
  readonly rows?: number;
  readonly signals?: number;
  /** Keeps the lease for a long turn. */
  readonly leaseUntilMs?: number;
}

/** Writes the state after a step, with what the step adds to the figures of the rule. */
export async function saveRule(trx: TenantTransaction, key: RuleKey, change: RuleChange): Promise<void> {
  const { run } = change;
  await tables(trx)
    .updateTable('rule')
    .set({
      ...stateColumns(change.state),
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
      ...(change.dueMs === undefined ? {} : { due_ms: change.dueMs }),
      ...(change.lastError === undefined
        ? {}
        : { last_error: change.lastError && storableText(change.lastError) }),
      ...(change.leaseUntilMs === undefined ? {} : { lease_until_ms: change.leaseUntilMs }),
      ...(run ? { last_run_ms: run.atMs, last_duration_ms: run.durationMs } : {}),
      windows_done: sql`windows_done + ${run && !run.rerun ? 1 : 0}`,
      windows_rerun: sql`windows_rerun + ${run?.rerun ? 1 : 0}`,
      rows_total: sql`rows_total + ${change.rows ?? 0}`,
      signals_total: sql`signals_total + ${change.signals ?? 0}`,
    })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .execute();
}

export interface LeaseRequest {
  readonly clusterId: string;
  readonly owner: string;
  readonly nowMs: number;
  readonly untilMs: number;
  readonly watermarkMs: number;
  readonly limit: number;
}

/** Takes rules that are due and that nobody else holds, longest waiting first. */
export async function leaseDueRules(trx: TenantTransaction, request: LeaseRequest): Promise<RuleKey[]> {
  const due = tables(trx)
    .selectFrom('rule')
    .select(['cluster_id', 'scope_id', 'workbook_id'])
    .where('cluster_id', '=', request.clusterId)
    .where('covered_from_ms', 'is not', null)
    .where('lease_until_ms', '<=', request.nowMs)
    .where('retry_ms', '<=', request.nowMs)
    .where((where) =>
      where.or([where('due_ms', '<=', request.watermarkMs), where(sql`late`, '<>', sql`'[]'::jsonb`)]),
    )
    .orderBy('due_ms')
    .limit(request.limit)
    .forUpdate()
    .skipLocked();
  const rows = await due.execute();
  for (const row of rows) {
    await tables(trx)
      .updateTable('rule')
      .set({ lease_owner: request.owner, lease_until_ms: request.untilMs })
      .where('cluster_id', '=', row.cluster_id)
      .where('scope_id', '=', row.scope_id)
      .where('workbook_id', '=', row.workbook_id)
      .execute();
  }
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    workbookId: row.workbook_id,
  }));
}

/** Gives a lease back, unless somebody else has taken it meanwhile. */
export async function releaseRule(trx: TenantTransaction, key: RuleKey, owner: string): Promise<void> {
  await tables(trx)
    .updateTable('rule')
    .set({ lease_owner: null, lease_until_ms: 0 })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Deletes the rule of a workbook in every scope, with its ledger. */
export async function deleteRules(
  trx: TenantTransaction,
  clusterId: string,
  workbookId: string,
): Promise<void> {
  await tables(trx)
    .deleteFrom('rule')
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', '=', workbookId)
    .execute();
}
