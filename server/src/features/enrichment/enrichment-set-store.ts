import type { EnrichmentHits, SetTable } from '@tyrian/ingest';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// What ingest reads of the tables of a scope, and the counts that it writes back.

export interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

/** Names a set among those of all scopes. */
const versionText = ({ clusterId, scopeId }: InScope, version: number): string =>
  `${clusterId} ${scopeId} ${version}`;

/** Which set the scope has now; null when it never had one. */
export async function setVersion(postgres: Postgres, scope: InScope): Promise<string | null> {
  const { rows } = await postgres.inTenant(scope.clusterId, (trx) =>
    sql<{ version: number }>`select version from enrichment_set
      where cluster_id = ${scope.clusterId} and scope_id = ${scope.scopeId}`.execute(trx),
  );
  return rows[0] === undefined ? null : versionText(scope, rows[0].version);
}

type TableRow = SetTable & { readonly image: Buffer; readonly set_version: number };

/** The tables that are switched on, in the order in which they work; null when the scope never had one. */
export async function loadSet(
  postgres: Postgres,
  scope: InScope,
): Promise<{
  readonly version: string;
  readonly tables: readonly (SetTable & { image: Uint8Array })[];
} | null> {
  const { clusterId, scopeId } = scope;
  const { version, rows } = await postgres.inTenant(clusterId, async (trx) => {
    const found = await sql<{ version: number }>`select version from enrichment_set
      where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(trx);
    const tables = await sql<TableRow>`
      select t.table_id as id, t.name, t.kind, t.version, t.columns, t.prefixes, i.image
      from enrichment_table t join enrichment_image i using (cluster_id, scope_id, table_id)
      where t.cluster_id = ${clusterId} and t.scope_id = ${scopeId} and t.enabled and t.entries > 0
      order by array_position(array['networks', 'indicators', 'assets', 'identities', 'bucket'], t.kind),
        t.created_at, t.table_id`.execute(trx);
    return { version: found.rows[0]?.version, rows: tables.rows };
  });
  if (version === undefined) return null;
  const tables = rows.map(({ image, ...table }) => ({ ...table, image: new Uint8Array(image) }));
  return { version: versionText(scope, version), tables };
}

/** Adds counts; a table that is gone takes its counts with it. */
export async function addHits(
  postgres: Postgres,
  { clusterId, scopeId }: InScope,
  hits: EnrichmentHits,
  nowMs: number,
): Promise<void> {
  const rows = Object.entries(hits);
  const now = timestamp(nowMs);
  await postgres.inTenant(clusterId, (trx) =>
    sql`
      insert into enrichment_hit as old (cluster_id, scope_id, table_id, day, looked, found, last_at)
      select ${clusterId}, ${scopeId}, t.table_id, (${now}::timestamptz at time zone 'UTC')::date, n.looked, n.found,
        case when n.found > 0 then ${now}::timestamptz end
      from unnest(${rows.map(([id]) => id)}::text[], ${rows.map(([, [looked]]) => looked)}::bigint[],
        ${rows.map(([, [, found]]) => found)}::bigint[]) as n(table_id, looked, found)
      join enrichment_table t on t.cluster_id = ${clusterId} and t.scope_id = ${scopeId} and t.table_id = n.table_id
      on conflict (cluster_id, scope_id, table_id, day) do update set looked = old.looked + excluded.looked,
        found = old.found + excluded.found, last_at = coalesce(excluded.last_at, old.last_at)`.execute(trx),
  );
}
