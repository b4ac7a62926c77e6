import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import type { EventStore } from './event-store.ts';
import { EVENT_TABLES, type EventPartition, partitionId } from './event-tables.ts';

// Deleting events with all that is counted of them. A partition of which nothing stays is dropped, which costs nothing.
// One of which something stays is rewritten by the engine (a mutation); that is needed only after a retention was
// changed, or for a scope.

/** What goes of one partition. */
export interface Deletion extends EventPartition {
  /** Streams of scopes that go, the stream null for all of a scope; null: the partition as a whole. */
  readonly streams: readonly { readonly scope: string; readonly stream: string | null }[] | null;
  readonly events: number;
  /** Of the text and the fields, before they are packed. */
  readonly bytes: number;
}

export interface DeletionProgress {
  readonly partitionsDone: number;
  readonly partitions: number;
  readonly eventsDone: number;
  readonly events: number;
}

export interface DeletionRun {
  readonly onProgress?: (progress: DeletionProgress) => void;
  /** Ends the work between two partitions; what is left is found by the next run. */
  readonly signal?: AbortSignal;
}

type Store = Pick<EventStore, 'command' | 'openMutations'>;

/** How often the engine is asked how far it is. */
const LOOK_MS = 50;
const LOOK_SELDOM_MS = 2_000;

/** Resolves when the engine has rewritten what it was asked to. */
export async function rewritten(
  eventStore: Pick<EventStore, 'openMutations'>,
  clusterId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (let wait = LOOK_MS; ; wait = Math.min(LOOK_SELDOM_MS, wait * 1.5)) {
    const open = await eventStore.openMutations(clusterId);
    if (open.length === 0) return;
    await sleep(wait, undefined, signal ? { signal } : {});
  }
}

const OF_STREAMS = `has(arrayZip({scopes:Array(String)}, {streams:Array(String)}), (toString(Scope), toString(Stream)))
  OR has({wholeScopes:Array(String)}, toString(Scope))`;

async function deleteOne(eventStore: Store, clusterId: string, deletion: Deletion): Promise<void> {
  const id = partitionId(deletion);
  const ofStreams = (deletion.streams ?? []).filter(({ stream }) => stream !== null);
  const params = {
    scopes: ofStreams.map(({ scope }) => scope),
    streams: ofStreams.map(({ stream }) => stream),
    wholeScopes: (deletion.streams ?? []).filter(({ stream }) => stream === null).map(({ scope }) => scope),
  };
  // The events first: as long as figures tell of them, they are found again.
  for (const table of EVENT_TABLES) {
    await (deletion.streams === null
      ? eventStore.command(
          clusterId,
          `ALTER TABLE ${table} DROP PARTITION ID '${id}' SETTINGS max_partition_size_to_drop = 0`,
        )
      : eventStore.command(
          clusterId,
          `ALTER TABLE ${table} DELETE IN PARTITION ID '${id}' WHERE ${OF_STREAMS}`,
          params,
        ));
  }
}

/** Does what was planned; resolves with the number of events that went. A run that was ended is repeated as a whole. */
export async function deleteEvents(
  eventStore: Store,
  clusterId: string,
  deletions: readonly Deletion[],
  { onProgress, signal }: DeletionRun = {},
): Promise<number> {
  const events = deletions.reduce((sum, one) => sum + one.events, 0);
  let eventsDone = 0;
  for (const [index, deletion] of deletions.entries()) {
    if (signal?.aborted) throw new AppError('conflict', say('tenants.deletingStopped'));
    await deleteOne(eventStore, clusterId, deletion);
    if (deletion.streams !== null) await rewritten(eventStore, clusterId, signal);
    eventsDone += deletion.events;
    onProgress?.({ partitionsDone: index + 1, partitions: deletions.length, eventsDone, events });
  }
  return eventsDone;
}
