import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../../engines/testing/index.ts';
import { tenantDatabase } from '../../../platform/clickhouse/event-store.ts';
import { mendFigures } from '../../../platform/clickhouse/mend-figures.ts';
import { runClickhouseMigrations } from '../../../platform/clickhouse/run-clickhouse-migrations.ts';
import { newId } from '../../../platform/new-id.ts';
import { readMigrations } from '../../../platform/read-migrations.ts';
import { migrateTenants, type TenantMigrationProgress } from './migrate-tenants.ts';

// A data folder of the version before holds events; this version brings them up, wherever it is ended on its way.

const { url, ingest } = inject('testEngines').clickhouse;
const client = createClient({
  url,
  username: ingest.user,
  password: ingest.password,
});
const before = readMigrations('clickhouse').filter(({ name }) => name < '0005');
const made: string[] = [];
let platform: TestPlatform;
beforeAll(async () => {
  expect(before).toHaveLength(4);
  platform = await testPlatform();
});
afterAll(async () => {
  for (const clusterId of made) await platform.eventStore.dropTenant(clusterId);
  await client.close();
  await platform.close();
});

/** A tenant as the version before left it: events of five days, in several parts. */
async function oldTenant(): Promise<string> {
  const clusterId = newId();
  made.push(clusterId);
  const database = tenantDatabase(clusterId);
  await runClickhouseMigrations(client, database, platform.log, { files: before });
  for (const scope of ['a', 'b']) {
    await client.command({
      query: `INSERT INTO ${database}.events (TimeGenerated, IngestedTime, Scope, Stream, SourceName, DvcHostname, ParseStatus, Raw, Ext)
        SELECT toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + toIntervalHour(number % 700),
          toDateTime64('2026-03-01 10:00:00', 3, 'UTC') + toIntervalDay(number % 5) + toIntervalSecond(number % 300),
          '${scope}', ['Dns', 'Signals'][number % 2 + 1], concat('source', toString(number % 3)), concat('host', toString(number % 4)),
          if(number % 7 = 0, 'PER', 'PAD'), concat('event ', toString(number)), concat('{"n":', toString(number), '}')
        FROM numbers(900)`,
    });
  }
  return clusterId;
}

async function ask(clusterId: string, query: string): Promise<unknown[]> {
  const answer = await client.query({
    query,
    format: 'JSONCompactEachRow',
    clickhouse_settings: { database: tenantDatabase(clusterId) } as Record<string, string>,
  });
  return answer.json();
}

const EVENTS = `SELECT Scope, Stream, SourceName, ParseStatus, toDate(IngestedTime) AS day, toInt64(count()), sum(cityHash64(Raw)),
  uniqExact(EventUid), sum(Ext.n.:Int64), toInt64(sum(length(Raw))) FROM events GROUP BY ALL ORDER BY ALL`;
const OF_EVENTS = `SELECT Scope, Stream, SourceName, ParseStatus, toDate(IngestedTime) AS day, toInt64(count()), toInt64(sum(length(Raw)))
  FROM events GROUP BY ALL ORDER BY ALL`;
const OF_FIGURES = `SELECT Scope, Stream, SourceName, ParseStatus, toDate(IngestedMinute) AS day, sum(Events), sum(RawBytes)
  FROM event_figures GROUP BY ALL ORDER BY ALL`;

const depsFor = (...clusterIds: string[]) => ({
  eventStore: platform.eventStore,
  tenants: async () => clusterIds.map((clusterId) => ({ clusterId })),
  log: platform.log,
});

it('[T-storage] a tenant of the version before has the same events and figures after the migration', async () => {
  const clusterId = await oldTenant();
  const current = await platform.newTenant();
  const had = await ask(clusterId, EVENTS);
  const told: TenantMigrationProgress[] = [];
  const onProgress = (progress: TenantMigrationProgress) => told.push(progress);
  const deps = depsFor(current, clusterId);
  expect(await migrateTenants(deps, { onProgress })).toEqual({ migrated: 1, failed: [] });
  expect(await ask(clusterId, EVENTS)).toEqual(had);
  expect(await ask(clusterId, OF_FIGURES)).toEqual(await ask(clusterId, OF_EVENTS));
  expect(await mendFigures(platform.eventStore, clusterId, Date.now())).toEqual([]);
  expect(await platform.eventStore.partitions(clusterId)).toHaveLength(5);
  // Progress reaches its end, and only the tenant that was behind is told of.
  expect(new Set(told.map((one) => `${one.clusterId} ${one.tenant}/${one.tenants}`))).toEqual(
    new Set([`${clusterId} 1/1`]),
  );
  expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
  // What comes afterwards fills the figures.
  const row = { TimeGenerated: Date.now(), Scope: 'a', Stream: 'Dns', Raw: 'new' };
  await platform.eventStore.insertRows(clusterId, Buffer.from(JSON.stringify(row)), { dedupToken: 'new' });
  expect(await ask(clusterId, OF_FIGURES.replace('event_figures', 'event_figures FINAL'))).toEqual(
    await ask(clusterId, OF_EVENTS),
  );
  expect(await migrateTenants(deps)).toEqual({ migrated: 0, failed: [] });
});

const NOTES = 'SELECT unit FROM schema_migration_step ORDER BY unit';

async function notesOf(clusterId: string): Promise<string[]> {
  const sql =
    "SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migration_step'";
  if ((await ask(clusterId, sql)).length === 0) return [];
  return ((await ask(clusterId, NOTES)) as string[][]).map(([unit]) => String(unit));
}

/** Ends the work at the first step that is told of as newly done; resolves with true when there is none left. */
async function runOneStep(clusterId: string): Promise<boolean> {
  const ended = new AbortController();
  const noted = (await notesOf(clusterId)).length;
  const onProgress = ({ done }: TenantMigrationProgress) => {
    if (done > noted) ended.abort(new Error('ended by the test'));
  };
  const run = migrateTenants(depsFor(clusterId), { onProgress, signal: ended.signal });
  return run.then(
    () => true,
    () => false,
  );
}

it.each([
  ['goes on behind it', false],
  ['also where that step was not noted any more', true],
])('[T-storage] ended after each of its steps it %s', async (_what, isForgotten) => {
  const clusterId = await oldTenant();
  const had = await ask(clusterId, EVENTS);
  const seen = new Set<string>();
  let runs = 1;
  for (; !(await runOneStep(clusterId)); runs += 1) {
    expect(runs).toBeLessThan(100);
    const fresh = (await notesOf(clusterId)).filter((unit) => !seen.has(unit));
    // Each run does one step that was not done, and none again. A file of settings alone notes none, and is
    // done at once.
    expect(fresh.length).toBeLessThan(2);
    if (fresh.length === 0) {
      await migrateTenants(depsFor(clusterId));
      break;
    }
    if (!isForgotten) seen.add(fresh[0] ?? '');
    else {
      await client.command({
        query: `ALTER TABLE ${tenantDatabase(clusterId)}.schema_migration_step DELETE WHERE unit = '${fresh[0]}'`,
        clickhouse_settings: { mutations_sync: '1' },
      });
      if (await runOneStep(clusterId)) break;
      for (const unit of await notesOf(clusterId)) seen.add(unit);
    }
  }
  expect(runs).toBeGreaterThan(15);
  expect(await ask(clusterId, EVENTS)).toEqual(had);
  expect(await ask(clusterId, OF_FIGURES)).toEqual(await ask(clusterId, OF_EVENTS));
});

it('[T-storage] until then nobody waits: searches are refused with the reason, rows go to the spool', async () => {
  const clusterId = await oldTenant();
  const search = platform.eventStore.rows(clusterId, { sql: 'SELECT count() FROM events', scopes: 'all' });
  await expect(search).rejects.toMatchObject({ name: 'AppError', kind: 'unavailable' });
  const row = Buffer.from(JSON.stringify({ TimeGenerated: Date.now(), Scope: 'a', Stream: 'Dns' }));
  // Code 0 is what an engine that is away answers: such rows are kept in the spool.
  await expect(platform.eventStore.insertRows(clusterId, row, { dedupToken: 'early' })).rejects.toMatchObject(
    { name: 'EventStoreError', code: 0 },
  );
  expect(await platform.eventStore.tenantState(clusterId)).toBe('behind');
  await migrateTenants(depsFor(clusterId));
  await platform.eventStore.insertRows(clusterId, row, { dedupToken: 'early' });
  expect(await ask(clusterId, 'SELECT toInt32(count()) FROM events')).toEqual([[1801]]);
});

it('[T-storage] a tenant that fails does not hold up the others', async () => {
  const [broken, whole] = [await oldTenant(), await oldTenant()];
  const database = tenantDatabase(broken);
  await client.command({
    query: `INSERT INTO ${database}.schema_migration (name, checksum) VALUES ('${before[0]?.name}', 'another')`,
  });
  const { migrated, failed } = await migrateTenants(depsFor(broken, whole));
  expect(migrated).toBe(1);
  expect(failed).toMatchObject([{ clusterId: broken, reason: expect.stringContaining('has changed') }]);
  expect(await platform.eventStore.tenantState(whole)).toBe('current');
});
