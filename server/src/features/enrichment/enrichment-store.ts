import type { EnrichmentTable, EnrichmentTableKind } from '@tyrian/contract';
import type { SetTable } from '@tyrian/ingest';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { failureIn } from '../../platform/said-of-failure.ts';
import type { InScope } from './enrichment-set-store.ts';

// The tables of enrichment of a scope, in the caller's transaction.

/** How the content of a table is read. */
export interface Reading {
  readonly format: EnrichmentTable['format'];
  readonly keyColumn: string;
  readonly confidence: number;
  readonly expires: number | null;
}

interface TableRow {
  readonly table_id: string;
  readonly kind: EnrichmentTableKind;
  readonly name: string;
  readonly enabled: boolean;
  readonly columns: string[];
  readonly reading: Partial<Reading>;
  readonly yaml: string;
  readonly version: number;
  readonly entries: number;
  readonly size_bytes: number;
  readonly built_at: Date | null;
  readonly build_error: string | null;
  readonly run_id: number | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly created_by: string;
  readonly changed_at: Date;
  readonly changed_by: string;
  readonly looked: number;
  readonly found: number;
  readonly last_hit: Date | null;
}

const ms = (time: Date | number): number => new Date(time).getTime();
const WEEK_MS = 7 * 86_400_000;

/** With the run that builds it now or next. */
export type StoredTable = EnrichmentTable & { readonly run_id: number | null };

function tableOf(row: TableRow): StoredTable {
  const { reading } = row;
  return {
    table_id: row.table_id,
    kind: row.kind,
    name: row.name,
    enabled: row.enabled,
    fields: row.columns,
    format: reading.format ?? 'csv',
    key_column: reading.keyColumn ?? '',
    confidence: reading.confidence ?? 50,
    expires: reading.expires ?? null,
    yaml: row.yaml,
    version: row.version,
    rows: row.entries,
    size_bytes: row.size_bytes,
    last_build: row.built_at && {
      time: ms(row.built_at),
      rows: row.entries,
      error: failureIn(row.build_error),
    },
    run_id: row.run_id,
    is_building: row.run_id !== null,
    author: row.created_by,
    created: ms(row.created_at),
    modified: ms(row.changed_at),
    modified_by: row.changed_by,
    revision: row.revision,
    looked_7d: row.looked,
    hits_7d: row.found,
    last_hit: row.last_hit && ms(row.last_hit),
  };
}

/** The tables of a scope in the order in which they work, or one of them. */
export async function listTables(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  nowMs: number,
  tableId: string | null = null,
): Promise<readonly StoredTable[]> {
  const { rows } = await sql<TableRow>`
    select t.*, coalesce(h.looked, 0)::bigint as looked,
      coalesce(h.found, 0)::bigint as found, h.last_hit
    from enrichment_table t left join lateral (
      select sum(looked) as looked, sum(found) as found, max(last_at) as last_hit from enrichment_hit h
      where h.cluster_id = t.cluster_id and h.scope_id = t.scope_id and h.table_id = t.table_id
        and h.day > (${timestamp(nowMs - WEEK_MS)}::timestamptz at time zone 'UTC')::date) h on true
    where t.cluster_id = ${clusterId} and t.scope_id = ${scopeId}
      and (${tableId}::text is null or t.table_id = ${tableId})
    order by array_position(array['networks', 'indicators', 'assets', 'identities', 'bucket'], t.kind),
      t.created_at, t.table_id`.execute(trx);
  return rows.map(tableOf);
}

/** A table, held until the transaction ends. */
export async function lockTable(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
): Promise<{
  readonly revision: number;
  readonly kind: EnrichmentTableKind;
  readonly name: string;
  readonly size_bytes: number;
} | null> {
  const { rows } = await sql<{
    revision: number;
    kind: EnrichmentTableKind;
    name: string;
    size_bytes: number;
  }>`select revision, kind, name, size_bytes from enrichment_table
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId} for update`.execute(
    trx,
  );
  return rows[0] ?? null;
}

export async function imageOf(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
): Promise<Uint8Array | null> {
  const { rows } = await sql<{ image: Buffer }>`select image from enrichment_image
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}`.execute(trx);
  return rows[0] === undefined ? null : new Uint8Array(rows[0].image);
}

export interface TableContent {
  readonly kind: EnrichmentTableKind;
  readonly name: string;
  readonly enabled: boolean;
  readonly columns: readonly string[];
  readonly reading: Reading;
  readonly yaml: string;
}

interface By {
  readonly author: string;
  readonly nowMs: number;
}

/** Writes a table without its entries; answers its revision. */
export async function writeTable(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
  content: TableContent,
  by: By,
): Promise<number> {
  const { kind, name, enabled, columns, reading, yaml } = content;
  const now = timestamp(by.nowMs);
  const { rows } = await sql<{ revision: number }>`
    insert into enrichment_table as old (cluster_id, scope_id, table_id, kind, name, enabled, columns, reading, yaml,
      created_at, created_by, changed_at, changed_by)
    values (${clusterId}, ${scopeId}, ${tableId}, ${kind}, ${name}, ${enabled}, ${[...columns]}::text[],
      ${JSON.stringify(reading)}::jsonb, ${yaml}, ${now}, ${by.author}, ${now}, ${by.author})
    on conflict (cluster_id, scope_id, table_id) do update set name = excluded.name, enabled = excluded.enabled,
      columns = excluded.columns, reading = excluded.reading, yaml = excluded.yaml, revision = old.revision + 1,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by
    returning revision`.execute(trx);
  return rows[0]?.revision ?? 1;
}

export interface NewEntries {
  readonly image: Uint8Array;
  readonly entries: number;
  readonly prefixes: SetTable['prefixes'];
}

/** Gives a table other entries, which are a version of their own. */
export async function writeEntries(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
  { image, entries, prefixes }: NewEntries,
  nowMs: number,
): Promise<void> {
  await sql`
    insert into enrichment_image (cluster_id, scope_id, table_id, image)
    values (${clusterId}, ${scopeId}, ${tableId}, ${Buffer.from(image)})
    on conflict (cluster_id, scope_id, table_id) do update set image = excluded.image`.execute(trx);
  await sql`
    update enrichment_table set version = version + 1, entries = ${entries}, size_bytes = ${image.byteLength},
      prefixes = ${JSON.stringify(prefixes)}::jsonb, built_at = ${timestamp(nowMs)}, build_error = null, run_id = null
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}`.execute(trx);
}

/** Switches a table; answers its revision and name, null when the scope has none such. */
export async function switchTable(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
  enabled: boolean,
  by: By,
): Promise<{ readonly revision: number; readonly name: string; readonly kind: EnrichmentTableKind } | null> {
  const { rows } = await sql<{ revision: number; name: string; kind: EnrichmentTableKind }>`
    update enrichment_table set enabled = ${enabled}, revision = revision + 1, changed_at = ${timestamp(by.nowMs)},
      changed_by = ${by.author}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}
    returning revision, name, kind`.execute(trx);
  return rows[0] ?? null;
}

export async function deleteTable(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
): Promise<{ readonly name: string; readonly kind: EnrichmentTableKind } | null> {
  const { rows } = await sql<{ name: string; kind: EnrichmentTableKind }>`
    delete from enrichment_table
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}
    returning name, kind`.execute(trx);
  return rows[0] ?? null;
}

/**
 * Makes the set of the scope another one and tells every process. Also what one change waits for while another of the
 * scope is written: to be called before figures of the scope are read.
 */
export async function changeSet(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  channel: string,
): Promise<void> {
  await sql`
    insert into enrichment_set as old (cluster_id, scope_id, version) values (${clusterId}, ${scopeId}, 1)
    on conflict (cluster_id, scope_id) do update set version = old.version + 1`.execute(trx);
  await sql`select pg_notify(${channel}, ${`${clusterId} ${scopeId}`})`.execute(trx);
}

/** How many tables the scope has, and the bytes of all of them. */
export async function sizeOfScope(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
): Promise<{ readonly tables: number; readonly bytes: number }> {
  const { rows } = await sql<{ tables: number; bytes: number }>`
    select count(*)::integer as tables, coalesce(sum(size_bytes), 0)::bigint as bytes from enrichment_table
    where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(trx);
  return rows[0] ?? { tables: 0, bytes: 0 };
}

/** The name of a table that is called so already, however it is written; null when there is none. */
export async function tableNamed(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  name: string,
): Promise<string | null> {
  const { rows } = await sql<{ table_id: string }>`select table_id from enrichment_table
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and lower(name) = lower(${name})`.execute(trx);
  return rows[0]?.table_id ?? null;
}

/** Buckets of all scopes of the tenant. */
export async function countBuckets(trx: TenantTransaction, clusterId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from enrichment_table
    where cluster_id = ${clusterId} and kind = 'bucket'`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Notes the run that builds a bucket. */
export async function noteBuild(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
  runId: number,
): Promise<void> {
  await sql`update enrichment_table set run_id = ${runId}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}`.execute(trx);
}

/** Notes why a build failed; what was built before stays. */
export async function noteBuildFailure(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  tableId: string,
  error: string,
  nowMs: number,
): Promise<void> {
  await sql`update enrichment_table set build_error = ${error}, built_at = ${timestamp(nowMs)}, run_id = null
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and table_id = ${tableId}`.execute(trx);
}
