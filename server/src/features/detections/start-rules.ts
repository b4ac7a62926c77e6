import type { Schedule } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { ensureGroup, lockGroup, saveFirstHalf } from './group-store.ts';
import { boundariesOf, MINUTE_MS, scheduleName } from './schedule-boundaries.ts';
import { OFF } from './scheduler-machine.ts';

// Switches many rules of a scope on with a handful of statements. While nobody works on their group they begin where it
// stands and keep step with it at once, so that thousands of rules need no turn of their own to catch up.

export interface RulesToStart {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly workbookIds: readonly string[];
  readonly schedule: Schedule;
  /** Whoever asks takes no "later" for an answer. */
  readonly isLastTry: boolean;
}

/** A group that is further behind is not joined: what it has to catch up on came before the rules were on. */
const FRESH_MS = 5 * MINUTE_MS;

/** Starts rules whose queries find nothing without events; those that run go on. False: somebody works on the group now. */
export async function startRules(
  clock: Clock,
  trx: TenantTransaction,
  input: RulesToStart,
): Promise<boolean> {
  const { clusterId, scopeId, workbookIds, schedule } = input;
  const name = scheduleName(schedule);
  const boundaries = boundariesOf(schedule);
  if (name === null || boundaries === null || workbookIds.length === 0) return true;
  const nowMs = clock.now();
  const key = { clusterId, scopeId, schedule: name };
  await ensureGroup(trx, key, { coveredUntil: nowMs, dueMs: boundaries.after(nowMs) });
  const group = await lockGroup(trx, key);
  if (!group) return false;
  const isBusy = group.leaseOwner !== null;
  if (isBusy && !input.isLastTry) return false;
  const joins = !isBusy && nowMs - group.coveredUntil < FRESH_MS;
  const from = joins ? group.coveredUntil : nowMs;
  // They have not seen what the others have.
  if (joins) await saveFirstHalf(trx, key, null);
  await sql`
    insert into rule as old (cluster_id, scope_id, workbook_id, enabled, covered_from, covered_until, span, due_at,
      schedule, keeps_step, group_windows, needs_events, enabled_at)
    select ${clusterId}, ${scopeId}, id, true, ${timestamp(from)}, ${timestamp(from)}, ${OFF.span},
      ${timestamp(boundaries.after(from))}, ${name}, ${joins}, g.windows_done, true, ${timestamp(nowMs)}
    from unnest(${[...workbookIds]}::text[]) as given (id), rule_group g
    where g.cluster_id = ${clusterId} and g.scope_id = ${scopeId} and g.schedule = ${name}
    order by id
    on conflict (cluster_id, scope_id, workbook_id) do update set enabled = true,
      covered_from = excluded.covered_from, covered_until = excluded.covered_until, span = excluded.span,
      due_at = excluded.due_at, schedule = excluded.schedule, keeps_step = excluded.keeps_step,
      group_windows = excluded.group_windows, needs_events = true, enabled_at = excluded.enabled_at,
      failures_in_a_row = 0, retry_at = 'epoch', last_error = null, late = '[]'
    where old.covered_from is null`.execute(trx);
  return true;
}
