import { sql } from 'kysely';
import type { Platform } from '../../../platform/platform.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { inQueue } from '../due-queue.ts';
import { boundariesNamed } from '../schedule-boundaries.ts';
import { ruleWaits } from './watch-queue.ts';

// For a bench that lets rules evaluate the same events twice and compares what they found.

/** An occurrence of a rule that runs each minute. */
export interface FoundOccurrence {
  readonly occurrence_id: string;
  readonly workbook: string;
  readonly name: string;
  readonly row_count: number;
}

/** Windows of rules wait no longer when nothing is left to do. */
const CAUGHT_UP_SECONDS = 20;

/** Whether the rules of all tenants have seen everything up to a time, ms, and no window waits to run again. */
export async function isCaughtUp(platform: Platform, throughMs: number): Promise<boolean> {
  const { rows } = await inQueue(platform.postgres, (trx) =>
    sql<{ until: number | null; late: number }>`
      select min(case when r.keeps_step then g.covered_until else r.covered_until end) as until,
        count(*) filter (where r.late <> '[]')::int as late
      from rule r join rule_group g using (cluster_id, scope_id, schedule)
      where r.covered_from is not null and r.schedule = 'streamed'`.execute(trx),
  );
  const [{ until, late } = { until: 0, late: 0 }] = rows;
  const waits = await ruleWaits(platform);
  const isNear = waits.every(({ waited }) => waited < CAUGHT_UP_SECONDS);
  return (until ?? 0) >= throughMs && late === 0 && isNear;
}

/** What rules of a tenant that run each minute have found. */
export async function foundOccurrences(
  { postgres }: Platform,
  clusterId: string,
): Promise<readonly FoundOccurrence[]> {
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<FoundOccurrence>`
      select o.occurrence_id, s.workbook_name as workbook, s.name, o.row_count
      from signal_occurrence o join signal s using (cluster_id, signal_id)
      where s.workbook_id in (select workbook_id from rule where schedule = 'streamed')`.execute(trx),
  );
  return rows;
}

/** Forgets what a tenant's rules found, and what all have seen since a time, ms, so that it is evaluated again. */
export async function startAnew({ postgres }: Platform, clusterId: string, fromMs: number): Promise<void> {
  await inQueue(postgres, async (trx) => {
    // Whoever works on a group has lost it.
    await sql`update rule_group set lease_owner = null`.execute(trx);
    await sql`delete from rule_window`.execute(trx);
    await sql`delete from evaluated_minute`.execute(trx);
    const { rows } = await sql<{ schedule: string }>`select distinct schedule from rule_group`.execute(trx);
    for (const { schedule } of rows) {
      const due = timestamp(boundariesNamed(schedule).after(fromMs));
      await sql`update rule_group set covered_until = ${timestamp(fromMs)}, due_at = ${due}, windows_done = 0,
        first_half = null, first_half_due_at = null where schedule = ${schedule}`.execute(trx);
      await sql`update rule set covered_from = ${timestamp(fromMs)}, covered_until = ${timestamp(fromMs)},
        due_at = ${due}, group_windows = 0, keeps_step = coalesce(needs_events, false), late = '[]',
        failures_in_a_row = 0, retry_at = 'epoch', lease_owner = null, lease_until = 'epoch'
        where schedule = ${schedule} and covered_from is not null`.execute(trx);
    }
  });
  await postgres.inTenant(clusterId, (trx) => sql`delete from signal`.execute(trx));
}
