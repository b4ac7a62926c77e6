import { type QueryExecutorProvider, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp, timestampList } from '../../platform/postgres/timestamp.ts';
import type { Window } from './scheduler-machine.ts';
import type { StreamCounts } from './stream-activity.ts';

// How many events each minute of a scope held when it was first evaluated, kept as long as late events are looked for.
// Groups come before rules that stand alone, so the first count is the smallest that any rule has seen.

/** Events that are committed later than this after their ingest are not looked for. */
export const LATE_EVENTS_MS = 24 * 60 * 60_000;

export interface EvaluatedMinute {
  readonly scopeId: string;
  readonly minute: number;
  readonly seen: StreamCounts;
}

type Db = TenantTransaction | QueryExecutorProvider;

/**
 * Keeps the counts of minutes; what stands there already stays, as far as it is smaller. A minute without a line that other
 * rules are past was empty for them, and stays without one. `own` is the rule that stands alone and is counted for; the
 * rules of a group are counted for before it moves on.
 */
export async function keepFirstCounts(
  trx: Db,
  clusterId: string,
  scopeId: string,
  minutes: ReadonlyMap<number, StreamCounts>,
  own = '',
): Promise<void> {
  await putCounts(
    trx,
    clusterId,
    scopeId,
    minutes,
    sql`(
    select coalesce(jsonb_object_agg(first.key, least(first.value::bigint, (excluded.seen ->> first.key)::bigint)), '{}')
    from jsonb_each_text(evaluated_minute.seen) first where excluded.seen ? first.key)`,
    sql`exists (select 1 from evaluated_minute e
        where e.cluster_id = ${clusterId} and e.scope_id = ${scopeId} and e.minute_start = minute)
      or not exists (select 1 from rule r
        left join rule_group g using (cluster_id, scope_id, schedule)
        where r.cluster_id = ${clusterId} and r.scope_id = ${scopeId} and r.workbook_id <> ${own}
          and r.covered_from < minute + interval '1 minute'
          and case when r.keeps_step then g.covered_until else r.covered_until end
            > greatest(minute, r.covered_from))`,
  );
}

/** Puts counts instead of those that stand, for rules are told to evaluate these minutes again. */
export const putNewCounts = (
  trx: Db,
  clusterId: string,
  scopeId: string,
  minutes: ReadonlyMap<number, StreamCounts>,
): Promise<void> => putCounts(trx, clusterId, scopeId, minutes, sql`excluded.seen`);

async function putCounts(
  trx: Db,
  clusterId: string,
  scopeId: string,
  minutes: ReadonlyMap<number, StreamCounts>,
  seen: ReturnType<typeof sql>,
  wanted: ReturnType<typeof sql> = sql`true`,
): Promise<void> {
  if (minutes.size === 0) return;
  // In one order for everybody, so that no two wait for each other.
  const sorted = [...minutes].sort(([a], [b]) => a - b);
  await sql`
    insert into evaluated_minute (cluster_id, scope_id, minute_start, seen)
    select ${clusterId}, ${scopeId}, minute, counts::jsonb
    from unnest(${timestampList(sorted.map(([minute]) => minute))},
      ${sorted.map(([, counts]) => JSON.stringify(counts))}::text[]) as m (minute, counts)
    where ${wanted}
    on conflict (cluster_id, scope_id, minute_start) do update set seen = ${seen}
    where evaluated_minute.seen <> ${seen}`.execute(trx);
}

/** The counts of a tenant's minutes that begin in the range. */
export async function firstCounts(trx: Db, clusterId: string, range: Window): Promise<EvaluatedMinute[]> {
  const { rows } = await sql<{ scope_id: string; minute_start: number; seen: StreamCounts }>`
    select scope_id, minute_start, seen from evaluated_minute
    where cluster_id = ${clusterId} and minute_start >= ${timestamp(range.from)}
      and minute_start < ${timestamp(range.to)}`.execute(trx);
  return rows.map((row) => ({ scopeId: row.scope_id, minute: row.minute_start, seen: row.seen }));
}
