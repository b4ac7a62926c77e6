import { decodeText, RowBlock, readRowBlocks, rowAsJson, writeRow } from '@tyrian/ingest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

// Rows reach the store as Native blocks. The engine must read out of them what it reads out of the same rows as
// lines of JSON.

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform.close());

const NOW = Date.UTC(2026, 0, 10, 12);

const RECORDS = [
  // Text that looks like a time stays text; numbers, lists and nesting keep their types.
  '{"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","UtcTime":"2026-01-10 10:00:00.123","ProcessId":4096,"Image":"C:\\\\a.exe","When":"2026-01-10","N":1.5,"Big":12345678901234567890,"Yes":true,"List":[1,"a",{"b":null}],"Deep":{"x":{"y":[[1],[2]]}},"a.b":1,"a":{"c":2}}',
  '{"@timestamp":"2026-01-10T09:00:00Z","source.ip":"10.0.0.1","destination.port":443,"network.bytes":-5}',
  '<34>1 2026-01-10T10:00:00Z host app 17 ID [x@1 a="b"] Füße, 日本語 and 🦊 beyond the first plane',
  'date=2026-01-10 time=10:00:00 srcip=10.1.1.1 dstip=10.2.2.2 srcport=70000 sentbyte=9007199254740991 action=deny',
  'nothing that anyone knows, with a tab \t and a zero \0 inside',
  '{"broken":',
  `{"message":"${'long ä '.repeat(20_000)}"}`,
  '{"emoji":"half \ud83d of one","event":{"category":"process"},"id":"\\ud83d"}',
];

/** Blocks of one row, of some rows and of all rows, so that each has other columns. */
function blocksOf(scope: string): Uint8Array[] {
  const context = { scope, sourceName: 'n', sourceAddress: '', receivedMs: NOW, batchId: '00000000000000a0' };
  const block = new RowBlock();
  const blocks: Uint8Array[] = [];
  for (const [index, raw] of RECORDS.entries()) {
    writeRow(block, context, { event: decodeText(raw, NOW), raw, index, marks: [] });
    if (index === 0 || index === 3) blocks.push(block.take());
  }
  for (let index = RECORDS.length; index < 3_000; index += 1) {
    // More names than one byte numbers.
    const raw = `{"EventID":${index},"Channel":"Security","Computer":"ws-${index % 700}","n":${index}}`;
    writeRow(block, context, { event: decodeText(raw, NOW), raw, index, marks: [] });
  }
  blocks.push(block.take());
  return blocks;
}

async function everything(clusterId: string): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: 'SELECT *, JSONAllPathsWithTypes(Ext) FROM events ORDER BY EventUid',
    scopes: 'all',
  });
  return rows;
}

it('reads the same from blocks as from lines of JSON', async () => {
  const blocks = Buffer.concat(blocksOf('s'));
  const [asBlocks, asLines] = [await platform.newTenant(), await platform.newTenant()];
  await platform.eventStore.insertRows(asBlocks, blocks, { dedupToken: 'a', format: 'Native' });
  const lines = readRowBlocks(blocks).map(rowAsJson);
  await platform.eventStore.insertRows(asLines, Buffer.from(lines.join('\n')), { dedupToken: 'b' });
  const rows = await everything(asBlocks);
  expect(rows).toHaveLength(3_000);
  expect(rows).toEqual(await everything(asLines));
});

it('makes one part of an insert on each engine, however many blocks it has, and stores a repeated one once', async () => {
  const clusterId = await platform.newTenant();
  const { eventStore } = platform;
  for (const dedupToken of ['a', 'a']) {
    await eventStore.insertRows(clusterId, Buffer.concat(blocksOf('s')), { dedupToken, format: 'Native' });
  }
  const parts = await eventStore.systemRows<{ partition: string; rows: number }>(
    `SELECT partition, toUInt32(rows) AS rows FROM system.parts
      WHERE database = {db:String} AND table = 'events' AND active`,
    { db: await eventStore.tablesDatabase(clusterId) },
  );
  expect(parts).toHaveLength((await eventStore.systemRows('SELECT 1')).length);
  for (const { partition } of parts) expect(partition).toBe("('2026-01-10',0)");
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(3_000);
});
