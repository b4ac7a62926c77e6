import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestampList } from '../../platform/postgres/timestamp.ts';

// Events that are read again keep their time of arrival and may come to another stream. Rules are past these minutes: what
// the minutes held counts as seen from now on, so that nobody takes the events for late ones.

/** Events by minute (its start) and stream; less than zero for those that go. */
export type ShiftedCounts = ReadonlyMap<number, Readonly<Record<string, number>>>;

/** Adds to the counts of evaluated minutes; minutes that nobody has evaluated have none. */
export async function shiftCounts(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  shifted: ShiftedCounts,
): Promise<void> {
  if (shifted.size === 0) return;
  const sorted = [...shifted].sort(([a], [b]) => a - b);
  await sql`
    update evaluated_minute e set seen = (
      select coalesce(jsonb_object_agg(name, count), '{}') from (
        select name, greatest(0, coalesce((e.seen ->> name)::bigint, 0) + coalesce((d.counts ->> name)::bigint, 0)) as count
        from jsonb_object_keys(e.seen || d.counts) name) counted)
    from (select minute, counts::jsonb as counts
      from unnest(${timestampList(sorted.map(([minute]) => minute))},
        ${sorted.map(([, counts]) => JSON.stringify(counts))}::text[]) as m (minute, counts)) d
    where e.cluster_id = ${clusterId} and e.scope_id = ${scopeId} and e.minute_start = d.minute`.execute(trx);
}
