import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
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
  /** Of a rule that keeps step, `coveredUntil` is how far its group has come. */
  readonly state: RuleState;
  readonly dueMs: number;
  /** Names the group of the rule; null while it does not run. */
  readonly schedule: string | null;
  readonly keepsStep: boolean;
  /** Null while nobody has read the query. */
  readonly needsEvents: boolean | null;
  /** Up to here the ledger has rows; beyond, a rule that keeps step is covered by its group. */
  readonly ledgerUntil: number;
  /** How far the group has come; a rule that stands alone goes no further. Null while it does not run. */
  readonly groupUntil: number | null;
  /** Windows of the group since the rule keeps step, contained in `windowsDone`. */
  readonly windowsTogether: number;
  readonly leaseOwner: string | null;
  readonly lastError: string | null;
  readonly lastRunMs: number | null;
  readonly lastDurationMs: number | null;
  readonly windowsDone: number;
  readonly windowsRerun: number;
  readonly rowsTotal: number;
  readonly signalsTotal: number;
  /** Failures of its own since it last worked. */
  readonly strikes: number;
  /** Since when it is set aside; null while it runs. */
  readonly quarantinedMs: number | null;
  /** Why, as it is stored. */
  readonly quarantineReason: string | null;
  /** What it cost before is not held against it. */
  readonly costCountsFromMs: number;
}

const tables = (trx: TenantTransaction) => trx.withTables<RuleTables>();

type RuleRow = Selectable<RuleTable> & {
  readonly group_until: number | null;
  readonly group_due_at: number | null;
  readonly group_windows_done: number | null;
  readonly group_run_at: number | null;
};

/** Rules with what their groups say of them. */
const rulesWithGroups = (trx: TenantTransaction) =>
  tables(trx)
    .selectFrom('rule')
    .leftJoin('rule_group', (join) =>
      join
        .onRef('rule_group.cluster_id', '=', 'rule.cluster_id')
        .onRef('rule_group.scope_id', '=', 'rule.scope_id')
        .onRef('rule_group.schedule', '=', 'rule.schedule'),
    )
    .selectAll('rule')
    .select([
      'rule_group.covered_until as group_until',
      'rule_group.due_at as group_due_at',
      'rule_group.windows_done as group_windows_done',
      'rule_group.last_run_at as group_run_at',
    ]);

function storedRule(row: RuleRow): StoredRule {
  const own = row.covered_until ?? 0;
  const group = row.keeps_step
    ? {
        until: row.group_until ?? own,
        due: row.group_due_at ?? row.due_at,
        run: row.group_run_at ?? 0,
        windows: (row.group_windows_done ?? row.group_windows) - row.group_windows,
      }
    : { until: own, due: row.due_at, run: 0, windows: 0 };
  return {
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    workbookId: row.workbook_id,
    enabled: row.enabled,
    state: {
      coveredFrom: row.covered_from,
      coveredUntil: Math.max(own, group.until),
      span: row.span,
      failuresInARow: row.failures_in_a_row,
      retryAt: row.retry_at,
      late: row.late,
    },
    dueMs: group.due,
    schedule: row.schedule,
    keepsStep: row.keeps_step,
    needsEvents: row.needs_events,
    ledgerUntil: own,
    groupUntil: row.group_until,
    windowsTogether: group.windows,
    leaseOwner: row.lease_owner,
    lastError: row.last_error,
    lastRunMs: Math.max(row.last_run_at ?? 0, group.run) || null,
    lastDurationMs: row.last_duration_ms,
    windowsDone: row.windows_done + group.windows,
    windowsRerun: row.windows_rerun,
    rowsTotal: row.rows_total,
    signalsTotal: row.signals_total,
    strikes: row.strikes,
    quarantinedMs: row.quarantined_at,
    quarantineReason: row.quarantine_reason,
    costCountsFromMs: row.cost_counts_from,
  };
}

const stateColumns = (state: RuleState) => ({
  covered_from: timestamp(state.coveredFrom),
  covered_until: timestamp(state.coveredFrom === null ? null : state.coveredUntil),
  span: state.span,
  failures_in_a_row: state.failuresInARow,
  retry_at: timestamp(state.retryAt),
  late: JSON.stringify(state.late),
});

/** Reads a rule and holds its row until the transaction ends; null when there is none. */
export async function lockRule(trx: TenantTransaction, key: RuleKey): Promise<StoredRule | null> {
  const row = await rulesWithGroups(trx)
    .where('rule.cluster_id', '=', key.clusterId)
    .where('rule.scope_id', '=', key.scopeId)
    .where('rule.workbook_id', '=', key.workbookId)
    .forUpdate('rule')
    .executeTakeFirst();
  return row ? storedRule(row) : null;
}

/** The rules of a scope (null: of every scope of the tenant), or those of some workbooks in it. */
export async function rulesInScope(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string | null,
  workbookIds?: readonly string[],
): Promise<StoredRule[]> {
  if (workbookIds?.length === 0) return [];
  const rows = await rulesWithGroups(trx)
    .where('rule.cluster_id', '=', clusterId)
    .$if(scopeId !== null, (query) => query.where('rule.scope_id', '=', scopeId ?? ''))
    .$if(workbookIds !== undefined, (query) => query.where('rule.workbook_id', 'in', workbookIds ?? []))
    .execute();
  return rows.map(storedRule);
}

/** Scopes of a tenant that have a rule of one of these workbooks, on or off. */
export async function scopesWithRules(
  trx: TenantTransaction,
  clusterId: string,
  workbookIds: readonly string[],
): Promise<string[]> {
  if (workbookIds.length === 0) return [];
  const rows = await tables(trx)
    .selectFrom('rule')
    .select('scope_id')
    .distinct()
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', 'in', workbookIds)
    .execute();
  return rows.map(({ scope_id }) => scope_id);
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
      covered_from: null,
      covered_until: null,
      last_error: null,
      last_run_at: null,
      last_duration_ms: null,
      lease_owner: null,
      schedule: null,
      needs_events: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface RuleChange {
  readonly state: RuleState;
  readonly enabled?: boolean;
  readonly dueMs?: number;
  readonly lastError?: string | null;
  /** A window done alone or with its group counts once; the group counts its own. */
  readonly run?: {
    readonly atMs: number;
    readonly durationMs: number;
    readonly counts: 'window' | 'rerun' | 'with-group';
  };
  readonly rows?: number;
  readonly signals?: number;
  /** Keeps the lease for a long turn. */
  readonly leaseUntilMs?: number;
  /** Puts the rule into a group, alone until it has caught up; null takes it out. */
  readonly group?: { readonly schedule: string; readonly enabledMs: number } | null;
  /** Lets the rule go on alone until it has caught up again. */
  readonly leavesStep?: boolean;
  readonly strikes?: number;
  /** Sets the rule aside; null lets it run again, from when on its cost counts. */
  readonly quarantine?: { readonly atMs: number; readonly reason: string } | { readonly releasedMs: number };
}

const ALONE = { keeps_step: false, group_windows: 0 };

function groupColumns({ group, leavesStep }: RuleChange) {
  if (group === undefined) return leavesStep ? ALONE : {};
  if (group === null) return { schedule: null, needs_events: null, ...ALONE };
  return { schedule: group.schedule, enabled_at: timestamp(group.enabledMs), needs_events: null, ...ALONE };
}

function quarantineColumns({ quarantine, strikes }: RuleChange) {
  if (quarantine === undefined) return strikes === undefined ? {} : { strikes };
  if ('releasedMs' in quarantine)
    return {
      strikes: 0,
      quarantined_at: null,
      quarantine_reason: null,
      cost_counts_from: timestamp(quarantine.releasedMs),
    };
  return {
    ...ALONE,
    ...(strikes === undefined ? {} : { strikes }),
    quarantined_at: timestamp(quarantine.atMs),
    quarantine_reason: storableText(quarantine.reason),
  };
}

/** Writes the state after a step, with what the step adds to the figures of the rule. */
export async function saveRule(trx: TenantTransaction, key: RuleKey, change: RuleChange): Promise<void> {
  const { run } = change;
  await tables(trx)
    .updateTable('rule')
    .set({
      ...stateColumns(change.state),
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
      ...(change.dueMs === undefined ? {} : { due_at: timestamp(change.dueMs) }),
      ...(change.lastError === undefined
        ? {}
        : { last_error: change.lastError && storableText(change.lastError) }),
      ...(change.leaseUntilMs === undefined ? {} : { lease_until: timestamp(change.leaseUntilMs) }),
      ...(run ? { last_run_at: timestamp(run.atMs), last_duration_ms: run.durationMs } : {}),
      ...groupColumns(change),
      ...quarantineColumns(change),
      windows_done: sql`windows_done + ${run?.counts === 'window' ? 1 : 0}`,
      windows_rerun: sql`windows_rerun + ${run?.counts === 'rerun' ? 1 : 0}`,
      rows_total: sql`rows_total + ${change.rows ?? 0}`,
      signals_total: sql`signals_total + ${change.signals ?? 0}`,
    })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .execute();
}

/** Adds what was found of a window that is not finished to the figures of a rule. */
export async function addFound(
  trx: TenantTransaction,
  key: RuleKey,
  found: { readonly rows: number; readonly signals: number },
): Promise<void> {
  await tables(trx)
    .updateTable('rule')
    .set({
      rows_total: sql`rows_total + ${found.rows}`,
      signals_total: sql`signals_total + ${found.signals}`,
    })
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .execute();
}

export interface ScopeRules {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly workbookIds: readonly string[];
}

/** Notes that the ledger has rows up to where the group has come. */
export async function saveTogether(trx: TenantTransaction, rule: StoredRule): Promise<void> {
  await tables(trx)
    .updateTable('rule')
    .set({
      covered_until: timestamp(rule.state.coveredUntil),
      windows_done: sql`windows_done + ${rule.windowsTogether}`,
      group_windows: sql`group_windows + ${rule.windowsTogether}`,
    })
    .where('cluster_id', '=', rule.clusterId)
    .where('scope_id', '=', rule.scopeId)
    .where('workbook_id', '=', rule.workbookId)
    .execute();
}

/** Rules of a scope that meet a condition, held in the order in which all who hold many do. */
const inOrder = ({ clusterId, scopeId, workbookIds }: ScopeRules, condition: RawBuilder<unknown>) => sql`
  select r.workbook_id from rule r
  where r.cluster_id = ${clusterId} and r.scope_id = ${scopeId}
    and r.workbook_id = any(${[...workbookIds]}::text[]) and ${condition}
  order by r.workbook_id for update of r`;

/** Gives leases back, those excepted that somebody else has taken meanwhile. */
export async function releaseRules(
  trx: TenantTransaction,
  { clusterId, scopeId, workbookIds }: ScopeRules,
  owner: string,
  nowMs: number,
): Promise<void> {
  if (workbookIds.length === 0) return;
  await sql`
    with held as materialized (${inOrder({ clusterId, scopeId, workbookIds }, sql`r.lease_owner = ${owner}`)})
    update rule set lease_owner = null, lease_until = ${timestamp(nowMs)}
    from held
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule.workbook_id = held.workbook_id`.execute(
    trx,
  );
}

/** Keeps of rules whether their queries find nothing without events. */
export async function saveNeeds(
  trx: TenantTransaction,
  { clusterId, scopeId }: Omit<ScopeRules, 'workbookIds'>,
  needs: ReadonlyMap<string, boolean>,
): Promise<void> {
  const workbookIds = [...needs.keys()];
  await sql`
    with held as materialized (${inOrder({ clusterId, scopeId, workbookIds }, sql`r.needs_events is null`)})
    update rule set needs_events = known.needs
    from held join unnest(${workbookIds}::text[], ${[...needs.values()]}::boolean[]) as known (workbook_id, needs)
      using (workbook_id)
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule.workbook_id = held.workbook_id`.execute(
    trx,
  );
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
