import path from 'node:path';
import { type DecodedEvent, RowBlock, writeRow } from '@tyrian/ingest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import { createLog } from '../../platform/log.ts';
import { createInsertGroups } from './insert-groups.ts';
import { createSpool } from './spool.ts';

// What the store cannot read costs no row beside it, and is kept as text, counted as a parse error.

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform?.close());

const log = createLog('silent');
const EVENT: DecodedEvent = { stream: 'Dns', sourceType: 'test', status: 'PAD', columns: {}, ext: {} };
const ODD = '"odd",1]}';

function rows(count: number, bad: readonly number[]) {
  const block = new RowBlock();
  const arrival = { scope: 's', sourceName: 'edge', sourceAddress: '', batchId: '0123456789abcde0' };
  for (let n = 0; n < count; n += 1) {
    const event = {
      ...EVENT,
      time: Date.now(),
      columns: { EventRecordId: n },
      ext: bad.includes(n) ? { n: ['odd', 1] } : { n },
    };
    writeRow(block, { ...arrival, receivedMs: Date.now() }, { event, raw: `text ${n}`, index: n, marks: [] });
  }
  // Fields that are not closed: nothing that a decoder writes, and what the store refuses.
  const body = Buffer.from(block.take());
  for (let at = body.indexOf(ODD); at >= 0; at = body.indexOf(ODD)) body.write('"odd",1],', at);
  return { body, rows: count, upTo: count };
}

async function ask(clusterId: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await platform.eventStore.rows(clusterId, { sql, scopes: 'all' })).rows;
}

const groupsOn = (eventStore: EventStore) =>
  createInsertGroups({
    eventStore,
    spool: createSpool({ folder: path.join(platform.dataFolder, 'spool'), eventStore, log }),
    log,
  });

it('[S06] rows that the store cannot read are kept as text and counted, and those around them stored whole', async () => {
  const clusterId = await platform.newTenant();
  const bad = [0, 17, 31, 32];
  const whole = { eventStore: platform.eventStore, refused: 0 };
  const counting: EventStore = {
    ...platform.eventStore,
    insertRows: async (...given) => {
      await platform.eventStore.insertRows(...given).catch((error: EventStoreError) => {
        whole.refused += 1;
        throw error;
      });
    },
  };
  await groupsOn(counting).add(clusterId, rows(50, bad));
  // The store itself has refused them, not this test.
  expect(whole.refused).toBeGreaterThan(bad.length);
  expect(
    await ask(
      clusterId,
      'SELECT toInt32(count()), toInt32(uniqExact(EventUid)), toInt32(uniqExact(Raw)) FROM events',
    ),
  ).toEqual([[50, 50, 50]]);
  const kept = await ask(
    clusterId,
    `SELECT Raw, Stream, SourceName, ParseError LIKE 'the store could not read the fields: %' FROM events
     WHERE ParseStatus = 'PER' ORDER BY toInt32(substring(Raw, 6))`,
  );
  expect(kept).toEqual(bad.map((n) => [`text ${n}`, 'Dns', 'edge', 1]));
  expect(
    await ask(
      clusterId,
      "SELECT toInt32(sum(EventRecordId)), toInt32(sum(Ext.n.:Int64)) FROM events WHERE ParseStatus = 'PAD'",
    ),
  ).toEqual([[1225 - 80, 1225 - 80]]);
  // What the pages show of the source.
  expect(
    await ask(
      clusterId,
      'SELECT ParseStatus, toInt32(sum(Events)) FROM event_figures GROUP BY ALL ORDER BY ALL',
    ),
  ).toEqual([
    ['PAD', 46],
    ['PER', 4],
  ]);
});

it('[S06] when the store goes away among them, the spool keeps them, and each is stored once', async () => {
  const clusterId = await platform.newTenant();
  let inserts = 0;
  let isAway = false;
  const failing: EventStore = {
    ...platform.eventStore,
    insertRows: async (...given) => {
      inserts += 1;
      // Among the halves: one of them is stored by then.
      if (inserts === 4) isAway = true;
      if (isAway) throw new EventStoreError(0, 'away');
      await platform.eventStore.insertRows(...given);
    },
  };
  const spool = createSpool({ folder: path.join(platform.dataFolder, clusterId), eventStore: failing, log });
  await spool.start();
  await createInsertGroups({ eventStore: failing, spool, log }).add(clusterId, rows(8, [6]));
  expect(spool.status().files).toBe(1);
  const stored = () =>
    ask(
      clusterId,
      "SELECT toInt32(count()), toInt32(uniqExact(Raw)), toInt32(countIf(ParseStatus = 'PER')) FROM events",
    );
  expect((await stored())[0]?.[0]).toBeGreaterThan(0);
  expect((await stored())[0]?.[0]).toBeLessThan(8);
  isAway = false;
  await expect.poll(() => spool.isEmpty(clusterId), { timeout: 60_000 }).toBe(true);
  expect(await stored()).toEqual([[8, 8, 1]]);
  await spool.stop();
});
