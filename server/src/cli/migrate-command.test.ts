import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dropDatabase } from '../engines/testing/drop-database.ts';
import { temporaryData } from '../engines/testing/spawn-server.ts';
import { withDatabase } from '../engines/testing/start-test-engines.ts';
import { tenantDatabase } from '../platform/clickhouse/event-store.ts';
import { runClickhouseMigrations } from '../platform/clickhouse/run-clickhouse-migrations.ts';
import { createLog } from '../platform/log.ts';
import { newId } from '../platform/new-id.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { runPostgresMigrations } from '../platform/postgres/run-postgres-migrations.ts';
import { readMigrations } from '../platform/read-migrations.ts';
import { type GateStatement, openStatementGate, type StatementGate } from './testing/statement-gate.ts';

// What the version before left behind, 200 tenants, is brought up by `tyrian migrate`: asked to end on its way, killed on
// its way, and begun again. Not all of the tenants hold events, for the sake of time; TYRIAN_MIGRATE_TENANTS says how many.

const PROGRAM = fileURLToPath(new URL('../../bin/tyrian.mjs', import.meta.url));
const TENANTS = 200;
const BEHIND = Number(process.env.TYRIAN_MIGRATE_TENANTS ?? 6);
const EVENTS = 40;
const RECORDS_BEFORE = readMigrations('postgres').filter(({ name }) => name < '0008');
const EVENTS_BEFORE = readMigrations('clickhouse').filter(({ name }) => name < '0005');

const { postgresUrl, clickhouse } = inject('testEngines');
const log = createLog('silent');
const database = `migrate_${newId()}`;
const data = temporaryData();
const client = createClient({
  url: clickhouse.url,
  username: clickhouse.ingest.user,
  password: clickhouse.ingest.password,
});
const pool = new pg.Pool({ connectionString: withDatabase(postgresUrl, database), max: 1 });
const admin = createPostgres({ url: postgresUrl, log, maxConnections: 1 });
const ids = Array.from({ length: TENANTS }, () => newId());
const behind = ids.filter((_, at) => at % Math.floor(TENANTS / BEHIND) === 0).slice(0, BEHIND);
let gate: StatementGate;

/** Events that came in on two days, so that a loop over partitions has two turns. */
async function fill(clusterId: string): Promise<void> {
  const name = tenantDatabase(clusterId);
  await runClickhouseMigrations(client, name, log, { files: EVENTS_BEFORE });
  await client.command({
    query: `INSERT INTO ${name}.events (TimeGenerated, IngestedTime, Scope, Stream, Raw)
      SELECT toDateTime64('2026-01-01 00:00:00', 3, 'UTC'), toDateTime64('2026-03-01 10:00:00', 3, 'UTC') + toIntervalDay(number % 2),
        's', 'Dns', concat('${clusterId} ', toString(number)) FROM numbers(${EVENTS})`,
  });
}

beforeAll(async () => {
  await sql`create database ${sql.id(database)}`.execute(admin.platform);
  await runPostgresMigrations(pool, log, RECORDS_BEFORE);
  await pool.query(
    `insert into tenant (cluster_id, cluster_name, product_type, created_at)
     select id, 'Tenant ' || id, 'essential', 'epoch' from unnest($1::text[]) as id`,
    [ids],
  );
  const waiting = [...behind];
  const fillAll = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await fill(one);
  };
  await Promise.all([fillAll(), fillAll(), fillAll(), fillAll()]);
  gate = await openStatementGate(clickhouse.url);
});
afterAll(async () => {
  await gate?.close();
  for (const clusterId of behind) {
    await client.command({ query: `DROP DATABASE IF EXISTS ${tenantDatabase(clusterId)}` });
  }
  await client.close();
  await pool.end();
  await dropDatabase(admin, database);
  await admin.close();
  data.remove();
});

/** Starts the command as an administrator does. */
function migrate() {
  const url = new URL(gate.url);
  url.username = clickhouse.ingest.user;
  url.password = clickhouse.ingest.password;
  const child = spawn(process.execPath, [PROGRAM, 'migrate'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TYRIAN_DATA: data.folder,
      TYRIAN_POSTGRES_URL: withDatabase(postgresUrl, database),
      TYRIAN_CLICKHOUSE_URL: url.href,
    },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const ended = said.then(([out, err, [code, signal]]) => ({
    out: out.trim().split('\n'),
    err,
    code,
    signal,
  }));
  return { child, ended };
}

/** Where each tenant with events is: `done` when nothing of its migration is left to do. */
async function doneTenants(): Promise<readonly string[]> {
  const answer = await client.query({
    query: `SELECT database FROM system.tables WHERE name = 'event_figures' AND database NOT IN
      (SELECT database FROM system.tables WHERE name = 'schema_migration_step')`,
    format: 'JSONEachRow',
  });
  const databases = new Set((await answer.json<{ database: string }>()).map((row) => row.database));
  return behind.map(tenantDatabase).filter((name) => databases.has(name));
}

/** A step that copies events, of the tenant that is so many positions behind the ones before. */
function copyOf(index: number): (statement: GateStatement) => boolean {
  const met = new Set<string>();
  return ({ database: name, sql: statement }) => {
    met.add(name);
    return met.size === index && statement.startsWith('INSERT INTO events_by_retention');
  };
}

/** Every record and every event. */
async function expectAllThereOnce(): Promise<void> {
  const { rows } = await pool.query('select cluster_id from tenant order by cluster_id');
  expect(rows.map((row) => row.cluster_id).sort()).toEqual([...ids].sort());
  for (const clusterId of behind) {
    const answer = await client.query({
      query: `SELECT toInt32(count()) AS count, toInt32(uniqExact(Raw)) AS texts, toInt32((SELECT sum(Events)
        FROM ${tenantDatabase(clusterId)}.event_figures)) AS counted FROM ${tenantDatabase(clusterId)}.events`,
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ count: EVENTS, texts: EVENTS, counted: EVENTS }]);
  }
}

it('[T-storage] tyrian migrate tells its progress on 200 tenants; ended or killed midway, the next run goes on behind it', async () => {
  const statements: GateStatement[] = [];
  const halfway = Math.ceil(BEHIND / 3);

  const asked = migrate();
  gate.stopAt(copyOf(halfway), () => {
    asked.child.kill('SIGTERM');
    return false;
  });
  const first = await asked.ended;
  expect(first).toMatchObject({ code: 1, err: 'ended; the next run goes on from here\n' });
  expect(first.out[0]).toMatch(
    new RegExp(`^tenant 1 of ${BEHIND} \\(\\w+\\): 0005_\\w+\\.sql, step 1 of \\d+$`),
  );
  expect(first.out.at(-1)).toMatch(new RegExp(`^tenant ${halfway} of ${BEHIND} `));
  const afterFirst = await doneTenants();
  expect(afterFirst).toHaveLength(halfway - 1);
  const ofFirst = gate.take();
  statements.push(...ofFirst);

  const killed = migrate();
  gate.stopAt(copyOf(2), () => killed.child.kill('SIGKILL'));
  const second = await killed.ended;
  expect(second).toMatchObject({ signal: 'SIGKILL' });
  // Who is done is not begun again, and not counted any more.
  expect(second.out[0]).toMatch(new RegExp(`^tenant 1 of ${BEHIND - afterFirst.length} `));
  const ofSecond = gate.take();
  expect(ofSecond.filter((one) => afterFirst.includes(one.database))).toEqual([]);
  statements.push(...ofSecond);
  const stoppedAt = ofSecond.at(-1);

  const third = await migrate().ended;
  expect(third).toMatchObject({ code: 0, err: '' });
  expect(third.out.at(-1)).toBe(`tenants brought up to date: ${BEHIND - halfway}, failed: 0`);
  statements.push(...gate.take());
  expect(await doneTenants()).toHaveLength(BEHIND);

  // Over the three runs each copy was made once; the one that was killed before it was noted, and no other, twice.
  const copies = statements.filter((one) => one.sql.startsWith('INSERT INTO events_by_retention'));
  expect(copies).toHaveLength(BEHIND * 2 + 1);
  const twice = copies.filter((one, at) => copies.findIndex((other) => same(one, other)) !== at);
  expect(twice).toEqual([stoppedAt]);

  await expectAllThereOnce();
}, 1_200_000);

const same = (one: GateStatement, other: GateStatement): boolean =>
  one.database === other.database && one.sql === other.sql;
