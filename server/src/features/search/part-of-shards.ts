import type { SearchNotice } from '@tyrian/contract';

/** Said of an answer without the events of some shards of the engine. */
export function partOfShards(missing: readonly number[]): SearchNotice[] {
  if (missing.length === 0) return [];
  const shards = missing.join(', ');
  const message = `Only a part of the answer: events are missing because shard ${shards} of the event store does not answer.`;
  return [{ code: 'shards-missing', message, values: { shards } }];
}
