import { type QueryExecutorProvider, sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp, timestampList } from '../../platform/postgres/timestamp.ts';
import type { FirstHalf } from './first-half.ts';
import type { RuleKey } from './rule-store.ts';
import { boundariesNamed, MINUTE_MS, STREAMED } from './schedule-boundaries.ts';

// The due queue in PostgreSQL, over all tenants: db/postgres/0011_detections.sql. What is idle moves on in one statement;
// what may have events is claimed. Whatever is held by somebody else is passed over.

/** The rules of a scope with one schedule. */
export interface GroupKey {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly schedule: string;
}

export interface ClaimedGroup extends GroupKey {
  readonly coveredUntil: number;
  readonly dueMs: number;
  /** The first half of its next window is asked for, which is not over. */
  readonly isFirstHalf: boolean;
  /** What is known of the first half, once that was evaluated. */
  readonly firstHalf: FirstHalf | null;
}

export interface ClaimedRule extends RuleKey {
  readonly dueMs: number;
  /** Nobody has read its query yet. */
  readonly isUnread: boolean;
}

export interface QueueMoment {
  readonly nowMs: number;
  /** No event with an earlier ingest time is expected any more. */
  readonly watermarkMs: number;
  /** Tenants whose detections are switched off. */
  readonly paused: readonly string[];
  /** Only this tenant; all when absent. */
  readonly clusterId?: string;
}

export interface ClaimLimits {
  readonly owner: string;
  /** The lease runs until then, ms. */
  readonly untilMs: number;
  readonly most: number;
  readonly mostOfTenant: number;
}

type Db = QueryExecutorProvider;

/** Marks are kept so long, and as long as their group has not come past them. */
const MARKS_KEPT_MS = 2 * 24 * 60 * MINUTE_MS;
/** Further back nobody concludes from missing marks that a rule that stands alone has missed nothing. */
const MARKS_TRUSTED_MS = MARKS_KEPT_MS - 60 * MINUTE_MS;

/** Hours of runs, a day more than anybody asks for. */
const HOURS_KEPT_MS = 8 * 24 * 60 * MINUTE_MS;

/** Scheduled groups that one statement looks at. */
const MOST_SCHEDULED = 500;

/** One transaction over all tenants. */
export const inQueue = <T>(postgres: Postgres, work: (trx: Db) => Promise<T>): Promise<T> =>
  postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'detections', true)`.execute(trx);
    return work(trx);
  });

const mayBeServed = (alias: string, { paused, clusterId }: QueueMoment) => {
  const column = sql.ref(`${alias}.cluster_id`);
  return sql<boolean>`${column} <> all(${[...paused]}::text[])
    and (${clusterId ?? null}::text is null or ${column} = ${clusterId ?? null})`;
};

/** Whether the scope of the group may have received events in the window that is due. */
const mayHaveEvents = ({ watermarkMs }: QueueMoment) => sql<boolean>`exists (select from arrival_mark a
  where a.cluster_id = g.cluster_id and a.scope_id = g.scope_id
    and a.range_from < ${timestamp(watermarkMs)} and a.range_to > g.covered_until)`;

const isDue = (moment: QueueMoment) => sql<boolean>`g.due_at <= ${timestamp(moment.watermarkMs)}
  and g.lease_until <= ${timestamp(moment.nowMs)}`;

/** Less of a window than this is not worth evaluating its first half apart. */
const LEAST_LEFT_MS = 15_000;

/** Whether the first half of its next window may be evaluated before the window is over. */
const isHalfDue = ({ watermarkMs, nowMs }: QueueMoment) => sql<boolean>`
  (g.first_half_due_at <= ${timestamp(watermarkMs)} and g.due_at > ${timestamp(watermarkMs + LEAST_LEFT_MS)}
    and g.lease_until <= ${timestamp(nowMs)})`;

/** Moves on every group that runs each minute and has had no events: one statement, however many there are. */
async function moveIdleStreamed(trx: Db, moment: QueueMoment): Promise<number> {
  const until = Math.floor(moment.watermarkMs / MINUTE_MS) * MINUTE_MS;
  const { numAffectedRows } = await sql`
    with idle as materialized (select g.cluster_id, g.scope_id from rule_group g
      where g.schedule = ${STREAMED} and ${isDue(moment)} and ${mayBeServed('g', moment)}
        and not ${mayHaveEvents(moment)}
      order by g.cluster_id, g.scope_id for update of g skip locked)
    update rule_group g set covered_until = ${timestamp(until)}, due_at = ${timestamp(until + MINUTE_MS)},
      windows_done = g.windows_done + 1, last_run_at = ${timestamp(moment.nowMs)}, first_half = null,
      first_half_due_at = null
    from idle where g.cluster_id = idle.cluster_id and g.scope_id = idle.scope_id
      and g.schedule = ${STREAMED}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

interface GroupRow {
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly schedule: string;
  readonly covered_until: number;
  readonly due_at: number;
}

/** The same for groups with a cron expression, whose boundaries are counted here. */
async function moveIdleScheduled(trx: Db, moment: QueueMoment): Promise<number> {
  const { rows } = await sql<GroupRow>`
    select g.cluster_id, g.scope_id, g.schedule, g.covered_until, g.due_at from rule_group g
    where g.schedule <> ${STREAMED} and ${isDue(moment)} and ${mayBeServed('g', moment)}
      and not ${mayHaveEvents(moment)}
    order by g.due_at limit ${MOST_SCHEDULED} for update of g skip locked`.execute(trx);
  if (rows.length === 0) return 0;
  const next = rows.map((row) => lastDue(row, moment.watermarkMs));
  await sql`
    update rule_group g set covered_until = n.covered_until, due_at = n.due_at,
      windows_done = g.windows_done + 1, last_run_at = ${timestamp(moment.nowMs)}
    from unnest(${rows.map((row) => row.cluster_id)}::text[], ${rows.map((row) => row.scope_id)}::text[],
      ${rows.map((row) => row.schedule)}::text[], ${timestampList(next.map((each) => each.untilMs))},
      ${timestampList(next.map((each) => each.dueMs))}) as n (cluster_id, scope_id, schedule, covered_until, due_at)
    where g.cluster_id = n.cluster_id and g.scope_id = n.scope_id and g.schedule = n.schedule`.execute(trx);
  return rows.length;
}

/** The last boundary up to the watermark, and the one after it. */
function lastDue(row: GroupRow, watermarkMs: number): { untilMs: number; dueMs: number } {
  const { after } = boundariesNamed(row.schedule);
  let untilMs = row.due_at;
  let dueMs = after(untilMs);
  for (; dueMs <= watermarkMs; dueMs = after(dueMs)) untilMs = dueMs;
  return { untilMs, dueMs };
}

/** Moves on all groups without events; resolves with how many. */
export async function moveIdleGroups(trx: Db, moment: QueueMoment): Promise<number> {
  return (await moveIdleStreamed(trx, moment)) + (await moveIdleScheduled(trx, moment));
}

/**
 * Lets rules keep step that have caught up with their group, or that it has passed while there were no events; resolves
 * with how many. What lies before a rule was switched on is asked of the event store, not of the marks. They have not seen
 * the first half of the next window, if the group has.
 */
export async function letKeepStep(trx: Db, moment: QueueMoment): Promise<number> {
  const { rows } = await sql<{ joined: number }>`
    with free as materialized (select g.* from rule_group g
      where g.lease_until <= ${timestamp(moment.nowMs)} and ${mayBeServed('g', moment)}
        and (g.cluster_id, g.scope_id, g.schedule) in (select r.cluster_id, r.scope_id, r.schedule from rule r
          where r.covered_from is not null and not r.keeps_step and r.needs_events and r.quarantined_at is null)
      for update of g skip locked),
    joined as (update rule r set keeps_step = true, group_windows = g.windows_done
    from free g
    where r.cluster_id = g.cluster_id and r.scope_id = g.scope_id and r.schedule = g.schedule
      and r.covered_from is not null and not r.keeps_step and r.needs_events
      and r.failures_in_a_row = 0 and r.quarantined_at is null and r.lease_until <= ${timestamp(moment.nowMs)}
      and (r.covered_until = g.covered_until
        or (r.covered_until < g.covered_until
          and r.covered_until >= greatest(r.enabled_at, ${timestamp(moment.nowMs - MARKS_TRUSTED_MS)})
          and not exists (select from arrival_mark a where a.cluster_id = r.cluster_id
            and a.scope_id = r.scope_id and a.range_from < g.covered_until
            and a.range_to > r.covered_until)))
      returning r.cluster_id, r.scope_id, r.schedule),
    whole as (update rule_group g set first_half = null from joined j
      where g.cluster_id = j.cluster_id and g.scope_id = j.scope_id and g.schedule = j.schedule
        and g.first_half is not null)
    select count(*) as joined from joined`.execute(trx);
  return Number(rows[0]?.joined ?? 0);
}

/**
 * Takes groups that may have events and are due, or the first half of whose window is: of every tenant only so many, longest
 * waiting first.
 */
export async function claimGroups(
  trx: Db,
  moment: QueueMoment,
  { owner, untilMs, most, mostOfTenant }: ClaimLimits,
): Promise<ClaimedGroup[]> {
  const isWanted = sql<boolean>`(${isDue(moment)} or ${isHalfDue(moment)})`;
  const { rows } = await sql<GroupRow & { readonly first_half: FirstHalf | null }>`
    with waiting as (select g.cluster_id, g.scope_id, g.schedule,
        row_number() over (partition by g.cluster_id order by g.lease_until) as turn
      from rule_group g
      where ${isWanted} and ${mayBeServed('g', moment)} and ${mayHaveEvents(moment)}),
    taken as materialized (select g.cluster_id, g.scope_id, g.schedule
      from rule_group g join waiting w using (cluster_id, scope_id, schedule)
      where w.turn <= ${mostOfTenant} and ${isWanted}
      order by g.lease_until, g.cluster_id limit ${most} for update of g skip locked)
    update rule_group g set lease_owner = ${owner}, lease_until = ${timestamp(untilMs)}
    from taken t where g.cluster_id = t.cluster_id and g.scope_id = t.scope_id and g.schedule = t.schedule
    returning g.cluster_id, g.scope_id, g.schedule, g.covered_until, g.due_at, g.first_half`.execute(trx);
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    schedule: row.schedule,
    coveredUntil: row.covered_until,
    dueMs: row.due_at,
    isFirstHalf: row.due_at > moment.watermarkMs,
    firstHalf: row.first_half,
  }));
}

interface RuleRow {
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly workbook_id: string;
  readonly due_at: number;
  readonly is_unread: boolean;
}

/** Takes rules that stand alone and are due, or that have windows to run again. None goes beyond its group. */
export async function claimRules(
  trx: Db,
  moment: QueueMoment,
  { owner, untilMs, most, mostOfTenant }: ClaimLimits,
): Promise<ClaimedRule[]> {
  const isFree = sql<boolean>`r.lease_until <= ${timestamp(moment.nowMs)} and r.retry_at <= ${timestamp(moment.nowMs)}
    and r.covered_from is not null and r.quarantined_at is null and (not r.keeps_step or r.late <> '[]')`;
  const { rows } = await sql<RuleRow>`
    with waiting as (select r.cluster_id, r.scope_id, r.workbook_id,
        row_number() over (partition by r.cluster_id order by r.lease_until, r.due_at) as turn
      from rule r join rule_group g using (cluster_id, scope_id, schedule)
      where ${isFree} and ${mayBeServed('r', moment)} and (r.late <> '[]' or r.needs_events is null
        or r.due_at <= least(g.covered_until, ${timestamp(moment.watermarkMs)}))),
    taken as materialized (select r.cluster_id, r.scope_id, r.workbook_id
      from rule r join waiting w using (cluster_id, scope_id, workbook_id)
      where w.turn <= ${mostOfTenant} and ${isFree}
      order by r.lease_until, r.cluster_id, r.scope_id limit ${most} for update of r skip locked)
    update rule r set lease_owner = ${owner}, lease_until = ${timestamp(untilMs)}
    from taken t where r.cluster_id = t.cluster_id and r.scope_id = t.scope_id and r.workbook_id = t.workbook_id
    returning r.cluster_id, r.scope_id, r.workbook_id, r.due_at, r.needs_events is null as is_unread`.execute(
    trx,
  );
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    workbookId: row.workbook_id,
    dueMs: row.due_at,
    isUnread: row.is_unread,
  }));
}

/** Scopes that may have received events with an ingest time from `fromMs` on, by tenant. */
export async function scopesWithArrivals(
  trx: Db,
  fromMs: number,
  moment: QueueMoment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ cluster_id: string; scope_ids: string[] }>`
    select a.cluster_id, array_agg(distinct a.scope_id) as scope_ids from arrival_mark a
    where a.range_to > ${timestamp(fromMs)} and ${mayBeServed('a', moment)} group by a.cluster_id`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.cluster_id, row.scope_ids]));
}

/** Deletes what nobody asks for any more: windows and counts that ended before these times, and old marks. */
export async function pruneQueue(
  trx: Db,
  nowMs: number,
  before: { readonly windowsMs: number; readonly minutesMs: number },
): Promise<void> {
  await sql`delete from rule_window where range_to < ${timestamp(before.windowsMs)}`.execute(trx);
  await sql`delete from evaluated_minute where minute_start < ${timestamp(before.minutesMs)}`.execute(trx);
  await sql`delete from rule_hour where hour < ${timestamp(nowMs - HOURS_KEPT_MS)}`.execute(trx);
  await sql`delete from arrival_mark a where a.range_to < ${timestamp(nowMs - MARKS_KEPT_MS)}
    and not exists (select from rule_group g where g.cluster_id = a.cluster_id and g.scope_id = a.scope_id
      and g.covered_until < a.range_to)`.execute(trx);
}

/** Fails, to be tried again, when a rule comes to one of the groups meanwhile. */
export async function pruneGroups(trx: Db, nowMs: number): Promise<void> {
  await sql`delete from rule_group g where g.lease_until <= ${timestamp(nowMs)} and not exists (select from rule r
    where r.cluster_id = g.cluster_id and r.scope_id = g.scope_id and r.schedule = g.schedule)`.execute(trx);
}
