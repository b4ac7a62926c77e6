import { randomBytes } from 'node:crypto';
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
];

/** The row with nothing but what Tyrian itself wrote, and the text. */
function textOnly(line: string, reason: string): string {
  const row = JSON.parse(line) as Record<string, unknown>;
  const kept = Object.fromEntries(
    KEPT.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]),
  );
  const parseError = `the store could not read the fields: ${reason}`.slice(0, 300);
  return `${JSON.stringify({ ...kept, ParseStatus: 'PER', ParseError: parseError })}\n`;
}

/** Stores the lines of a refused insert, the bad ones as text. Throws what is no fault of the data. */
export async function storeAroundBadRows(
  eventStore: EventStore,
  clusterId: string,
  body: Buffer,
  log: Logger,
): Promise<void> {
  const insert = (text: string) =>
    eventStore.insertRows(clusterId, Buffer.from(text), { dedupToken: randomBytes(16).toString('hex') });
  const storeLines = async (lines: readonly string[]): Promise<void> => {
    try {
      await insert(`${lines.join('\n')}\n`);
    } catch (error) {
      if (!isBadData(error)) throw error;
      const [only] = lines;
      if (lines.length === 1 && only !== undefined) {
        log.warn({ err: (error as Error).message.slice(0, 300) }, 'a row was stored as text only');
        await insert(textOnly(only, (error as Error).message));
        return;
      }
      const half = lines.length >> 1;
      await storeLines(lines.slice(0, half));
      await storeLines(lines.slice(half));
    }
  };
  await storeLines(
    body
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
}
