import { randomUUID } from 'node:crypto';
import { decodeBatch } from '../../features/ingest/decode-batch.ts';
import type { RowChunk } from '../../features/ingest/ingest-batch.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';

// Events of a test through ingest into the store, as the lines of a sender would go.

export interface SigmaTarget {
  readonly clusterId: string;
  readonly scope: string;
}

export interface StoredSigmaEvents {
  /** The position of a stored event among those that were sent, by its EventUid. */
  readonly positionOf: (eventUid: string) => number;
  /** When they came in, half-open. */
  readonly window: { readonly from: number; readonly to: number };
}

/** Events that go through a batch of their own: several records in one, or a text of several lines. */
const hasBatchOfItsOwn = (event: unknown, text: string): boolean =>
  typeof event === 'string' || text.startsWith('{"Records":');

/** Events that are decoded together. */
const MOST_LINES = 5_000;
/** Rows that are held before they are stored. */
const HELD_BYTES = 16 * 1024 * 1024;

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
    if (isOne || !last || last.isOne || last.lines.length >= MOST_LINES)
      batches.push({ first: position, isOne, lines: [text] });
    else last.lines.push(text);
  });
  return batches;
}

/** Fifteen digits of a batch's id stand in the EventUid of its events. */
const batchId = (number: number): string => `${number.toString(16).padStart(15, '0')}0`;

/** Batches that this process has stored: no two events have one EventUid. */
let stored = 0;

/** Decodes and stores events; resolves when they can be searched. */
export async function storeEvents(
  events: EventStore,
  { clusterId, scope }: SigmaTarget,
  sent: readonly unknown[],
): Promise<StoredSigmaEvents> {
  const batches = batchesOf(sent);
  const firstId = stored;
  stored += batches.length;
  const receivedMs = Date.now();
  const held: RowChunk['body'][] = [];
  const store = async (): Promise<void> => {
    const body = Buffer.concat(held.splice(0));
    if (body.length > 0)
      await events.insertRows(clusterId, body, { dedupToken: randomUUID(), format: 'Native' });
  };
  for (const [number, { lines }] of batches.entries()) {
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
        batchId: batchId(firstId + number),
        receivedMs,
      },
      (chunk) => held.push(chunk.body),
    );
    if (held.reduce((sum, { length }) => sum + length, 0) > HELD_BYTES) await store();
  }
  await store();
  const positionOf = (eventUid: string): number => {
    const digits = eventUid.replaceAll('-', '');
    const batch = batches[Number.parseInt(digits.slice(0, 12) + digits.slice(13, 16), 16) - firstId];
    if (!batch) throw new Error(`No event was sent as ${eventUid}`);
    return batch.isOne ? batch.first : batch.first + Number.parseInt(digits.slice(24), 16);
  };
  return { positionOf, window: { from: receivedMs, to: receivedMs + 1 } };
}
