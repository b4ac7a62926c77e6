import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { RowChunk } from './ingest-batch.ts';

// A batch that a crash interrupted may be stored in part. Its events carry the batch's id in their EventUid and
// the batch's time in IngestedTime, so what is missing can be told exactly, whatever the engine remembers.

const UID = /"EventUid":"([0-9a-f-]{36})"/;
const NEWLINE = 10;

/** The identities of the batch's events that are in the store. */
export async function findStoredUids(
  eventStore: EventStore,
  clusterId: string,
  batchId: string,
  receivedMs: number,
): Promise<ReadonlySet<string>> {
  const start = `${batchId.slice(0, 8)}-${batchId.slice(8, 12)}-8${batchId.slice(12, 15)}-`;
  const { rows } = await eventStore.rows(clusterId, {
    sql: `SELECT toString(EventUid) FROM events
      WHERE IngestedTime = fromUnixTimestamp64Milli({at:Int64}, 'UTC') AND startsWith(toString(EventUid), {start:String})`,
    params: { at: receivedMs, start },
    scopes: 'all',
  });
  return new Set(rows.map(([uid]) => String(uid)));
}

/** The rows of a chunk whose identities are not among `stored`; null when none is left. */
export function withoutStored(chunk: RowChunk, stored: ReadonlySet<string>): RowChunk | null {
  const kept: Uint8Array[] = [];
  const bytes = Buffer.from(chunk.body.buffer, chunk.body.byteOffset, chunk.body.length);
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(NEWLINE, from) + 1 || bytes.length;
    // EventUid is the third field of every line, far within the first 200 bytes.
    const uid = UID.exec(bytes.toString('latin1', from, Math.min(end, from + 200)))?.[1];
    if (uid === undefined || !stored.has(uid)) kept.push(bytes.subarray(from, end));
    from = end;
  }
  return kept.length === 0 ? null : { body: Buffer.concat(kept), rows: kept.length, days: chunk.days };
}
