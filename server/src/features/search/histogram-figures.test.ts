import { searchHistogram } from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import type { EventRows } from '../../platform/clickhouse/event-store.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from './testing/insert-events.ts';

// The histogram of a query without filters is counted when events come in: it says what counting events says.

const NOW = Date.UTC(2026, 5, 10, 12, 0, 20, 500);
const HOUR = 3_600_000;
let server: TestApp;
let company: Company;
let ssid: string;

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  ssid = await company.signIn('analyst');
  const { a } = company;
  for (const [index, Scope] of [a.scope, a.otherScope].entries()) {
    await insertEvents(server.platform.eventStore, a.clusterId, 4_000, (n) => ({
      Scope,
      Stream: ['Dns', 'ProcessEvent', 'Generic'][n % 3],
      TimeGenerated: NOW - ((n * 7_919 + index) % (30 * HOUR)),
      IngestedTime: NOW - 1_000,
      SourceName: `source ${n % 11}`,
      ParseStatus: n % 9 ? 'PAD' : 'PER',
      Raw: `event ${n}`,
    }));
  }
});
afterAll(() => server?.close());

/** The chart, and how many rows of events the engine read for it. */
async function chart(query: string, from: number, to: number, stack_by = 'Stream') {
  const { eventStore } = server.platform;
  const answers: EventRows[] = [];
  const ask = eventStore.query;
  // Compiled queries come by here, figures do not.
  Object.assign(eventStore, {
    query: async (...asked: Parameters<typeof ask>) => {
      const answer = await ask(...asked);
      answers.push(answer);
      return answer;
    },
  });
  try {
    const { http, data } = await server.call(searchHistogram, {
      ssid,
      params: { clusterId: company.a.clusterId },
      input: {
        scope_id: company.a.scope,
        query,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        stack_by,
        buckets: 50,
      },
    });
    expect(http).toBe(200);
    return { data, eventsRead: answers.reduce((sum, one) => sum + one.progress().rowsRead, 0) };
  } finally {
    Object.assign(eventStore, { query: ask });
  }
}

const ranges: [string, number, number][] = [
  ['a day by the millisecond', NOW - 24 * HOUR - 12_345, NOW],
  ['whole hours', NOW - 20_500 - 6 * HOUR, NOW - 20_500],
  ['more than there is', NOW - 400 * HOUR, NOW + HOUR],
];

it.each(ranges)('[T-storage] says what counting the events says: %s', async (_name, from, to) => {
  for (const stack of ['Stream', 'SourceName', 'SourceType', 'ParseStatus']) {
    for (const table of ['Events', 'Dns']) {
      const told = await chart(table, from, to, stack);
      // A filter that lets every event through is counted in the events.
      const counted = await chart(`${table} | where Raw != "no such text"`, from, to, stack);
      expect(told.data, `${table} by ${stack}`).toEqual(counted.data);
      expect(told.data.total).toBeGreaterThan(100);
      // Ends of a range that lie within a minute are counted in the events.
      expect(counted.eventsRead).toBeGreaterThan(0);
      if (from % 60_000 === 0 && to % 60_000 === 0) expect(told.eventsRead).toBe(0);
    }
  }
});

it('[T-storage] a chart by other fields, or finer than a minute, is counted in the events', async () => {
  const fine = await chart('Events', NOW - 20 * 60_000, NOW);
  expect(fine.data.bucket_ms).toBeLessThan(60_000);
  expect(fine.eventsRead).toBeGreaterThan(0);
  const byHost = await chart('Events', NOW - 24 * HOUR, NOW, 'DvcHostname');
  expect(byHost.eventsRead).toBeGreaterThan(0);
});
