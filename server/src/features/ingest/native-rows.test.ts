import { type DecodedEvent, decodeText, RowBlock, readRowBlocks, rowAsJson, writeRow } from '@tyrian/ingest';
import fc from 'fast-check';
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

/** Five types of one path, where the column keeps four apart; more paths than it keeps apart; and values that only text brings. */
const ODD_FIELDS: readonly Record<string, unknown>[] = [
  ...['text', 1, 1.5, true, ['list', null], [1, null], []].map((value) => ({
    many: value,
    other: { one: value },
  })),
  ...[2 ** 53 + 2, -(2 ** 62), 2 ** 63, 1e300, -1e30, -0].map((value) => ({ number: value })),
  ...[[1, 'a'], [true], [1.5, 2], [[1], []], [{ a: 1 }], [null, { b: [] }]].map((value) => ({ list: value })),
  Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`path${n}`, n % 3 === 0 ? n : `${n}`])),
  Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`wide${n}`, `${n}`])),
  { a: { b: { c: 'deep' } }, nothing: {}, 'quote\'`"': '\0', 日本: '🦊' },
  {},
];

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e18, min: -1e18 }),
  fc.boolean(),
);
const field = fc.oneof(scalar, fc.array(fc.string()), fc.array(fc.integer()), fc.array(scalar));
const fields = fc.dictionary(
  fc.stringMatching(/^[a-f]$/),
  fc.oneof(field, fc.dictionary(fc.stringMatching(/^[a-f]$/), field)),
);

/** An identity that sorts by its number, as those of a batch do. */
const uidOf = (index: number): string => `00000000-0000-8000-8000-0000${index.toString(16).padStart(8, '0')}`;

it('[S06] stores the same from columns of paths as from text, whatever the fields hold', async () => {
  const all = [...ODD_FIELDS, ...fc.sample(fields, { seed: 7, numRuns: 600 })];
  const context = {
    scope: 's',
    sourceName: 'n',
    sourceAddress: '',
    receivedMs: NOW,
    batchId: '00000000000000a1',
  };
  const block = new RowBlock();
  for (const [index, ext] of all.entries()) {
    const event: DecodedEvent = { ...decodeText('{}', NOW), time: NOW, marks: [], ext };
    writeRow(block, context, { event, raw: 'x', index, marks: [] });
  }
  const lines = all.map((ext, index) =>
    JSON.stringify({ EventUid: uidOf(index), TimeGenerated: NOW / 1000, Scope: 's', Ext: ext }),
  );
  const [byPaths, asText] = [await platform.newTenant(), await platform.newTenant()];
  await platform.eventStore.insertRows(byPaths, Buffer.from(block.take()), {
    dedupToken: 'a',
    format: 'Native',
  });
  await platform.eventStore.insertRows(asText, Buffer.from(lines.join('\n')), { dedupToken: 'b' });
  const [stored, expected] = [await fieldsIn(byPaths), await fieldsIn(asText)];
  expect(stored).toHaveLength(all.length);
  expect(stored).toEqual(expected);
});

async function fieldsIn(clusterId: string): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: 'SELECT toString(Ext), JSONAllPathsWithTypes(Ext) FROM events ORDER BY EventUid',
    scopes: 'all',
  });
  return rows;
}
