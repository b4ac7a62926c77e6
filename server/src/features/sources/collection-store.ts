import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// What collection status keeps of a source beside its proofs.

export interface CollectionRow {
  readonly source_id: string;
  readonly source_name: string;
  readonly kind: string;
  readonly token_prefix: string | null;
  readonly networks: readonly string[] | null;
  readonly certificates: readonly string[] | null;
  readonly notice: string | null;
  readonly description: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly silent_since: number | null;
  readonly silence_learned_s: number | null;
  readonly silence_set_s: number | null;
  readonly volume_state: 'usual' | 'high' | 'low';
  readonly last_sent_at: number | null;
}

export type SourceRef = ScopeRef & { readonly sourceId: string };

export interface CollectionEdit {
  readonly description?: string | undefined;
  readonly silence_s?: number | null | undefined;
}

export function selectCollection(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  sourceId?: string,
): Promise<readonly CollectionRow[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<CollectionRow>`
      select source_id, source_name, kind, token_prefix, networks, certificates, notice, description, created_by,
        created_at, revoked_at, silent_since, silence_learned_s, silence_set_s, volume_state, last_sent_at
      from ingest_source where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and (${sourceId ?? null}::text is null or source_id = ${sourceId ?? null})
      order by lower(source_name), created_at`.execute(trx);
    return rows;
  });
}

/** False when there is no such source. */
export function updateCollection(
  postgres: Postgres,
  { clusterId, scopeId, sourceId }: SourceRef,
  { description, silence_s: silence }: CollectionEdit,
  lastStep: LastStep,
): Promise<boolean> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { numAffectedRows } = await sql`
      update ingest_source set description = coalesce(${description ?? null}, description),
        silence_set_s = case when ${silence !== undefined} then ${silence ?? null}::integer else silence_set_s end
      where cluster_id = ${clusterId} and scope_id = ${scopeId} and source_id = ${sourceId}`.execute(trx);
    if (!numAffectedRows) return false;
    await lastStep(trx);
    return true;
  });
}

/** Takes the source and all that is counted of it away, with its tokens, networks and certificates. */
export function deleteSource(
  postgres: Postgres,
  { clusterId, scopeId, sourceId }: SourceRef,
  lastStep: LastStep,
): Promise<boolean> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { numAffectedRows } = await sql`
      delete from ingest_source where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and source_id = ${sourceId}`.execute(trx);
    if (!numAffectedRows) return false;
    await lastStep(trx);
    return true;
  });
}
