import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createLog } from '../log.ts';
import { type MigrationFile, readMigrations } from '../read-migrations.ts';
import { runClickhouseMigrations } from './run-clickhouse-migrations.ts';

// An upgrade moves the events of a tenant into a table with a partition for each day of arrival. None may be lost or
// doubled, wherever the upgrade is ended and begun again.

const { url, ingest } = inject('testEngines').clickhouse;
const client = createClient({
  url,
  username: ingest.user,
  password: ingest.password,
});
const log = createLog('silent');
const files = readMigrations('clickhouse').filter(({ name }) => name < '0004');
const before = files.filter(({ name }) => name < '0003');
const upgrade = files.find(({ name }) => name.startsWith('0003')) as MigrationFile;
const databases: string[] = [];

async function oldDatabase(): Promise<string> {
  const database = `tenant_upgrade_${randomUUID().slice(0, 8)}`;
  databases.push(database);
  await runClickhouseMigrations(client, database, log, { files: before });
  // Events of forty days that came in on four.
  await client.command({
    query: `INSERT INTO ${database}.events (TimeGenerated, IngestedTime, Scope, Stream, Raw, Ext)
      SELECT toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + toIntervalDay(number % 40),
        toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + toIntervalDay(number % 4), 's', 'Generic',
        concat('event ', toString(number)), concat('{"n":', toString(number), '}') FROM numbers(2000)`,
  });
  return database;
}

const FIGURES =
  'count(), uniqExact(EventUid), sum(cityHash64(Raw)), sum(Ext.n.:Int64), uniqExact(toDate(TimeGenerated))';

async function figures(database: string, what = FIGURES): Promise<unknown> {
  const answer = await client.query({
    query: `SELECT ${what} FROM ${database}.events`,
    format: 'JSONCompactEachRow',
  });
  return answer.json();
}

beforeAll(() => {
  expect(before).toHaveLength(2);
});
afterAll(async () => {
  for (const database of databases) await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
  await client.close();
});

it('moves every event once, and leaves one partition for each day of arrival', async () => {
  const database = await oldDatabase();
  const had = await figures(database);
  expect(await figures(database, 'uniqExact(_partition_id)')).toEqual([[40]]);
  await runClickhouseMigrations(client, database, log, { files });
  expect(await figures(database)).toEqual(had);
  expect(await figures(database, 'uniqExact(_partition_id)')).toEqual([[4]]);
  const tables = await client.query({ query: `SHOW TABLES FROM ${database}`, format: 'JSONCompactEachRow' });
  expect(await tables.json()).toEqual([['events'], ['schema_migration']]);
});

it('loses and doubles nothing when it is ended after any of its statements and begun again', async () => {
  const statements = upgrade.text.split(/;\n/).filter((one) => /^[A-Z]/m.test(one));
  expect(statements.length).toBeGreaterThan(4);
  for (let done = 1; done <= statements.length; done += 1) {
    const database = await oldDatabase();
    const had = await figures(database);
    for (const statement of statements.slice(0, done)) {
      await client.command({ query: statement, clickhouse_settings: { database } as Record<string, string> });
    }
    await runClickhouseMigrations(client, database, log, { files });
    expect(await figures(database), `ended after statement ${done}`).toEqual(had);
    expect(await figures(database, 'uniqExact(_partition_id)')).toEqual([[4]]);
  }
});
