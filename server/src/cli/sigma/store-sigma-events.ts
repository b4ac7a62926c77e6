import { randomUUID } from 'node:crypto';
import { decodeBatch } from '../../features/ingest/decode-batch.ts';
import type { RowChunk } from '../../features/ingest/ingest-batch.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';

// Events of a test through ingest into the store, as the lines of a sender would go.

export interface SigmaTarget {
  readonly clusterId: string;
  readonly scope: string;
}

/** Tells the position of a stored event among those that were sent, by its EventUid. */
export type PositionOf = (eventUid: string) => number;

/** Events that go through a batch of their own: several records in one, or a text of several lines. */
const hasBatchOfItsOwn = (event: unknown, text: string): boolean =>
  typeof event === 'string' || text.startsWith('{"Records":');

interface Batch {
  readonly first: number;
  readonly isOne: boolean;
  readonly lines: string[];
}

function batchesOf(events: readonly unknown[]): readonly Batch[] {
  const batches: Batch[] = [];
  events.forEach((event, position) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    const isOne = hasBatchOfItsOwn(event, text);
    const last = batches.at(-1);
    if (isOne || !last || last.isOne) batches.push({ first: position, isOne, lines: [text] });
    else last.lines.push(text);
  });
  return batches;
}

/** Fifteen digits of a batch's id stand in the EventUid of its events. */
const batchId = (number: number): string => `${number.toString(16).padStart(15, '0')}0`;

/** Decodes and stores events; resolves when they can be searched. */
export async function storeEvents(
  store: EventStore,
  { clusterId, scope }: SigmaTarget,
  events: readonly unknown[],
): Promise<PositionOf> {
  const batches = batchesOf(events);
  const receivedMs = Date.now();
  const chunks: RowChunk[] = [];
  for (const [number, { lines }] of batches.entries())
    decodeBatch(
      {
        id: number,
        format: 'lines',
        body: Buffer.from(lines.join('\n')),
        isGzip: false,
        hints: {},
        scopeId: scope,
        sourceName: '',
        sourceAddress: '',
        batchId: batchId(number),
        receivedMs,
      },
      (chunk) => chunks.push(chunk),
    );
  const body = Buffer.concat(chunks.map((chunk) => chunk.body));
  if (body.length > 0)
    await store.insertRows(clusterId, body, { dedupToken: randomUUID(), format: 'Native' });
  return (eventUid) => {
    const digits = eventUid.replaceAll('-', '');
    const batch = batches[Number.parseInt(digits.slice(0, 12) + digits.slice(13, 16), 16)];
    if (!batch) throw new Error(`No event was sent as ${eventUid}`);
    return batch.isOne ? batch.first : batch.first + Number.parseInt(digits.slice(24), 16);
  };
}
