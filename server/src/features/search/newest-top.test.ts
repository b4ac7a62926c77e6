import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { createEventsStored } from './events-stored.ts';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';
import { createQueryService, type QueryService } from './query-service.ts';
import { createQuerySlots } from './query-slots.ts';
import { insertEvents } from './testing/insert-events.ts';

// A query that takes the newest rows itself is read backwards in steps, and gives the rows that one read gives.

const NOW = Date.UTC(2026, 0, 31);
const EVENTS = 6000;
const MINUTE_MS = 60_000;
let platform: TestPlatform;
let clusterId: string;
let compiler: KqlCompiler;
let queries: QueryService;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  compiler = createKqlCompiler();
  const none = { version: 'none', fields: [], extFields: [] };
  queries = createQueryService({
    events: platform.eventStore,
    compiler,
    seenFields: { fieldsOf: async () => none, sampledFieldsOf: async () => none },
    slots: createQuerySlots(),
    stored: createEventsStored(platform.eventStore),
    clock: { now: () => NOW },
  });
  await insertEvents(platform.eventStore, clusterId, EVENTS, (n) => ({
    TimeGenerated: NOW - (n + 1) * 5 * MINUTE_MS,
    Scope: 's1',
    Stream: 'Dns',
    EventID: n,
    ActorUsername: `user${n % 10}`,
  }));
});
afterAll(async () => {
  await compiler?.close();
  await platform?.close();
});

const run = (kql: string) => queries.run({ clusterId, scopes: ['s1'], kql, queue: 'interactive' });

describe('top by time', () => {
  it.each([
    ['Dns | top 20 by TimeGenerated', 20],
    ['Dns | where ActorUsername == "user3" | top 7 by TimeGenerated desc', 7],
    ['Dns | where TimeGenerated > datetime(2026-01-20) | sort by TimeGenerated desc | take 500', 500],
    ['Dns | where EventID % 1000 == 999 | top 50 by TimeGenerated', 50],
    ['Dns | extend x = EventID + 1 | top 3 by TimeGenerated | extend y = x * 2', 3],
    ['Dns | top 0 by TimeGenerated', 0],
  ])('gives the rows of one read: %s', async (kql, count) => {
    const stepped = await run(`${kql} | project EventID`);
    const source = kql.replace(/\| (top|sort).*$/, '');
    const whole = await run(
      `${source} | sort by TimeGenerated desc | serialize place = row_number() | where place <= ${count} | project EventID`,
    );
    expect(stepped.rows).toEqual(whole.rows);
    expect(stepped.rows.length).toBe(Math.min(count, kql.includes('% 1000') ? 6 : count));
  });

  it('stops reading when it has its rows', async () => {
    const { stats } = await run('Dns | top 2 by TimeGenerated | project EventID');
    expect(stats.rows).toBe(2);
    expect(stats.rowsRead).toBeLessThan(EVENTS / 10);
  });
});
