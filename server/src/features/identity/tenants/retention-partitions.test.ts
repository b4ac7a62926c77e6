import { randomUUID } from 'node:crypto';
import { STREAMS } from '@tyrian/catalog';
import { readScopeStreamConfig, saveScopeStreamConfig, saveStreamConfig } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import {
  type Deletion,
  type DeletionProgress,
  deleteEvents,
} from '../../../platform/clickhouse/delete-events.ts';
import { tenantDatabase } from '../../../platform/clickhouse/event-store.ts';
import { ingestFeature } from '../../ingest/ingest-feature.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { deleteScopeEvents, planScopeDeletion } from './delete-scope-events.ts';
import { createRetentionDays } from './retention-days.ts';
import { createRetentionService, type RetentionService } from './retention-service.ts';

// Retention is dropping partitions. The engine rewrites rows only where a time was changed while events were kept.

const DAY = 86_400_000;
let test: TestApp;
let company: Company;
let retention: RetentionService;
let admin: string;
let clusterId: string;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  admin = await company.signIn('tenantAdmin');
});
afterAll(() => test?.close());
beforeEach(async () => {
  ({ clusterId } = company.a);
  const { postgres, eventStore, clock, log } = test.platform;
  await postgres.inTenant(clusterId, (trx) => sql`delete from stream_config`.execute(trx));
  await eventStore.dropTenant(clusterId);
  await eventStore.ensureTenant(clusterId);
  const audit = createAuditService({ postgres, clock, log });
  retention = createRetentionService({
    ...{ postgres, eventStore, clock, audit },
    streamNames: async () => STREAMS.map(({ name }) => name),
  });
});

interface Kept {
  readonly days: number;
  readonly retentionDays: number;
  readonly stream?: string;
  readonly scope?: string;
  readonly events?: number;
}

/** Events that came in so many days ago, with the class that they got then. */
async function fill(all: readonly Kept[]): Promise<void> {
  const now = test.platform.clock.now();
  const lines = all.flatMap(({ days, retentionDays, stream = 'Dns', scope = company.a.scope, events = 1 }) =>
    Array.from({ length: events }, () =>
      JSON.stringify({
        TimeGenerated: '2019-01-01 00:00:00',
        IngestedTime: now - days * DAY,
        Scope: scope,
        Stream: stream,
        DvcHostname: 'host',
        RetentionDays: retentionDays,
      }),
    ),
  );
  await test.platform.eventStore.insertRows(clusterId, Buffer.from(lines.join('\n')), {
    dedupToken: randomUUID(),
  });
}

const set = (stream: string, retention_days: number | null, dry_run = false) =>
  test.call(saveStreamConfig, {
    ssid: admin,
    params: { clusterId },
    input: { stream, retention_days, dry_run },
  });

const ask = async (text: string) =>
  (await test.platform.eventStore.rows(clusterId, { sql: text, scopes: 'all' })).rows;

/** Days of arrival by stream, of the events and of what is counted of them: always the same. */
async function left(): Promise<Record<string, number[]>> {
  const now = Math.floor(test.platform.clock.now() / DAY);
  const tables = await Promise.all(
    [
      'SELECT toString(Stream), toUInt32(toDate(IngestedTime)) AS d, toInt64(count()) FROM events GROUP BY ALL ORDER BY ALL',
      'SELECT toString(Stream), toUInt32(toDate(IngestedMinute)) AS d, sum(Events) FROM event_figures GROUP BY ALL ORDER BY ALL',
      'SELECT toString(Stream), toUInt32(IngestedDay) AS d, sum(Events) FROM host_figures GROUP BY ALL ORDER BY ALL',
    ].map(ask),
  );
  const [events = [], ...figures] = tables;
  for (const one of figures) expect(one).toEqual(events);
  const found: Record<string, number[]> = {};
  for (const [stream, day] of events) {
    const days = found[String(stream)] ?? [];
    days.push(now - Number(day));
    found[String(stream)] = days;
  }
  return found;
}

const mutations = async (): Promise<number> =>
  Number(
    (
      await test.platform.eventStore.systemRows<{ n: number }>(
        'SELECT toInt32(count()) AS n FROM system.mutations WHERE database = {database:String}',
        { database: tenantDatabase(clusterId) },
      )
    )[0]?.n,
  );

it('[T-storage] what is over goes with its partitions, in events and figures, and nothing is rewritten', async () => {
  await set('', 30);
  await set('Dns', 7);
  const days = Array.from({ length: 60 }, (_one, days) => days);
  await fill(days.map((day) => ({ days: day, retentionDays: 7 })));
  await fill(days.map((day) => ({ days: day, retentionDays: 30, stream: 'Authentication' })));
  expect(await retention.sweep(clusterId)).toBe(52 + 29);
  expect(await left()).toEqual({
    Dns: [7, 6, 5, 4, 3, 2, 1, 0],
    Authentication: days.slice(0, 31).reverse(),
  });
  expect(await mutations()).toBe(0);
  expect(await retention.sweep(clusterId)).toBe(0);
});

it('[T-storage] an event is kept as long as its stream was when it came in: ingest writes the class', async () => {
  await set('', 90);
  await set('Authentication', 7);
  const { postgres, clock } = test.platform;
  const feature = ingestFeature(test.platform, {
    audit: company.identity.audit,
    retentionDays: createRetentionDays({ postgres, clock }),
  });
  const target = { clusterId, scopeId: company.a.scope, sourceId: null, sourceName: 's', sourceAddress: '' };
  await feature.ingest.ingest(
    target,
    '<38>1 2026-01-01T00:00:00Z web sshd 1 - - Failed password for root from 192.0.2.1 port 22 ssh2\nsomething else',
  );
  const engineer = await company.signIn('engineer');
  const scoped = { clusterId, scopeId: company.a.scope };
  const input = { stream: '', retention_days: 365 };
  await test.call(saveScopeStreamConfig, { ssid: engineer, params: scoped, input });
  expect((await test.call(readScopeStreamConfig, { ssid: engineer, params: scoped })).http).toBe(200);
  await feature.ingest.ingest(target, 'the old class for ten seconds');
  clock.advance(11_000);
  await feature.ingest.ingest(target, 'the new class');
  await feature.work.stop();
  const found = await ask(
    'SELECT toString(Stream), RetentionDays, Raw FROM events ORDER BY IngestedTime, RetentionDays',
  );
  expect(found.map(([stream, days]) => `${stream} ${days}`)).toEqual([
    'Authentication 7',
    'Generic 90',
    'Generic 90',
    'Generic 365',
  ]);
  expect(await ask('SELECT DISTINCT RetentionDays FROM event_figures ORDER BY ALL')).toEqual([
    [7],
    [90],
    [365],
  ]);
});

it('[T-storage] a lengthened time keeps what is there, a shortened one says before what it deletes', async () => {
  await fill([10, 40, 80].map((days) => ({ days, retentionDays: 30 })));
  await fill([10, 40, 80].map((days) => ({ days, retentionDays: 30, stream: 'Authentication' })));
  await set('', 60);
  expect(await retention.sweep(clusterId)).toBe(2);
  expect(await left()).toEqual({ Dns: [40, 10], Authentication: [40, 10] });
  expect(await mutations()).toBe(0);
  // One of two streams of the same class: the partition stays, and one stream goes out of it.
  expect((await set('Dns', 20, true)).data).toEqual({ events_to_delete: 1 });
  await set('Dns', 20);
  expect(await left()).toEqual({ Dns: [40, 10], Authentication: [40, 10] });
  expect(await retention.sweep(clusterId)).toBe(1);
  expect(await left()).toEqual({ Dns: [10], Authentication: [40, 10] });
});

it('[T-storage] a partition with events that no figure tells of is not dropped', async () => {
  await set('Dns', 7);
  await fill([{ days: 40, retentionDays: 0 }]);
  await fill([{ days: 40, retentionDays: 0, stream: 'Authentication' }]);
  await test.platform.eventStore.command(
    clusterId,
    `ALTER TABLE event_figures DELETE WHERE Stream = 'Authentication' SETTINGS mutations_sync = 1`,
  );
  expect(await retention.sweep(clusterId)).toBe(1);
  expect(await left()).toEqual({ Authentication: [40] });
});

it('[T-storage] deleting a scope says what goes, tells how far it is, can be stopped and goes on', async () => {
  const { eventStore } = test.platform;
  const { scope, otherScope } = company.a;
  await fill([1, 2, 3].map((days) => ({ days, retentionDays: 30, events: 5 })));
  await fill([2, 3].map((days) => ({ days, retentionDays: 30, scope: otherScope, events: 2 })));
  const plan = await planScopeDeletion(eventStore, clusterId, scope);
  expect(plan.map(({ events, streams }) => [events, streams === null])).toEqual([
    [5, false],
    [5, false],
    [5, true],
  ]);
  const told: DeletionProgress[] = [];
  const stop = new AbortController();
  const stopped = deleteEvents(eventStore, clusterId, plan, {
    signal: stop.signal,
    onProgress: (progress) => {
      told.push(progress);
      stop.abort();
    },
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect(told).toEqual([{ partitionsDone: 1, partitions: 3, eventsDone: 5, events: 15 }]);
  const rest: Deletion[] = await planScopeDeletion(eventStore, clusterId, scope);
  expect(rest.map(({ events }) => events)).toEqual([5, 5]);
  expect(await deleteScopeEvents(eventStore, clusterId, scope)).toBe(10);
  expect(await ask('SELECT toString(Scope), toInt64(count()) FROM events GROUP BY ALL')).toEqual([
    [otherScope, 4],
  ]);
  expect(await left()).toEqual({ Dns: [3, 2] });
});

it('[T-storage] a tenant has few times of keeping, so that an insert makes few parts', async () => {
  for (const [index, stream] of [
    '',
    'Dns',
    'Authentication',
    'ProcessEvent',
    'FileEvent',
    'RegistryEvent',
    'NetworkSession',
    'WebSession',
  ].entries())
    expect((await set(stream, 10 + index)).http, stream).toBe(200);
  const refused = await set('Generic', 99);
  expect(refused.http).toBe(422);
  expect(refused.text).toContain('10, 11, 12, 13, 14, 15, 16, 17');
  expect((await set('Generic', 17)).http).toBe(200);
});
