import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// The extractors of a tenant in PostgreSQL, tables of db/postgres/0029_extractors.sql, in the caller's transaction.

export interface ExtractorRow {
  readonly extractor_id: number;
  readonly name: string;
  readonly source_name: string;
  readonly source_type: string;
  readonly author: string;
  readonly cloned_from: number | null;
  /** Of the published one; 0 before the first. */
  readonly version: number;
  readonly yaml: string;
  readonly enabled: boolean;
  readonly draft: string | null;
  readonly draft_by: string | null;
  readonly revision: number;
  readonly created: number;
  readonly updated: number;
}

export interface VersionRow {
  readonly version: number;
  readonly author: string;
  readonly comment: string;
  readonly created: number;
}

const ROW = sql`extractor_id, name, source_name, source_type, author, cloned_from, version, yaml, enabled, draft, draft_by,
  revision, created_at as created, updated_at as updated`;

/** Held until the transaction ends: numbers, names and what is on are decided one after the other in a tenant. */
export async function lockExtractors(trx: TenantTransaction, clusterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`extractors ${clusterId}`}, 0))`.execute(trx);
}

/** By number. */
export async function ownExtractors(
  trx: TenantTransaction,
  clusterId: string,
): Promise<readonly ExtractorRow[]> {
  const { rows } = await sql<ExtractorRow>`select ${ROW} from extractor where cluster_id = ${clusterId}
    order by extractor_id`.execute(trx);
  return rows;
}

export async function findOwn(
  trx: TenantTransaction,
  clusterId: string,
  id: number,
): Promise<ExtractorRow | undefined> {
  const { rows } = await sql<ExtractorRow>`select ${ROW} from extractor
    where cluster_id = ${clusterId} and extractor_id = ${id}`.execute(trx);
  return rows[0];
}

/** Those that come with Tyrian and are off in the tenant. */
export async function switchedOff(trx: TenantTransaction, clusterId: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ extractor_id: number }>`select extractor_id from extractor_off
    where cluster_id = ${clusterId}`.execute(trx);
  return new Set(rows.map(({ extractor_id }) => extractor_id));
}

/** A number that the tenant has never given. */
export async function nextId(trx: TenantTransaction, clusterId: string, first: number): Promise<number> {
  const { rows } = await sql<{ last_id: number }>`insert into extractor_counter (cluster_id, last_id)
    values (${clusterId}, ${first}) on conflict (cluster_id) do update set last_id = extractor_counter.last_id + 1
    returning last_id`.execute(trx);
  return Number(rows[0]?.last_id);
}

export async function insertExtractor(
  trx: TenantTransaction,
  clusterId: string,
  row: ExtractorRow,
): Promise<void> {
  await sql`insert into extractor (cluster_id, extractor_id, name, source_name, source_type, author, cloned_from, draft,
      draft_by, revision, created_at, updated_at)
    values (${clusterId}, ${row.extractor_id}, ${row.name}, ${row.source_name}, ${row.source_type}, ${row.author},
      ${row.cloned_from}, ${row.draft}, ${row.draft_by}, ${row.revision}, ${timestamp(row.created)},
      ${timestamp(row.updated)})`.execute(trx);
}

/** Puts the row in place of the one that it was made of, one revision on; false when another change came first. */
export async function updateExtractor(
  trx: TenantTransaction,
  clusterId: string,
  row: ExtractorRow,
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update extractor set name = ${row.name}, source_name = ${row.source_name},
      source_type = ${row.source_type}, version = ${row.version}, yaml = ${row.yaml}, enabled = ${row.enabled},
      draft = ${row.draft}, draft_by = ${row.draft_by}, revision = revision + 1, updated_at = ${timestamp(row.updated)}
    where cluster_id = ${clusterId} and extractor_id = ${row.extractor_id} and revision = ${row.revision}`.execute(
      trx,
    );
  return numAffectedRows === 1n;
}

export async function deleteExtractor(trx: TenantTransaction, clusterId: string, id: number): Promise<void> {
  await sql`delete from extractor where cluster_id = ${clusterId} and extractor_id = ${id}`.execute(trx);
}

export async function setOff(
  trx: TenantTransaction,
  clusterId: string,
  change: { readonly id: number; readonly off: boolean; readonly by: string; readonly nowMs: number },
): Promise<void> {
  const { id, off, by, nowMs } = change;
  if (off)
    await sql`insert into extractor_off (cluster_id, extractor_id, changed_by, changed_at)
      values (${clusterId}, ${id}, ${by}, ${timestamp(nowMs)}) on conflict do nothing`.execute(trx);
  else
    await sql`delete from extractor_off where cluster_id = ${clusterId} and extractor_id = ${id}`.execute(
      trx,
    );
}

/** Keeps a version, and of all the newest `kept`. */
export async function keepVersion(
  trx: TenantTransaction,
  clusterId: string,
  id: number,
  one: VersionRow & { readonly yaml: string },
  kept: number,
): Promise<void> {
  await sql`insert into extractor_version (cluster_id, extractor_id, version, yaml, comment, author, created_at)
    values (${clusterId}, ${id}, ${one.version}, ${one.yaml}, ${one.comment}, ${one.author},
      ${timestamp(one.created)})`.execute(trx);
  await sql`delete from extractor_version where cluster_id = ${clusterId} and extractor_id = ${id}
    and version <= ${one.version - kept}`.execute(trx);
}

/** The newest first. */
export async function versionsOf(
  trx: TenantTransaction,
  clusterId: string,
  id: number,
): Promise<readonly VersionRow[]> {
  const { rows } = await sql<VersionRow>`select version, author, comment, created_at as created
    from extractor_version where cluster_id = ${clusterId} and extractor_id = ${id} order by version desc`.execute(
    trx,
  );
  return rows;
}

export async function findVersion(
  trx: TenantTransaction,
  clusterId: string,
  id: number,
  version: number,
): Promise<(VersionRow & { readonly yaml: string }) | undefined> {
  const { rows } = await sql<VersionRow & { yaml: string }>`
    select version, author, comment, created_at as created, yaml from extractor_version
    where cluster_id = ${clusterId} and extractor_id = ${id} and version = ${version}`.execute(trx);
  return rows[0];
}

export interface SamplesKey {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly id: number;
}

export async function samplesIn(
  trx: TenantTransaction,
  { clusterId, scopeId, id }: SamplesKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ samples: readonly string[] }>`select samples from extractor_sample
    where cluster_id = ${clusterId} and extractor_id = ${id} and scope_id = ${scopeId}`.execute(trx);
  return rows[0]?.samples ?? [];
}

/** No lines: there is nothing to keep. */
export async function putSamples(
  trx: TenantTransaction,
  { clusterId, scopeId, id }: SamplesKey,
  samples: readonly string[],
): Promise<void> {
  if (samples.length === 0)
    await sql`delete from extractor_sample where cluster_id = ${clusterId} and extractor_id = ${id}
      and scope_id = ${scopeId}`.execute(trx);
  else
    await sql`insert into extractor_sample (cluster_id, extractor_id, scope_id, samples)
      values (${clusterId}, ${id}, ${scopeId}, ${storableJson(samples)}::jsonb)
      on conflict (cluster_id, extractor_id, scope_id) do update set samples = excluded.samples`.execute(trx);
}
