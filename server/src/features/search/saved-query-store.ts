import type { SavedKind } from '@tyrian/contract';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { type Row, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { SavedQueryTable, SearchTables } from './search-tables.ts';

// Saved queries and snippets in PostgreSQL. Whoever asks names tenant and scope; what is deleted is only found to be
// brought back.

export type SavedQueryRow = Row<Omit<SavedQueryTable, 'cluster_id'>>;

/** The last step of the transaction of a change: its entry in the audit trail. */
export type Told = (trx: TenantTransaction) => Promise<void>;

export interface SavedQueryStore {
  /** The user's own and the shared ones, by folder and name. */
  list(scope: ScopeRef, userId: string, kind: SavedKind): Promise<SavedQueryRow[]>;
  /** Null when the scope has none of this id. */
  find(scope: ScopeRef, id: string): Promise<SavedQueryRow | null>;
  /** Throws the engine's unique violation when the owner has one of this name. */
  add(scope: ScopeRef, row: SavedQueryRow, told: Told): Promise<void>;
  /** Changes the row that still has this version; false when another change came first. */
  change(
    scope: ScopeRef,
    id: string,
    version: number,
    change: Partial<Omit<SavedQueryRow, 'id' | 'scope_id'>>,
    told: Told,
  ): Promise<boolean>;
  count(scope: ScopeRef, userId: string): Promise<number>;
}

const storedRow = <T extends Partial<SavedQueryRow>>(row: T) =>
  withTimestamps(row, 'created_at', 'updated_at', 'deleted_at');

const tables = (trx: TenantTransaction) => trx.withTables<SearchTables>();

export function createSavedQueryStore(postgres: Postgres): SavedQueryStore {
  return bindDeps(postgres, { list, find, add, change, count });
}

function inScope<T>(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  work: (trx: TenantTransaction, scope: ScopeRef) => Promise<T>,
) {
  return postgres.inTenant(clusterId, (trx) => work(trx, { clusterId, scopeId }));
}

function list(
  postgres: Postgres,
  asked: ScopeRef,
  userId: string,
  kind: SavedKind,
): Promise<SavedQueryRow[]> {
  return inScope(postgres, asked, (trx, { clusterId, scopeId }) =>
    tables(trx)
      .selectFrom('saved_query')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .where('kind', '=', kind)
      .where('deleted_at', 'is', null)
      .where((where) => where.or([where('owner_id', '=', userId), where('shared', '=', true)]))
      .orderBy('folder')
      .orderBy((order) => order.fn('lower', ['name']))
      .orderBy('id')
      .execute(),
  );
}

function find(postgres: Postgres, asked: ScopeRef, id: string): Promise<SavedQueryRow | null> {
  return inScope(postgres, asked, async (trx, { clusterId, scopeId }) => {
    const row = await tables(trx)
      .selectFrom('saved_query')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  });
}

function add(postgres: Postgres, asked: ScopeRef, row: SavedQueryRow, told: Told): Promise<void> {
  return inScope(postgres, asked, async (trx, { clusterId, scopeId }) => {
    await tables(trx)
      .insertInto('saved_query')
      .values({ ...storedRow(row), cluster_id: clusterId, scope_id: scopeId })
      .execute();
    await told(trx);
  });
}

function change(
  postgres: Postgres,
  asked: ScopeRef,
  id: string,
  version: number,
  change: Partial<Omit<SavedQueryRow, 'id' | 'scope_id'>>,
  told: Told,
): Promise<boolean> {
  return inScope(postgres, asked, async (trx, { clusterId, scopeId }) => {
    const { numUpdatedRows } = await tables(trx)
      .updateTable('saved_query')
      .set(storedRow(change))
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    if (Number(numUpdatedRows) !== 1) return false;
    await told(trx);
    return true;
  });
}

function count(postgres: Postgres, asked: ScopeRef, userId: string): Promise<number> {
  return inScope(postgres, asked, async (trx, { clusterId, scopeId }) => {
    const { count } = await tables(trx)
      .selectFrom('saved_query')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .where('owner_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  });
}
