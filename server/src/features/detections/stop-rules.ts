import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { holdGroups } from './group-store.ts';
import type { ScopeRules } from './rule-store.ts';
import { OFF } from './scheduler-machine.ts';

/**
 * Switches many rules of a scope off with a few statements. What those that kept step were covered for together is written
 * into their ledgers first.
 */
export async function stopRules(
  clock: Clock,
  trx: TenantTransaction,
  { clusterId, scopeId, workbookIds }: ScopeRules,
): Promise<void> {
  const nowMs = clock.now();
  const ids = [...workbookIds];
  await holdGroups(trx, clusterId, scopeId);
  await sql`
    with stopping as (
      select r.cluster_id, r.scope_id, r.workbook_id, r.covered_until as range_from,
        g.covered_until as range_to, g.windows_done - r.group_windows as windows
      from rule r join rule_group g on g.cluster_id = r.cluster_id and g.scope_id = r.scope_id
        and g.schedule = r.schedule
      where r.cluster_id = ${clusterId} and r.scope_id = ${scopeId} and r.workbook_id = any(${ids}::text[])
        and r.keeps_step and r.covered_from is not null
      order by r.workbook_id for update of r),
    written as (
      insert into rule_window (cluster_id, scope_id, workbook_id, range_from, range_to, state, started_at, finished_at)
      select cluster_id, scope_id, workbook_id, range_from, range_to, 'done', ${timestamp(nowMs)}, ${timestamp(nowMs)}
      from stopping where range_from < range_to
      on conflict do nothing)
    update rule r set windows_done = r.windows_done + s.windows from stopping s
    where r.cluster_id = s.cluster_id and r.scope_id = s.scope_id and r.workbook_id = s.workbook_id`.execute(
    trx,
  );
  await sql`
    update rule set enabled = false, covered_from = null, covered_until = null, span = ${OFF.span},
      failures_in_a_row = 0, retry_at = 'epoch', late = '[]', last_error = null, schedule = null, needs_events = null,
      keeps_step = false, group_windows = 0, strikes = 0, quarantined_at = null, quarantine_reason = null
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and workbook_id = any(${ids}::text[])`.execute(
    trx,
  );
}
