import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// What other features ask of the sources of a tenant: their names, and how much each sent by day.

/** What one source sent on one UTC day. */
export interface SourceVolume {
  readonly sourceId: string;
  readonly source: string;
  readonly scopeName: string;
  /** Begin of the day, epoch milliseconds. */
  readonly day: number;
  readonly events: number;
  readonly rawBytes: number;
}

/** Volume of every source of a tenant by day, in a range that begins and ends with days. */
export function volumesByDay(
  postgres: Postgres,
  clusterId: string,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly SourceVolume[]> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.cluster_id', ${clusterId}, true)`.execute(trx);
    const { rows } = await sql<SourceVolume>`
      select a.source_id as "sourceId", s.source_name as source, c.scope_name as "scopeName", a.from_at as day,
        a.stored + a.spooled as events, a.raw_bytes as "rawBytes"
      from ingest_account a join ingest_source s using (cluster_id, source_id) join scope c using (cluster_id, scope_id)
      where a.cluster_id = ${clusterId} and a.span = 'day' and a.from_at >= ${timestamp(range.fromMs)}
        and a.from_at < ${timestamp(range.toMs)}`.execute(trx);
    return rows;
  });
}

/** Names of the sources of a scope by id. */
export function sourceNames(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
): Promise<ReadonlyMap<string, string>> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ source_id: string; source_name: string }>`
      select source_id, source_name from ingest_source
      where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(trx);
    return new Map(rows.map((row) => [row.source_id, row.source_name]));
  });
}
