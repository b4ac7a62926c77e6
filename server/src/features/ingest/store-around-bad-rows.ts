import { randomBytes } from 'node:crypto';
import { RETENTION_COLUMN } from '@tyrian/catalog';
import { type ReadRow, readRowBlocks, rowAsJson } from '@tyrian/ingest';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import type { Logger } from '../../platform/log.ts';

// One row that the store cannot read would refuse a whole insert, and with it events of other senders. Such an
// insert is halved until the row stands alone; that row is stored with its text only, marked as a parse error.

/** Codes of ClickHouse that speak of the data, not of the engine's state. */
const BAD_DATA = new Set([
  6, 25, 26, 27, 28, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 321, 349, 386, 441, 467, 469, 645,
]);

export function isBadData(error: unknown): boolean {
  return error instanceof EventStoreError && BAD_DATA.has(error.code);
}

const KEPT = [
  'TimeGenerated',
  'IngestedTime',
  'EventUid',
  'Stream',
  'Scope',
  'SourceName',
  'SourceType',
  'SourceAddress',
  'Raw',
  RETENTION_COLUMN.name,
];

/** The row with nothing but what Tyrian itself wrote, and the text. */
function textOnly(row: ReadRow, reason: string): string {
  const kept = Object.fromEntries(
    KEPT.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]),
  );
  const parseError = `the store could not read the fields: ${reason}`.slice(0, 300);
  return JSON.stringify({ ...kept, ParseStatus: 'PER', ParseError: parseError });
}

/** Stores the rows of a refused insert, the bad ones as text. Throws what is no fault of the data. */
export async function storeAroundBadRows(
  eventStore: EventStore,
  clusterId: string,
  bodies: readonly Uint8Array[],
  log: Logger,
): Promise<void> {
  const insert = (lines: readonly string[]) =>
    eventStore.insertRows(clusterId, Buffer.from(`${lines.join('\n')}\n`), {
      dedupToken: randomBytes(16).toString('hex'),
    });
  const storeRows = async (rows: readonly ReadRow[]): Promise<void> => {
    try {
      await insert(rows.map(rowAsJson));
    } catch (error) {
      if (!isBadData(error)) throw error;
      const [only] = rows;
      if (rows.length === 1 && only !== undefined) {
        log.warn({ err: (error as Error).message.slice(0, 300) }, 'a row was stored as text only');
        await insert([textOnly(only, (error as Error).message)]);
        return;
      }
      const half = rows.length >> 1;
      await storeRows(rows.slice(0, half));
      await storeRows(rows.slice(half));
    }
  };
  await storeRows(bodies.flatMap(readRowBlocks));
}
