import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { tenantDatabase } from './event-store.ts';
import { FILTERED_TABLES } from './event-tables.ts';
import { mendFigures } from './mend-figures.ts';

// Figures stand beside the events: filled by the same insert, locked by the same scopes, never another number.

const { url, ingest } = inject('testEngines').clickhouse;
const client = createClient({
  url,
  username: ingest.user,
  password: ingest.password,
});
let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(async () => {
  await client.close();
  await platform.close();
});

const DAY = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString().replace('Z', '');

interface Made {
  readonly scope?: string;
  readonly stream?: string;
  readonly source?: string;
  readonly status?: string;
  readonly ingested: number;
  readonly happened?: number;
  readonly host?: string;
  readonly more?: Record<string, unknown>;
}

const row = ({ scope = 'a', stream = 'Dns', source = 's', status = 'PAD', ...made }: Made) =>
  JSON.stringify({
    TimeGenerated: at(made.happened ?? made.ingested),
    IngestedTime: at(made.ingested),
    EventUid: randomUUID(),
    Scope: scope,
    Stream: stream,
    SourceName: source,
    ParseStatus: status,
    DvcHostname: made.host ?? '',
    Raw: 'twelve bytes',
    ...made.more,
  });

const put = (clusterId: string, rows: readonly Made[], dedupToken: string = randomUUID()) =>
  platform.eventStore.insertRows(clusterId, Buffer.from(rows.map(row).join('\n')), { dedupToken });

const ask = async (clusterId: string, sql: string, scopes: readonly string[] | 'all' = 'all') =>
  (await platform.eventStore.rows(clusterId, { sql, scopes })).rows;

/** The same figures, of the events themselves and of the tables beside them. */
async function bothFigures(clusterId: string): Promise<[unknown, unknown]> {
  const keys = 'Scope, Stream, SourceName, SourceType, ParseStatus';
  return [
    await ask(
      clusterId,
      `SELECT ${keys}, toStartOfMinute(IngestedTime) AS i, toInt32(floor(toUnixTimestamp64Milli(TimeGenerated) / 60000)) AS e, toInt64(count()),
         toInt64(sum(length(Raw))), min(TimeGenerated), max(TimeGenerated), max(IngestedTime)
       FROM events GROUP BY ${keys}, i, e ORDER BY ALL`,
    ),
    await ask(
      clusterId,
      `SELECT ${keys}, IngestedMinute AS i, EventMinute AS e, sum(Events), sum(RawBytes), min(FirstEvent), max(LastEvent), max(LastIngested)
       FROM event_figures GROUP BY ${keys}, i, e HAVING sum(Events) != 0 ORDER BY ALL`,
    ),
  ];
}

async function expectEqualFigures(clusterId: string): Promise<void> {
  const [events, figures] = await bothFigures(clusterId);
  expect(figures).toEqual(events);
  const hosts = 'SELECT Scope, Stream, DvcHostname';
  expect(
    await ask(
      clusterId,
      `${hosts}, sum(Events) FROM host_figures GROUP BY ALL HAVING sum(Events) != 0 ORDER BY ALL`,
    ),
  ).toEqual(
    await ask(
      clusterId,
      `${hosts}, toInt64(count()) FROM events WHERE DvcHostname != '' GROUP BY ALL ORDER BY ALL`,
    ),
  );
}

it('[T-storage] every insert fills the figures, and one that comes twice fills them once', async () => {
  const clusterId = await platform.newTenant();
  const now = Date.now() - 20 * DAY;
  const rows: Made[] = Array.from({ length: 300 }, (_one, n) => ({
    scope: n % 2 ? 'a' : 'b',
    stream: ['Dns', 'Authentication', 'Signals'][n % 3] ?? '',
    source: `source ${n % 7}`,
    status: n % 5 ? 'PAD' : 'PER',
    ingested: now + (n % 90) * 1000,
    happened: now - n * 7_000_000,
    host: n % 4 ? `host${n % 4}` : '',
    more: n % 3 === 2 ? { DetectionScore: (n % 10) + 1, Ext: { WorkbookName: 'Rule' } } : {},
  }));
  for (const token of ['one', 'one', 'two']) await put(clusterId, rows, token);
  expect(await ask(clusterId, 'SELECT count() FROM events')).toEqual([[600]]);
  await expectEqualFigures(clusterId);
  expect(
    await ask(
      clusterId,
      "SELECT Detection, sum(Events) FROM event_figures WHERE Stream = 'Signals' GROUP BY Detection",
    ),
  ).toEqual([['Rule', 200]]);
});

it('[T-storage] a detection is counted by its name, and what is no text there fails no insert', async () => {
  const clusterId = await platform.newTenant();
  const names = ['Rule', 7, true, null, ['Rule'], { name: 'Rule' }, [{ name: 'Rule' }], ''];
  const fields = [...names.map((WorkbookName) => ({ WorkbookName })), {}, { 'WorkbookName.name': 'Rule' }];
  const signals = fields.map((Ext) => ({ stream: 'Signals', ingested: Date.now(), more: { Ext } }));
  await put(clusterId, signals);
  for (const signal of signals) await put(clusterId, [signal]);
  await expectEqualFigures(clusterId);
  const counted = 'SELECT Detection, sum(Events) FROM event_figures GROUP BY Detection ORDER BY Detection';
  expect(await ask(clusterId, counted)).toEqual([
    ['', 2 * (fields.length - 1)],
    ['Rule', 2],
  ]);
});

it('[T-storage] events older than 1970 are counted at their own minute', async () => {
  const clusterId = await platform.newTenant();
  await put(clusterId, [{ ingested: Date.now(), happened: Date.parse('1903-04-05T06:07:08Z') }]);
  await expectEqualFigures(clusterId);
});

it('[T-storage] the engine itself keeps figures to the scopes of the caller, by whatever name they are read', async () => {
  const clusterId = await platform.newTenant();
  await put(clusterId, [
    { ingested: Date.now(), host: 'h' },
    { scope: 'b', ingested: Date.now(), host: 'h' },
  ]);
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND NOT startsWith(name, 'schema_migration') ORDER BY name`,
    scopes: 'all',
  });
  const others = {
    search_results: { TaskId: 't', Body: '[]' },
    indicator_sets: { HuntId: 'h', Kind: 1, Key: 'k' },
    eventstore_rows: { Store: 's', Upload: 'u', RowNumber: 0, Cells: ['x'] },
  };
  for (const [table, row] of Object.entries(others)) {
    const lines = ['a', 'b'].map((Scope) => `${JSON.stringify({ Scope, ...row })}\n`);
    await platform.eventStore.insertRows(clusterId, Buffer.from(lines.join('')), {
      dedupToken: table,
      table,
    });
  }
  // Whatever table of rows comes later has to be filtered too.
  expect(rows.map(([name]) => name)).toEqual([...FILTERED_TABLES].sort());
  for (const table of FILTERED_TABLES) {
    expect(await ask(clusterId, `SELECT DISTINCT Scope FROM ${table}`, ['a']), table).toEqual([['a']]);
    expect(await ask(clusterId, `SELECT DISTINCT Scope FROM ${table}`, []), table).toEqual([]);
  }
});

it('[T-storage] figures that a crash left behind the events, or before them, are counted again', async () => {
  const clusterId = await platform.newTenant();
  const database = tenantDatabase(clusterId);
  const rows = (day: number): Made[] =>
    Array.from({ length: 40 }, (_one, n) => ({
      ingested: Date.now() - day * DAY + n * 1000,
      source: `source ${n % 3}`,
      host: `host ${n % 5}`,
    }));
  await put(clusterId, rows(3));
  await put(clusterId, rows(5));
  await put(clusterId, rows(7));
  const mended = () => mendFigures(platform.eventStore, clusterId, Date.now());
  expect(await mended()).toEqual([]);
  const [lost = [], kept = []] = await ask(
    clusterId,
    'SELECT _partition_id FROM events GROUP BY ALL ORDER BY ALL',
  );
  // Figures are gone where the events stayed, a part of them in another partition, and the reverse.
  await client.command({ query: `ALTER TABLE ${database}.event_figures DROP PARTITION ID '${lost[0]}'` });
  await client.command({ query: `ALTER TABLE ${database}.host_figures DROP PARTITION ID '${lost[0]}'` });
  await client.command({
    query: `ALTER TABLE ${database}.events DELETE IN PARTITION ID '${kept[0]}' WHERE SourceName = 'source 1'`,
    clickhouse_settings: { mutations_sync: '1' },
  });
  const [events, figures] = await bothFigures(clusterId);
  expect(figures).not.toEqual(events);
  expect((await mended()).sort()).toEqual([lost[0], kept[0]].sort());
  await expectEqualFigures(clusterId);
  expect(await mended()).toEqual([]);
});
