import { availableParallelism } from 'node:os';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';

/** How many threads the engine gives one query that has it alone; this machine's processors until it has said so. */
export function createEngineThreads(events: Pick<EventStore, 'systemRows'>): () => number {
  let threads = availableParallelism();
  let isAsked = false;
  const ask = async (): Promise<void> => {
    const [row] = await events.systemRows<{ most: number | string }>(
      "SELECT toUInt32(getSetting('max_threads')) AS most",
    );
    if (Number(row?.most) > 0) threads = Number(row?.most);
  };
  return () => {
    if (!isAsked) {
      isAsked = true;
      ask().catch(() => {
        isAsked = false;
      });
    }
    return threads;
  };
}
