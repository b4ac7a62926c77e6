import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';

/** Stores events for tests; `make` gives the columns of event `n`, its time in epoch milliseconds. */
export async function insertEvents(
  events: EventStore,
  clusterId: string,
  count: number,
  make: (n: number) => Record<string, unknown> & { TimeGenerated: number },
): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => {
    const { TimeGenerated, ...columns } = make(n);
    const time = new Date(TimeGenerated).toISOString();
    return JSON.stringify({ EventUid: randomUUID(), TimeGenerated: time, IngestedTime: time, ...columns });
  });
  await events.insertRows(clusterId, Buffer.from(`${lines.join('\n')}\n`), { dedupToken: randomUUID() });
}
