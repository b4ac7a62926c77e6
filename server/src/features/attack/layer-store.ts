import type { LayerItem, LayerMark } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Layers, days and accepted attributions in PostgreSQL, in the caller's transaction.

export async function selectLayers(trx: TenantTransaction, scope: ScopeRef): Promise<LayerItem[]> {
  const { rows } = await sql<LayerItem>`
    select layer_id, name, jsonb_array_length(marks) as techniques, attack_version, created_at as created,
      created_by as author
    from attack_layer where cluster_id = ${scope.clusterId} and scope_id = ${scope.scopeId}
    order by name, layer_id`.execute(trx);
  return rows;
}

export interface StoredLayer {
  readonly name: string;
  readonly marks: readonly LayerMark[];
}

export async function findLayer(
  trx: TenantTransaction,
  scope: ScopeRef,
  layerId: string,
): Promise<StoredLayer | undefined> {
  const { rows } = await sql<StoredLayer>`
    select name, marks from attack_layer
    where cluster_id = ${scope.clusterId} and scope_id = ${scope.scopeId} and layer_id = ${layerId}`.execute(
    trx,
  );
  return rows[0];
}

export async function insertLayer(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  layer: LayerItem & { readonly marks: readonly LayerMark[] },
): Promise<void> {
  await sql`
    insert into attack_layer (cluster_id, scope_id, layer_id, name, attack_version, marks, created_at, created_by)
    values (${clusterId}, ${scopeId}, ${layer.layer_id}, ${layer.name}, ${layer.attack_version},
      ${JSON.stringify(layer.marks)}::jsonb, ${timestamp(layer.created)}, ${layer.author})`.execute(trx);
}

/** The name of what was deleted; undefined when it was not there. */
export async function deleteLayer(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  layerId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from attack_layer where cluster_id = ${clusterId} and scope_id = ${scopeId} and layer_id = ${layerId}
    returning name`.execute(trx);
  return rows[0]?.name;
}

interface AcceptedRow {
  readonly actor_id: string;
  readonly accepted_by: string;
  readonly accepted: number;
}

export async function selectAccepted(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  workbookId: string,
): Promise<readonly AcceptedRow[]> {
  const { rows } = await sql<AcceptedRow>`
    select actor_id, accepted_by, accepted_at as accepted from workbook_actor
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and workbook_id = ${workbookId}
    order by accepted_at, actor_id`.execute(trx);
  return rows;
}

/** Keeps or forgets that an actor was accepted; what is so already stays as it is. */
export async function writeAccepted(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  given: {
    readonly workbookId: string;
    readonly actorId: string;
    readonly accepted: boolean;
    readonly by: string;
    readonly nowMs: number;
  },
): Promise<void> {
  if (given.accepted)
    await sql`
      insert into workbook_actor (cluster_id, scope_id, workbook_id, actor_id, accepted_at, accepted_by)
      values (${clusterId}, ${scopeId}, ${given.workbookId}, ${given.actorId}, ${timestamp(given.nowMs)}, ${given.by})
      on conflict do nothing`.execute(trx);
  else
    await sql`
      delete from workbook_actor where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and workbook_id = ${given.workbookId} and actor_id = ${given.actorId}`.execute(trx);
}
