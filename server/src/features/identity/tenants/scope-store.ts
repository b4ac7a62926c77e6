import type { ScopeItem } from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';

export async function findScope(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
): Promise<ScopeItem | undefined> {
  return db
    .selectFrom('scope')
    .select(['scope_id', 'scope_name', 'is_enabled'])
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .executeTakeFirst();
}

/** Throws the engine's unique violation when the name is taken in the tenant. */
export async function insertScope(
  db: IdentityDb,
  scope: {
    readonly clusterId: string;
    readonly scopeId: string;
    readonly name: string;
    readonly now: number;
  },
): Promise<void> {
  await db
    .insertInto('scope')
    .values({
      cluster_id: scope.clusterId,
      scope_id: scope.scopeId,
      scope_name: scope.name,
      created_at: timestamp(scope.now),
    })
    .execute();
}

export async function updateScopeName(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
  name: string,
): Promise<ScopeItem | undefined> {
  return db
    .updateTable('scope')
    .set({ scope_name: name })
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .returning(['scope_id', 'scope_name', 'is_enabled'])
    .executeTakeFirst();
}

/** Why a scope cannot be deleted; null when it can. */
export async function whyScopeStays(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
): Promise<'missing' | 'enabled' | 'last' | null> {
  const scope = await findScope(db, clusterId, scopeId);
  if (!scope) return 'missing';
  if (scope.is_enabled) return 'enabled';
  const { others } = await db
    .selectFrom('scope')
    .select(sql<number>`count(*)`.as('others'))
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '!=', scopeId)
    .executeTakeFirstOrThrow();
  return others === 0 ? 'last' : null;
}

/**
 * Deletes a scope if it still can be. The tenant is locked for it, so that two deletions at once cannot leave none.
 */
export async function deleteScopeRow(
  db: IdentityDb,
  clusterId: string,
  scopeId: string,
): Promise<'missing' | 'enabled' | 'last' | null> {
  return withinTransaction(db, async (trx) => {
    await trx
      .selectFrom('tenant')
      .select('cluster_id')
      .where('cluster_id', '=', clusterId)
      .forUpdate()
      .execute();
    const why = await whyScopeStays(trx, clusterId, scopeId);
    if (why !== null) return why;
    await trx
      .deleteFrom('scope')
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .execute();
    return null;
  });
}
