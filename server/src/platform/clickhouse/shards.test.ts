import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_GRANTS, SHARD_GRANTS } from '../../engines/clickhouse/clickhouse-grants.ts';
import { startShards, type TestShards } from '../../engines/testing/start-shards.ts';
import { createLog } from '../log.ts';
import { createEventStore } from './clickhouse-event-store.ts';
import { type EventStore, EventStoreError, tenantDatabase } from './event-store.ts';
import { isShardAway } from './store-errors.ts';

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

  it('[T-machines] joins and sets read their inner part of all shards, and of the scopes of the caller alone', async () => {
    const body = bodyOf(Array.from({ length: 200 }, (_, n) => line(n, { DvcHostname: `host-${n % 50}` })));
    await events.insertRows('join', body, { dedupToken: 'join' });
    const inner = "SELECT DvcHostname FROM events WHERE Scope = 'scope-1'";
    const within = `SELECT count() FROM events WHERE DvcHostname IN (${inner})`;
    const joined = `SELECT count() FROM events AS a INNER JOIN (SELECT DISTINCT DvcHostname FROM events) AS b
      ON a.DvcHostname = b.DvcHostname`;
    expect(await numberOf('join', within)).toBe(200);
    expect(await numberOf('join', joined)).toBe(200);
    expect(await numberOf('join', joined, ['scope-2'])).toBe(66);
    expect(await numberOf('join', within, ['scope-2'])).toBe(0);
  });

  it('[T-machines] what is deleted is deleted on both, and a tenant goes from both', async () => {
    const body = bodyOf(Array.from({ length: 100 }, (_, n) => line(n)));
    await events.insertRows('gone', body, { dedupToken: 'gone' });
    const held = await events.partitions('gone');
    expect(held).toEqual([{ id: '20260301-0', rows: 100 }]);
    await events.command('gone', "ALTER TABLE events DROP PARTITION ID '20260301-0'");
    expect(await perShard('gone')).toEqual([0, 0]);
    await events.dropTenant('gone');
    const sql = "SELECT name FROM system.databases WHERE startsWith(name, 'tenant_gone')";
    expect(await events.systemRows(sql)).toEqual([]);
  });

  it('[T-machines][S01] no user may more than is printed', async () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../../../docs/engine-grants.md', import.meta.url)),
      'utf8',
    );
    const shown = await events.systemRows<Record<string, string>>('SHOW GRANTS');
    const grants = shown.flatMap((row) => Object.values(row));
    const printed = [...CLICKHOUSE_GRANTS.ingest, ...SHARD_GRANTS].map((grant) => `${grant} TO ingest`);
    expect([...new Set(grants)].sort()).toEqual(printed.sort());
    for (const grant of SHARD_GRANTS) expect(page).toContain(`${grant} TO ingest\n`);
  });

  it('[T-machines] without a shard only who takes a part gets one, named as such; the rest fails, and inserts wait', async () => {
    const body = bodyOf(Array.from({ length: 300 }, (_, n) => line(n)));
    await events.insertRows('away', body, { dedupToken: 'first' });
    const [kept] = await perShard('away');
    await shards.kill(1);
    const count = { sql: 'SELECT count() FROM events', scopes: 'all' } as const;
    await expect(events.rows('away', count)).rejects.toThrow(EventStoreError);
    const part = await events.rows('away', { ...count, takesPart: true });
    expect(part).toMatchObject({ missingShards: [2] });
    expect(Number(part.rows[0]?.[0])).toBe(kept);
    const later = bodyOf(Array.from({ length: 300 }, (_, n) => line(n, { EventUid: uidOf(n) })));
    const insert = () => events.insertRows('away', later, { dedupToken: 'later' });
    const failure = await insert().then(
      () => null,
      (error: unknown) => error,
    );
    expect(isShardAway(failure)).toBe(true);
    await shards.start(1);
    await insert();
    await insert();
    await expect.poll(() => numberOf('away', count.sql)).toBe(600);
    const whole = await events.rows('away', { ...count, takesPart: true });
    expect(whole).toMatchObject({ missingShards: [] });
    expect(await numberOf('away', 'SELECT sum(Events) FROM event_figures')).toBe(600);
  });
});

const uidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
