import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startShards, type TestShards } from '../../engines/testing/start-shards.ts';
import { createLog } from '../log.ts';
import { createEventStore } from './clickhouse-event-store.ts';
import { type EventStore, tenantDatabase } from './event-store.ts';

// Two shards of one cluster, each an engine of its own.

let shards: TestShards;
let events: EventStore;
beforeAll(async () => {
  shards = await startShards();
  events = createEventStore({ ...shards.access, log: createLog('silent') });
});
afterAll(async () => {
  await events?.close();
  await shards?.close();
});

const line = (n: number, more: object = {}) => ({
  TimeGenerated: '2026-03-01 10:00:00',
  IngestedTime: '2026-03-01 10:00:01',
  EventUid: randomUUID(),
  Scope: `scope-${n % 3}`,
  Stream: 'Generic',
  Raw: `event ${n}`,
  ...more,
});
const bodyOf = (lines: readonly object[]) =>
  Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
const numberOf = async (tenant: string, sql: string, scopes: readonly string[] | 'all' = 'all') => {
  const { rows } = await events.rows(tenant, { sql, scopes });
  return Number(rows[0]?.[0]);
};
const perShard = async (tenant: string): Promise<number[]> => {
  const database = await events.tablesDatabase(tenant);
  const rows = await events.systemRows<{ n: string }>(`SELECT count() AS n FROM \`${database}\`.events`);
  return rows.map(({ n }) => Number(n));
};

describe('events on two shards', () => {
  it('[T-machines] lie on both, are stored once however often they are sent, and are found as on one engine', async () => {
    const body = bodyOf(Array.from({ length: 600 }, (_, n) => line(n)));
    await events.insertRows('once', body, { dedupToken: 'same' });
    await events.insertRows('once', body, { dedupToken: 'same' });
    const counts = await perShard('once');
    expect(counts).toHaveLength(2);
    for (const count of counts) expect(count).toBeGreaterThan(200);
    expect(await numberOf('once', 'SELECT count() FROM events')).toBe(600);
    expect(await numberOf('once', 'SELECT sum(Events) FROM event_figures')).toBe(600);
    expect(await numberOf('once', 'SELECT count() FROM events', ['scope-1'])).toBe(200);
    const database = tenantDatabase('once');
    expect(await numberOf('once', `SELECT count() FROM \`${database}@local\`.events`, ['scope-9'])).toBe(0);
  });
});
