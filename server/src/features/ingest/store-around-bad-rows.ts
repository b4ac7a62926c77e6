import { createHash } from 'node:crypto';
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

/** A token of rows within an insert that has one: the same rows have the same token at each try. */
const tokenOf = (insertToken: string, rows: string): string =>
  createHash('sha256').update(`${insertToken} ${rows}`).digest('hex').slice(0, 32);

export interface RefusedInsert {
  readonly clusterId: string;
  /** Rows in the native format. */
  readonly bodies: readonly Uint8Array[];
  /** The token of the insert that was refused. */
  readonly dedupToken: string;
}

/**
 * Stores the rows of a refused insert, the bad ones as text. Throws what is no fault of the data; a later try with the
 * same token stores what is missing, and nothing twice.
 */
export async function storeAroundBadRows(
  eventStore: EventStore,
  { clusterId, bodies, dedupToken }: RefusedInsert,
  log: Logger,
): Promise<void> {
  const insert = (lines: readonly string[], which: string) =>
    eventStore.insertRows(clusterId, Buffer.from(`${lines.join('\n')}\n`), {
      dedupToken: tokenOf(dedupToken, which),
    });
  const storeRows = async (rows: readonly ReadRow[], from: number): Promise<void> => {
    try {
      await insert(rows.map(rowAsJson), `${from}+${rows.length}`);
    } catch (error) {
      if (!isBadData(error)) throw error;
      const [only] = rows;
      if (rows.length === 1 && only !== undefined) {
        log.warn({ err: (error as Error).message.slice(0, 300) }, 'a row was stored as text only');
        await insert([textOnly(only, (error as Error).message)], `${from} as text`);
        return;
      }
      const half = rows.length >> 1;
      await storeRows(rows.slice(0, half), from);
      await storeRows(rows.slice(half), from + half);
    }
  };
  await storeRows(bodies.flatMap(readRowBlocks), 0);
}
