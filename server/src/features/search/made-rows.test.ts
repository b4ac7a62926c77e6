import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { createEventsStored } from './events-stored.ts';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';
import { QUEUE_LIMITS } from './query-queues.ts';
import { createQueryService } from './query-service.ts';
import { createQuerySlots } from './query-slots.ts';

let compiler: KqlCompiler;
beforeAll(() => {
  compiler = createKqlCompiler();
});
afterAll(() => compiler?.close());

/** What the engine is told with each query, and a second tenant that asks. */
function startQueries() {
  const told: Record<string, unknown>[] = [];
  const events = {
    query: async (_clusterId: string, { settings }: { settings: Record<string, unknown> }) => {
      told.push(settings);
      throw new Error('told');
    },
  } as unknown as EventStore;
  const none = { version: 'none', fields: [], extFields: [] };
  const slots = createQuerySlots(QUEUE_LIMITS, undefined, undefined, () => 8);
  const queries = createQueryService({
    events,
    compiler,
    seenFields: { fieldsOf: async () => none, sampledFieldsOf: async () => none },
    slots,
    stored: createEventsStored(events),
    clock: { now: () => Date.UTC(2026, 0, 31) },
  });
  const ask = async (clusterId: string, kql: string) => {
    await queries.run({ clusterId, scopes: ['s1'], kql, queue: 'interactive' }).catch(() => undefined);
    return told.at(-1);
  };
  return { ask };
}

describe('what the engine is told of a query', () => {
  it('[S08] pauses more often where it makes its rows itself', async () => {
    const { ask } = startQueries();
    expect(await ask('a', 'range x from 1 to 1000000 step 1 | summarize make_list(x)')).toMatchObject({
      max_block_size: 8192,
    });
    expect(await ask('a', 'Dns | count')).not.toHaveProperty('max_block_size');
  });

  it('[S08] gets a part of the threads while another tenant asks too', async () => {
    const { ask } = startQueries();
    expect(await ask('a', 'Dns | count')).not.toHaveProperty('max_threads');
    expect(await ask('b', 'Dns | count')).toMatchObject({ max_threads: 4 });
    expect(await ask('a', 'Dns | count')).toMatchObject({ max_threads: 4 });
  });
});
