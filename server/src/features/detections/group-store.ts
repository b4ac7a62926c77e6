import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { GroupKey } from './due-queue.ts';
import type { FirstHalf } from './first-half.ts';
import type { RuleTables } from './rule-tables.ts';

// Groups of one tenant, in the caller's transaction. Whoever changes which rules keep step with a group, or how far it has
// come, holds the row of the group first and that of the rule after it.

const tables = (trx: TenantTransaction) => trx.withTables<RuleTables>();

export interface StoredGroup {
  readonly coveredUntil: number;
  readonly leaseOwner: string | null;
}

/** Makes a group that has none yet, covered from now on. */
export async function ensureGroup(
  trx: TenantTransaction,
  { clusterId, scopeId, schedule }: GroupKey,
  from: { readonly coveredUntil: number; readonly dueMs: number },
): Promise<void> {
  await tables(trx)
    .insertInto('rule_group')
    .values({
      cluster_id: clusterId,
      scope_id: scopeId,
      schedule,
      covered_until: timestamp(from.coveredUntil),
      due_at: timestamp(from.dueMs),
      last_run_at: null,
      lease_owner: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Holds the groups of a scope until the transaction ends. */
export async function holdGroups(trx: TenantTransaction, clusterId: string, scopeId: string): Promise<void> {
  await tables(trx)
    .selectFrom('rule_group')
    .select('schedule')
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .orderBy('schedule')
    .forUpdate()
    .execute();
}

const groupAt = (trx: TenantTransaction, { clusterId, scopeId, schedule }: GroupKey) =>
  tables(trx)
    .selectFrom('rule_group')
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('schedule', '=', schedule);

/** Reads a group and holds its row until the transaction ends; null when there is none. */
export async function lockGroup(trx: TenantTransaction, key: GroupKey): Promise<StoredGroup | null> {
  const row = await groupAt(trx, key).select(['covered_until', 'lease_owner']).forUpdate().executeTakeFirst();
  return row ? { coveredUntil: row.covered_until, leaseOwner: row.lease_owner } : null;
}

export interface GroupMove {
  readonly coveredUntil: number;
  readonly dueMs: number;
  /** When the first half of the next window is evaluated before it is over; null: it is not. */
  readonly firstHalfDueMs: number | null;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
}

/** Moves a group on, which its holder has locked. */
export async function moveGroup(trx: TenantTransaction, key: GroupKey, move: GroupMove): Promise<void> {
  await tables(trx)
    .updateTable('rule_group')
    .set({
      covered_until: timestamp(move.coveredUntil),
      due_at: timestamp(move.dueMs),
      last_run_at: timestamp(move.nowMs),
      lease_until: timestamp(move.leaseUntilMs),
      windows_done: sql`windows_done + 1`,
      first_half: null,
      first_half_due_at: timestamp(move.firstHalfDueMs),
    })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('schedule', '=', key.schedule)
    .execute();
}

/** Keeps what is known of the first half of a group's next window; its holder has locked it. */
export async function saveFirstHalf(
  trx: TenantTransaction,
  key: GroupKey,
  firstHalf: FirstHalf | null,
): Promise<void> {
  await tables(trx)
    .updateTable('rule_group')
    .set({ first_half: firstHalf && JSON.stringify(firstHalf), first_half_due_at: null })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('schedule', '=', key.schedule)
    .execute();
}

/** Gives the lease of a group back, unless somebody else has taken it meanwhile. */
export async function releaseGroup(
  trx: TenantTransaction,
  key: GroupKey,
  owner: string,
  nowMs: number,
): Promise<void> {
  await tables(trx)
    .updateTable('rule_group')
    .set({ lease_owner: null, lease_until: timestamp(nowMs) })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('schedule', '=', key.schedule)
    .where('lease_owner', '=', owner)
    .execute();
}

/** The workbooks whose rules keep step with the group. */
export async function keepingStep(trx: TenantTransaction, key: GroupKey): Promise<string[]> {
  const rows = await tables(trx)
    .selectFrom('rule')
    .select('workbook_id')
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('schedule', '=', key.schedule)
    .where('covered_from', 'is not', null)
    .where('keeps_step', '=', true)
    .orderBy('workbook_id')
    .execute();
  return rows.map((row) => row.workbook_id);
}

/** How far the scopes of a tenant are covered by the group that has come furthest. */
export async function coveredScopes(
  trx: TenantTransaction,
  clusterId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tables(trx)
    .selectFrom('rule_group')
    .select((select) => ['scope_id', select.fn.max('covered_until').as('until')])
    .where('cluster_id', '=', clusterId)
    .groupBy('scope_id')
    .execute();
  return new Map(rows.map((row) => [row.scope_id, Number(row.until)]));
}
