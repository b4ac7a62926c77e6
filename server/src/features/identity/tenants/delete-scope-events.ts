import {
  type Deletion,
  type DeletionRun,
  deleteEvents,
  rewritten,
} from '../../../platform/clickhouse/delete-events.ts';
import { readHoldings } from '../../../platform/clickhouse/event-holdings.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import { partitionId, partitionOf } from '../../../platform/clickhouse/event-tables.ts';
import { planDeletions } from './retention-plan.ts';

export type ScopeEventStore = Pick<EventStore, 'rows' | 'command' | 'partitions' | 'openMutations'>;

/**
 * What deleting the events of a scope takes away, partition by partition: all of it is known before. A partition whose
 * rows are not those that its figures tell is looked through too.
 */
export async function planScopeDeletion(
  eventStore: ScopeEventStore,
  clusterId: string,
  scopeId: string,
): Promise<Deletion[]> {
  const [holdings, partitions] = await Promise.all([
    readHoldings(eventStore, clusterId),
    eventStore.partitions(clusterId),
  ]);
  const rowsIn = new Map(partitions.map(({ id, rows }) => [id, rows]));
  const told = new Map<string, number>();
  for (const one of holdings) told.set(partitionId(one), (told.get(partitionId(one)) ?? 0) + one.events);
  const known = planDeletions(holdings, rowsIn, ({ scope }) => scope === scopeId).map((deletion) => ({
    ...deletion,
    streams: deletion.streams && [{ scope: scopeId, stream: null }],
  }));
  const planned = new Set(known.map(partitionId));
  const doubtful = partitions.filter(({ id, rows }) => (told.get(id) ?? 0) !== rows && !planned.has(id));
  const looked = doubtful.map(({ id }) => ({
    ...partitionOf(id),
    streams: [{ scope: scopeId, stream: null }],
    events: 0,
    bytes: 0,
  }));
  return [...known, ...looked];
}

/** What a scope has beside its events: rows of uploaded tables, results of searches, indicators that are hunted. */
const OTHER_TABLES = ['eventstore_rows', 'search_results', 'indicator_sets'] as const;

/** Deletes what a scope has beside its events; what says which of it counts is gone, so that nobody else would. */
export async function deleteOtherRows(
  eventStore: Pick<ScopeEventStore, 'command' | 'openMutations'>,
  clusterId: string,
  scopeId: string,
): Promise<void> {
  for (const table of OTHER_TABLES)
    await eventStore.command(clusterId, `ALTER TABLE ${table} DELETE WHERE Scope = {scope:String}`, {
      scope: scopeId,
    });
  await rewritten(eventStore, clusterId);
}

/** Deletes every event of a scope to which nothing is written any more; answers how many went. */
export async function deleteScopeEvents(
  eventStore: ScopeEventStore,
  clusterId: string,
  scopeId: string,
  run?: DeletionRun,
): Promise<number> {
  return deleteEvents(eventStore, clusterId, await planScopeDeletion(eventStore, clusterId, scopeId), run);
}
