import type { EventStore } from '../../platform/clickhouse/event-store.ts';

// A batch that a crash interrupted may be stored in part. Its events carry the batch's id and their positions in
// their EventUid and the batch's time in IngestedTime, so what is missing can be told exactly, whatever the engine
// remembers.

/** Positions in the batch of the events that are in the store. */
export async function findStoredPositions(
  eventStore: EventStore,
  clusterId: string,
  batchId: string,
  receivedMs: number,
): Promise<ReadonlySet<number>> {
  const start = `${batchId.slice(0, 8)}-${batchId.slice(8, 12)}-8${batchId.slice(12, 15)}-`;
  const { rows } = await eventStore.rows(clusterId, {
    sql: `SELECT toString(EventUid) FROM events
      WHERE IngestedTime = fromUnixTimestamp64Milli({at:Int64}, 'UTC') AND startsWith(toString(EventUid), {start:String})`,
    params: { at: receivedMs, start },
    scopes: 'all',
  });
  // The position is the last 15 hexadecimal digits; a body has far fewer records than fit into the last 12.
  return new Set(rows.map(([uid]) => Number.parseInt(String(uid).slice(24), 16)));
}
