import { randomBytes, randomUUID } from 'node:crypto';
import type { RuleSample } from '@tyrian/contract';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { newId } from '../../platform/new-id.ts';
import { decodeBatch } from '../ingest/decode-batch.ts';
import type { RowChunk } from '../ingest/ingest-batch.ts';

// Events of samples on the engine, apart from all tenants: in a database that belongs to none, each sample in a scope of its
// own whose name nobody is told. They go through the decoders of ingest as the lines of a sender would.

/** No tenant has this id: ids of tenants are made by `newId`. */
export const SAMPLE_DATABASE = 'rule_samples';

type Store = Pick<EventStore, 'ensureTenant' | 'tenantState' | 'dropTenant' | 'insertRows'>;

/** Makes the database; one that an older version left holds nothing of worth and is made anew. */
async function ensureSampleDatabase(store: Store): Promise<void> {
  try {
    await store.ensureTenant(SAMPLE_DATABASE);
  } catch (error) {
    if ((await store.tenantState(SAMPLE_DATABASE)) !== 'behind') throw error;
    await store.dropTenant(SAMPLE_DATABASE);
    await store.ensureTenant(SAMPLE_DATABASE);
  }
}

/** On one line, as senders write it, where it is JSON over several. */
function lineOf(event: string): string {
  if (!event.includes('\n')) return event;
  try {
    return JSON.stringify(JSON.parse(event));
  } catch {
    return event;
  }
}

/** Where the events of a sample lie. */
export interface StoredSample {
  readonly scopeId: string;
  /** Fifteen digits that stand in the EventUid of each of its events. */
  readonly batch: string;
}

/** The batch of an event, by its EventUid. */
export function batchOf(eventUid: string): string {
  const digits = eventUid.replaceAll('-', '');
  return digits.slice(0, 12) + digits.slice(13, 16);
}

function chunksOf(
  { events }: RuleSample,
  { scopeId, batch }: StoredSample,
  receivedMs: number,
): readonly RowChunk[] {
  const chunks: RowChunk[] = [];
  decodeBatch(
    {
      id: 0,
      format: 'lines',
      body: Buffer.from(events.map(lineOf).join('\n')),
      isGzip: false,
      hints: {},
      scopeId,
      sourceName: 'sample',
      sourceAddress: '',
      batchId: `${batch}0`,
      receivedMs,
    },
    (chunk) => chunks.push(chunk),
  );
  return chunks;
}

/** Stores the events of samples; answers where those of each lie, in their order, when they can be searched. */
export async function storeSamples(
  store: Store,
  samples: readonly RuleSample[],
  receivedMs: number,
): Promise<readonly StoredSample[]> {
  await ensureSampleDatabase(store);
  const placed = samples.map((sample) => ({
    sample,
    place: { scopeId: newId(), batch: randomBytes(8).toString('hex').slice(0, 15) },
  }));
  const chunks = placed.flatMap(({ sample, place }) => chunksOf(sample, place, receivedMs));
  const body = Buffer.concat(chunks.map((chunk) => chunk.body));
  if (body.length > 0)
    await store.insertRows(SAMPLE_DATABASE, body, { dedupToken: randomUUID(), format: 'Native' });
  return placed.map(({ place }) => place);
}
