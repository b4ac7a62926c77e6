import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type DecodedEvent, RowBlock, writeRow } from '@tyrian/ingest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import { createLog } from '../../platform/log.ts';
import { createInsertGroups } from './insert-groups.ts';
import { createSpool } from './spool.ts';

let platform: TestPlatform;
let clusterId: string;
let isAway: boolean;
let swallowNext: boolean;
let eventStore: EventStore;

beforeEach(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  isAway = false;
  swallowNext = false;
  const real = platform.eventStore;
  eventStore = {
    ...real,
    insertRows: async (id, body, options) => {
      if (isAway) throw new EventStoreError(0, 'away');
      await real.insertRows(id, body, options);
      // The rows are stored, but the answer is lost, as when the engine dies right after the commit.
      if (swallowNext) {
        swallowNext = false;
        throw new EventStoreError(0, 'connection lost');
      }
    },
  };
});
afterEach(() => platform.close());

const EVENT: DecodedEvent = { stream: 'Dns', sourceType: 'test', status: 'PAD', columns: {}, ext: {} };

const folder = () => path.join(platform.dataFolder, 'spool');
const block = new RowBlock();
const context = { scope: 's', sourceName: '', sourceAddress: '' };
const rowsOf = (from: number, count: number, fieldOf: (n: number) => unknown = (n) => n) => {
  for (let n = from; n < from + count; n += 1) {
    // In on two days, so that the insert makes two parts.
    const receivedMs = Date.UTC(2026, 0, 3 + (n % 2));
    const event = { ...EVENT, time: receivedMs, columns: { EventRecordId: n }, ext: { n: fieldOf(n) } };
    const arrival = { ...context, receivedMs, batchId: '0123456789abcde0' };
    writeRow(block, arrival, { event, raw: 'r', index: n, marks: [] });
  }
  return { body: block.take(), rows: count, upTo: count };
};

async function stored(): Promise<readonly unknown[]> {
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: 'SELECT count(), uniqExact(EventRecordId) FROM events',
    scopes: 'all',
  });
  return rows[0] ?? [];
}

const log = createLog('silent');

it('keeps rows on disk while the engine is away and stores each once when it is back', async () => {
  const spool = createSpool({ folder: folder(), eventStore, log });
  await spool.start();
  const groups = createInsertGroups({ eventStore, spool, log });
  isAway = true;
  await Promise.all([groups.add(clusterId, rowsOf(0, 100)), groups.add(clusterId, rowsOf(100, 50))]);
  expect(spool.isEmpty(clusterId)).toBe(false);
  expect(await stored()).toEqual([0, 0]);
  // The process dies; the next one finds the file.
  await spool.stop();
  const next = createSpool({ folder: folder(), eventStore, log });
  isAway = false;
  await next.start();
  await expect.poll(stored, { timeout: 10_000 }).toEqual([150, 150]);
  await expect.poll(() => readdirSync(folder()).length).toBe(0);
  await next.stop();
});

it('stores nothing twice when the engine took the rows but could not say so', async () => {
  const spool = createSpool({ folder: folder(), eventStore, log });
  await spool.start();
  const groups = createInsertGroups({ eventStore, spool, log });
  swallowNext = true;
  await groups.add(clusterId, rowsOf(0, 80));
  await expect.poll(() => readdirSync(folder()).length, { timeout: 10_000 }).toBe(0);
  expect(await stored()).toEqual([80, 80]);
  await spool.stop();
});

it('refuses what does not fit and keeps what it has', async () => {
  isAway = true;
  const limitBytes = Math.round(rowsOf(0, 100).body.length * 1.5);
  const spool = createSpool({ folder: folder(), eventStore, log, limitBytes });
  await spool.start();
  const groups = createInsertGroups({ eventStore, spool, log });
  await groups.add(clusterId, rowsOf(0, 100));
  await expect(groups.add(clusterId, rowsOf(100, 100))).rejects.toThrow('spool is full');
  isAway = false;
  await expect.poll(stored, { timeout: 10_000 }).toEqual([100, 100]);
  await expect.poll(() => readdirSync(folder()).length, { timeout: 10_000 }).toBe(0);
  await groups.add(clusterId, rowsOf(100, 100));
  await expect.poll(stored, { timeout: 10_000 }).toEqual([200, 200]);
  await spool.stop();
});

it('stores a row that the engine cannot read as text, and every other row of the insert', async () => {
  const spool = createSpool({ folder: folder(), eventStore, log });
  await spool.start();
  const groups = createInsertGroups({ eventStore, spool, log });
  // A block whose only Ext is text, and no JSON.
  const bad = rowsOf(99, 1, (n) => [[n]]);
  const text = Buffer.from(bad.body.buffer);
  text.write('!', text.indexOf('{"n":[[99]]}') + 5);
  await Promise.all([
    groups.add(clusterId, rowsOf(0, 9)),
    groups.add(clusterId, bad),
    groups.add(clusterId, rowsOf(9, 5)),
  ]);
  expect(await stored()).toEqual([15, 14]);
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: "SELECT ParseStatus, Stream, Raw FROM events WHERE ParseError != ''",
    scopes: 'all',
  });
  expect(rows).toEqual([['PER', 'Dns', 'r']]);
  await spool.stop();
});
