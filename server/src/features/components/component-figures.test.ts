import { readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type ComponentItem,
  listTenantComponents,
  readComponent,
  readTenantComponent,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { EventStoreError } from '../../platform/clickhouse/event-store.ts';
import type { Platform } from '../../platform/platform.ts';
import { identityDb } from '../identity/identity-tables.ts';
import { administrationDb } from '../identity/tenants/administration-tables.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { ingestFeature } from '../ingest/ingest-feature.ts';
import { type ComponentService, createComponentService } from './component-service.ts';

// What the page of components shows is measured: by the processes themselves, and on the engines.

let test: TestApp;
let company: Company;
/** When the platform started; its clock moves by hand. */
let T0 = 0;
const at = (ms: number) => test.platform.clock.set(T0 + ms);

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  T0 = test.platform.clock.now();
});
afterAll(async () => {
  await test?.platform.components.stop();
  await test?.close();
});

function serviceOn(changes: Partial<Platform> = {}): ComponentService {
  const { audit, mail } = company.identity;
  return createComponentService({
    platform: { ...test.platform, ...changes },
    db: administrationDb(identityDb(test.platform.postgres)),
    ...{ audit, mail, mayMail: async () => false },
  });
}

async function itemOf(service: ComponentService, id: string): Promise<ComponentItem> {
  const found = (await service.list(null)).find((one) => one.id === id);
  if (!found) throw new Error(`no component ${id}`);
  return found;
}

it('[T-COMPONENTS] of the role that takes events in shows what was sent, stored, lost and lies in its spool', async () => {
  const { clusterId, scope: scopeId } = company.a;
  let isAway = false;
  const real = test.platform.eventStore;
  const eventStore: typeof real = {
    ...real,
    insertRows: async (...insert) => {
      if (isAway) throw new EventStoreError(0, 'away');
      await real.insertRows(...insert);
    },
  };
  const feature = ingestFeature({ ...test.platform, eventStore }, { audit: company.identity.audit });
  await feature.work.start();
  const target = { clusterId, scopeId, sourceId: null, sourceName: 'probe', sourceAddress: '' };
  await test.platform.components.start('ingest', feature.flowFigures);
  await feature.ingest.ingest(target, 'a line\n'.repeat(40));
  isAway = true;
  await feature.ingest.ingest(target, 'another line\n'.repeat(20));
  feature.sources.count(clusterId, 'gone', { lost: 3 });
  const folder = path.join(test.platform.dataFolder, 'spool');
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
  expect(bytes).toBeGreaterThan(0);
  // The next heartbeat.
  at(10);
  await test.platform.components.start('ingest', feature.flowFigures);
  const id = `ingest@${os.hostname()}`;
  const { metrics } = await itemOf(serviceOn(), id);
  expect(metrics).toMatchObject({ queue: 1, queue_bytes: bytes, disk_used_bytes: bytes, dropped: 3 });
  expect(metrics.eps_in).toBeGreaterThan(0);
  const { rows } = await sql<{ counters: object }>`
    select counters from component_minute m join component c on c.id = m.component
    where c.role = 'ingest' order by c.started_at desc limit 1`.execute(test.platform.postgres.platform);
  expect(rows[0]?.counters).toEqual({ in: 63, out: 40, dropped: 3 });
  const params = { type: 'adapter', id };
  const read = await test.call(readComponent, { ssid: await company.signIn('root'), params });
  expect(read.data.minutes.map(({ queue }) => queue)).toEqual([1]);
  isAway = false;
  await expect.poll(() => feature.flowFigures().queue_bytes, { timeout: 20_000 }).toBe(0);
  await feature.work.stop();
});

it('[T-COMPONENTS] of the engines are measured each minute: rows, memory, disk, since when they run', async () => {
  const service = serviceOn();
  const { clusterId, scope } = company.a;
  at(0);
  await service.sampleEngines();
  expect((await itemOf(service, 'clickhouse')).metrics.eps_in).toBeNull();
  const line = { TimeGenerated: new Date(T0), IngestedTime: T0, Scope: scope, Stream: 'Dns' };
  const body = Array.from({ length: 6_000 }, () => JSON.stringify(line)).join('\n');
  await test.platform.eventStore.insertRows(clusterId, Buffer.from(body), { dedupToken: 'figures' });
  await sql`create table measured as select n from generate_series(1, 6000) n`.execute(
    test.platform.postgres.platform,
  );
  at(60_000);
  // PostgreSQL adds up what its processes counted with a delay.
  await expect
    .poll(
      async () => {
        await service.sampleEngines();
        return (await itemOf(service, 'postgres')).metrics.eps_in;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(100);
  const records = await itemOf(service, 'postgres');
  const { rows } = await sql<{ bytes: string; version: string }>`
    select pg_database_size(current_database()) as bytes, current_setting('server_version') as version`.execute(
    test.platform.postgres.platform,
  );
  const size = Number(rows[0]?.bytes);
  expect(records).toMatchObject({ version: rows[0]?.version, last_seen: T0 + 60_000 });
  expect(Math.abs((records.metrics.disk_used_bytes ?? 0) - size)).toBeLessThan(size / 10);
  expect(records.started).toBeLessThan(T0 + 60_000);
  if (os.platform() === 'linux') {
    expect(records.metrics.mem_bytes).toBeGreaterThan(10_000_000);
    expect(records.metrics.cpu_pct).toBeGreaterThanOrEqual(0);
  }
  const events = await itemOf(service, 'clickhouse');
  expect(events.metrics.eps_in).toBeGreaterThanOrEqual(100);
  for (const name of ['cpu_pct', 'disk_pct', 'mem_bytes', 'disk_used_bytes', 'queue', 'dropped'] as const)
    expect(events.metrics[name], name).toBeGreaterThanOrEqual(0);
  expect(events.metrics.mem_pct).toBeLessThanOrEqual(100);
  expect(events.version).toMatch(/^\d+\.\d+/);
  const detail = await service.read(null, 'datanode', 'clickhouse');
  expect(detail.minutes.map(({ time }) => time)).toEqual(
    [T0, T0 + 60_000].map((ms) => Math.floor(ms / 60_000) * 60_000),
  );
});

it('[T-COMPONENTS] each shard is listed; one that does not answer is down, and unknown when nobody asks any more', async () => {
  const rows = [
    { name: 'InsertedRows', value: '5' },
    { name: 'cores', value: '2' },
    { name: 'uptime', value: '60' },
    { name: 'version', value: '26.1' },
  ];
  const real = test.platform.eventStore;
  const nodeRows = async () => [
    { node: 'one:8123', answer: rows, error: null },
    { node: 'two:8123', answer: null, error: new EventStoreError(0, 'away') },
  ];
  const eventStore = { ...real, nodeRows } as typeof real;
  const service = serviceOn({ eventStore });
  at(120_000);
  await service.sampleEngines();
  const states = async () =>
    Object.fromEntries(
      (await service.list(null))
        .filter(({ hostname }) => hostname?.endsWith(':8123'))
        .map(({ hostname, state, version }) => [hostname, [state, version]]),
    );
  expect(await states()).toEqual({ 'one:8123': ['active', '26.1'], 'two:8123': ['down', null] });
  at(420_000);
  expect(await states()).toEqual({ 'one:8123': ['unknown', '26.1'], 'two:8123': ['unknown', null] });
  // What is too old goes.
  at(3 * 3_600_000);
  await serviceOn().sampleEngines();
  const kept = await sql<{ n: string }>`
    select count(*) as n from component_minute where component like 'clickhouse@%'`.execute(
    test.platform.postgres.platform,
  );
  expect(Number(kept.rows[0]?.n)).toBe(0);
});

it('[T-COMPONENTS] two processes of a role on one host are two components; a silent one shows no load', async () => {
  const host = 'two-on-one';
  const nowMs = test.platform.clock.now();
  const started = (ms: number) => new Date(nowMs - ms).toISOString();
  for (const [id, pid, ms] of [
    ['p1', 11, 3_600_000],
    ['p2', 12, 60_000],
  ] as const)
    await sql`insert into component (id, role, host, process_id, version, state, details, started_at, heartbeat_at)
      values (${id}, 'ingest', ${host}, ${pid}, '1', 'running', '{"cpu_pct": 7, "queue": 2, "eps_in": 5}',
        ${started(ms)}, ${started(0)})`.execute(test.platform.postgres.platform);
  const service = serviceOn();
  const ids = (await service.list(null)).filter(({ hostname }) => hostname === host).map(({ id }) => id);
  expect(ids).toEqual([`ingest@${host}`, `ingest@${host}:11`]);
  test.platform.clock.advance(120_000);
  expect(await itemOf(service, `ingest@${host}`)).toMatchObject({
    state: 'down',
    metrics: { cpu_pct: null, eps_in: null, queue: 2 },
  });
});

it('[T-COMPONENTS] a tenant learns neither load nor losses of the platform', async () => {
  const as = { ssid: await company.signIn('tenantAdmin') };
  const params = { clusterId: company.a.clusterId };
  const { data } = await test.call(listTenantComponents, { ...as, params });
  for (const { metrics } of data.data) {
    const { queue: _, eps_in: __, ...hidden } = metrics;
    expect(new Set(Object.values(hidden))).toEqual(new Set([null]));
  }
  const where = { ...params, type: 'datanode', id: 'clickhouse' };
  expect((await test.call(readTenantComponent, { ...as, params: where })).data.minutes).toEqual([]);
});
