import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createEventStore } from '../platform/clickhouse/clickhouse-event-store.ts';
import { systemClock } from '../platform/clock.ts';
import { createComponentRegistry } from '../platform/components/component-registry.ts';
import { createLog } from '../platform/log.ts';
import { newId } from '../platform/new-id.ts';
import { createPostgres, type Postgres } from '../platform/postgres/postgres.ts';
import { dropDatabase } from './testing/drop-database.ts';
import { processesNaming, type SpawnedServer, spawnServer, temporaryData } from './testing/spawn-server.ts';
import { withDatabase } from './testing/start-test-engines.ts';

// Engines that somebody else runs, given by URL: the same code path, several processes, no engine of our own.

describe('engines given by configuration', () => {
  const { postgresUrl, clickhouse } = inject('testEngines');
  const database = `given_${newId()}`;
  const log = createLog('silent');
  const data = temporaryData();
  let admin: Postgres;
  let mine: Postgres;
  const servers: SpawnedServer[] = [];
  const url = new URL(clickhouse.url);
  url.username = clickhouse.ingest.user;
  url.password = clickhouse.ingest.password;
  const env = { TYRIAN_POSTGRES_URL: withDatabase(postgresUrl, database), TYRIAN_CLICKHOUSE_URL: url.href };

  beforeAll(async () => {
    admin = createPostgres({ url: postgresUrl, log, maxConnections: 1 });
    await sql`create database ${sql.id(database)}`.execute(admin.platform);
    mine = createPostgres({ url: env.TYRIAN_POSTGRES_URL, log, maxConnections: 2 });
  });
  afterAll(async () => {
    for (const server of servers) server.kill('SIGTERM');
    await Promise.all(servers.map((server) => server.ended));
    await mine.close();
    await dropDatabase(admin, database);
    await admin.close();
    data.remove();
  });

  it('runs each role in a process of its own on the same engines', async () => {
    for (const role of ['api', 'ingest']) {
      servers.push(await spawnServer({ dataFolder: data.folder, env, args: ['--role', role] }));
    }
    servers.push(
      await spawnServer({ dataFolder: data.folder, env, args: ['--role', 'worker'], untilReady: false }),
    );
    const registry = createComponentRegistry({ postgres: mine, clock: systemClock, log, version: 'test' });
    const running = async () =>
      (await registry.list()).filter((one) => one.state === 'running').map((one) => one.role);
    await expect
      .poll(async () => (await running()).sort(), { timeout: 30_000 })
      .toEqual(['api', 'ingest', 'worker']);
    // Three servers and no engine below them.
    expect(processesNaming(data.folder)).toEqual([]);
  });

  it('says which variable is wrong when nothing answers there', async () => {
    const server = await spawnServer({
      dataFolder: data.folder,
      env: { ...env, TYRIAN_CLICKHOUSE_URL: 'http://127.0.0.1:1/' },
      untilReady: false,
    });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain('TYRIAN_CLICKHOUSE_URL: the engine there does not answer');
  });

  it('only reads, and cancels, also with one account for everything', async () => {
    const account = clickhouse.ingest;
    const store = createEventStore({ ...clickhouse, query: account, log });
    const clusterId = newId();
    try {
      await store.ensureTenant(clusterId);
      await expect(store.rows(clusterId, { sql: 'drop table events', scopes: 'all' })).rejects.toMatchObject({
        code: 164,
      });
      const queryId = randomUUID();
      const controller = new AbortController();
      const asked = store
        .rows(clusterId, {
          sql: 'select sum(sleepEachRow(0.01)) from numbers(100000) settings max_block_size = 10',
          scopes: 'all',
          queryId,
          signal: controller.signal,
        })
        .catch((error: Error) => error);
      const running = async () =>
        (
          await store.systemRows('select 1 from system.processes where query_id = {id:String}', {
            id: queryId,
          })
        ).length;
      while ((await running()) === 0) await sleep(20);
      controller.abort();
      await expect.poll(running, { timeout: 30_000, interval: 20 }).toBe(0);
      expect(await asked).toBeInstanceOf(Error);
    } finally {
      await store.dropTenant(clusterId);
      await store.close();
    }
  });
});
