import { randomUUID } from 'node:crypto';
import type { EventQuery, EventRows } from './event-store.ts';
import type { ShardCheck } from './missing-shards.ts';
import { isNodeAway, isShardAway } from './store-errors.ts';

// A query over the shards of a cluster fails when one of them does not answer. Whoever takes a part of the answer gets
// what the others have, and is told in every case that it is a part: the query is asked anew without the missing ones, and
// never before it is known that some are missing.

/** Asks once: of all shards, or only of those that answer. */
export type AskShards = (query: EventQuery, isPartial: boolean) => Promise<EventRows>;

/** For so long a shard that was missing is not waited for again. */
const KNOWN_MS = 3_000;

/** Asks the shards that answer; null when all do again. Whatever happens meanwhile, its answer is told to be a part. */
type AskPart = (query: EventQuery, ask: AskShards) => Promise<EventRows | null>;

export function createPartialAnswers(check: ShardCheck): {
  ask(query: EventQuery, ask: AskShards): Promise<EventRows>;
} {
  let known: { readonly shards: readonly number[]; readonly atMs: number } = { shards: [], atMs: 0 };
  /** Shards that were missing a moment ago and may be so still. */
  const isKnownMissing = (): boolean => known.shards.length > 0 && performance.now() - known.atMs < KNOWN_MS;
  const partOf: AskPart = async (query, ask) => {
    const shards = await check.missing();
    known = { shards, atMs: performance.now() };
    if (shards.length === 0) return null;
    const answer = await ask(query, true);
    return { ...answer, missingShards: () => shards };
  };
  return {
    ask: async (query, ask) => {
      const part = isKnownMissing() ? await partOf(query, ask) : null;
      return part ?? wholeOrPart(query, ask, partOf);
    },
  };
}

async function wholeOrPart(query: EventQuery, ask: AskShards, partOf: AskPart): Promise<EventRows> {
  const again = async (error: unknown): Promise<EventRows> => {
    if (!isShardAway(error) && !isNodeAway(error)) throw error;
    const part = await partOf({ ...query, queryId: `${query.queryId ?? randomUUID()}-part` }, ask);
    if (part) return part;
    throw error;
  };
  const whole = await ask(query, false).catch(again);
  let current = whole;
  async function* batches() {
    let isBegun = false;
    try {
      for await (const batch of whole.batches) {
        isBegun = true;
        yield batch;
      }
    } catch (error) {
      // Rows that were given cannot be taken back.
      if (isBegun) throw error;
      current = await again(error);
      yield* current.batches;
    }
  }
  return {
    ...whole,
    batches: batches(),
    progress: () => current.progress(),
    receivedBytes: () => current.receivedBytes(),
    missingShards: () => current.missingShards(),
  };
}
