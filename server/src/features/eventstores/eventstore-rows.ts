import { EVENTSTORE_LIMITS } from '@tyrian/contract';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { listStores, type StoreRow } from './eventstore-store.ts';

/** Rows of an uploaded table as they were uploaded, in their order; reading stops after `maxRows`. */
export async function* readRows(
  events: Pick<EventStore, 'query' | 'ensureTenant'>,
  { clusterId, scopeId }: ScopeRef,
  { store_id, uploads, columns }: Pick<StoreRow, 'store_id' | 'uploads' | 'columns'>,
  maxRows: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly (readonly string[])[]> {
  if (uploads.length === 0) return;
  await events.ensureTenant(clusterId);
  const { batches } = await events.query(clusterId, {
    sql: `SELECT arrayResize(Cells, {width:UInt32}) FROM eventstore_rows
      WHERE Scope = {scope:String} AND Store = {store:String} AND Upload IN {uploads:Array(String)}
      ORDER BY indexOf({uploads:Array(String)}, Upload), RowNumber LIMIT {most:UInt32}`,
    params: { width: columns.length, scope: scopeId, store: store_id, uploads: [...uploads], most: maxRows },
    settings: { max_execution_time: 60, max_memory_usage: 1024 ** 3, max_threads: 2 },
    scopes: [scopeId],
    ...(signal ? { signal } : {}),
  });
  for await (const batch of batches) yield batch.map(([cells]) => cells as string[]);
}

/**
 * The rows of an uploaded table as texts, at most `maxRows`, with a version that changes whenever they do; null when the scope
 * has no table of this name.
 */
export type EventstoreRows = (
  clusterId: string,
  scopeId: string,
  name: string,
  maxRows?: number,
) => Promise<{
  readonly version: string;
  readonly columns: StoreRow['columns'];
  readonly rows: readonly (readonly string[])[];
} | null>;

/** Rows of uploaded tables for other features. */
export function eventstoreRowsOf({
  postgres,
  eventStore,
}: Pick<Platform, 'postgres' | 'eventStore'>): EventstoreRows {
  return async (clusterId, scopeId, name, maxRows = EVENTSTORE_LIMITS.rows) => {
    const scope = { clusterId, scopeId };
    const stores = await postgres.inTenant(clusterId, (trx) => listStores(trx, scope));
    const store = stores.find((one) => one.name === name);
    if (!store) return null;
    const rows: (readonly string[])[] = [];
    for await (const batch of readRows(eventStore, scope, store, maxRows)) rows.push(...batch);
    return { version: `${store.store_id} ${store.revision}`, columns: store.columns, rows };
  };
}
