import { createClient } from '@clickhouse/client';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { prepareDataFolder } from './engines/data-folder.ts';
import { startEngines } from './engines/start-engines.ts';
import { temporaryData } from './engines/testing/spawn-server.ts';
import { tenantDatabase } from './platform/clickhouse/event-store.ts';
import { runClickhouseMigrations } from './platform/clickhouse/run-clickhouse-migrations.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { newId } from './platform/new-id.ts';
import { runPostgresMigrations } from './platform/postgres/run-postgres-migrations.ts';
import { readMigrations } from './platform/read-migrations.ts';
import { startServer } from './start-server.ts';

// A data folder as the first line of migrations left it, with something in it, is brought up by a start of the server.
// From that line on migrations are append-only, so this is what every later version meets.

/** The first migrations that are none of the first line. */
const LATER = { postgres: '0019', clickhouse: '0008' } as const;
const EVENTS = 20;

const log = createLog('silent');
const data = temporaryData();
const config = readConfig({ TYRIAN_DATA: data.folder, TYRIAN_PORT: '0', TYRIAN_INGEST_PORT: '0' });
const clusterId = newId();
const personId = newId();
afterAll(() => data.remove());

async function fillRecords(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await runPostgresMigrations(
    pool,
    log,
    readMigrations('postgres').filter(({ name }) => name < LATER.postgres),
  );
  await pool.query(
    `insert into tenant (cluster_id, cluster_name, product_type, created_at) values ($1, 'Acme', 'essential', 'epoch')`,
    [clusterId],
  );
  await pool.query(`insert into organization (org_id, name, created_at) values ('o', 'Acme', 'epoch')`);
  await pool.query(
    `insert into person (user_id, org_id, email, name, user_type, password_hash, password_changed_at, created_at)
     values ($1, 'o', 'ann@acme.example', 'Ann', 'general', '-', 'epoch', 'epoch')`,
    [personId],
  );
  await pool.query(`insert into login_place values ($1, '192.0.2.7', '2026-03-01T10:00:00Z')`, [personId]);
  await pool.end();
}

/** Starts the engines alone, lays the first line of migrations and puts something into both stores. */
async function fillDataFolder(): Promise<void> {
  const engines = await startEngines({
    config,
    dataFolder: prepareDataFolder(data.folder, data.folder),
    log,
    durable: true,
  });
  try {
    await fillRecords(engines.postgresUrl);
    const { url, ingest } = engines.clickhouse;
    const client = createClient({
      url,
      username: ingest.user,
      password: ingest.password,
      keep_alive: { enabled: false },
    });
    const name = tenantDatabase(clusterId);
    const files = readMigrations('clickhouse').filter((file) => file.name < LATER.clickhouse);
    await runClickhouseMigrations(client, name, log, { files });
    await client.command({
      query: `INSERT INTO ${name}.events (TimeGenerated, IngestedTime, Scope, Stream, Raw)
        SELECT now64(3), now64(3), 's', 'Dns', toString(number) FROM numbers(${EVENTS})`,
    });
    await client.close();
  } finally {
    await engines.stop();
  }
}

it('a start brings up a data folder of the first line of migrations, and loses nothing of it', async () => {
  await fillDataFolder();
  const server = await startServer({ config, checkout: data.folder, log, roles: ['api', 'worker'] });
  try {
    const { postgres, eventStore } = server.platform;
    const { rows: addresses } = await sql`select * from login_address`.execute(postgres.platform);
    expect(addresses).toMatchObject([{ user_id: personId, source_address: '192.0.2.7' }]);
    // A job of the worker brings the events of each tenant up; until then they are refused.
    const isReady = () =>
      eventStore.ensureTenant(clusterId).then(
        () => true,
        () => false,
      );
    await expect.poll(isReady, { timeout: 120_000, interval: 200 }).toBe(true);
    const answer = await eventStore.rows(clusterId, {
      sql: 'SELECT toInt32(count()), toInt32(uniqExact(Raw)) FROM events',
      scopes: 'all',
    });
    expect(answer.rows).toEqual([[EVENTS, EVENTS]]);
    const applied = await sql<{ name: string }>`select name from schema_migration order by name`.execute(
      postgres.platform,
    );
    expect(applied.rows.map(({ name }) => name)).toEqual(readMigrations('postgres').map(({ name }) => name));
  } finally {
    await server.stop();
  }
});
