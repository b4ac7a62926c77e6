import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { createEventStore } from '../../platform/clickhouse/clickhouse-event-store.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { routeEventStore } from '../../platform/clickhouse/route-event-store.ts';
import { type SettableClock, settableClock } from '../../platform/clock.ts';
import { createComponentRegistry } from '../../platform/components/component-registry.ts';
import { ANY_PORTS, type Config, readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import { createOutgoing } from '../../platform/outgoing/outgoing-connections.ts';
import type { Platform } from '../../platform/platform.ts';
import { createPostgres } from '../../platform/postgres/postgres.ts';
import { secretBoxOf } from '../../platform/secret-box.ts';
import { VERSION } from '../../platform/version.ts';
import { dropDatabase } from './drop-database.ts';
import { type SecretWatch, watchSecrets } from './secret-watch.ts';
import { type TestEngines, withDatabase } from './start-test-engines.ts';
import { tenantMaker } from './tenant-template.ts';

export interface TestPlatform extends Platform {
  readonly clock: SettableClock;
  /** Secrets that were seen in calls and answers; `close` fails when one of them is in the log. */
  readonly secrets: SecretWatch;
  /** A cluster id of its own, with its database in ClickHouse; dropped by `close`. */
  newTenant(): Promise<string>;
  close(): Promise<void>;
}

export interface TestPlatformOptions {
  /** Where the clock starts; the real time when absent. */
  readonly nowMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A store that has its tenants' databases made in a few statements, where it is known how. */
function madeByDefinition(routed: EventStore, { clickhouse, tenant }: TestEngines) {
  if (!tenant) return { eventStore: routed, stopMaking: async () => undefined };
  const maker = tenantMaker(clickhouse, tenant);
  const ensureTenant: EventStore['ensureTenant'] = async (clusterId) => {
    await maker.make(clusterId);
    await routed.ensureTenant(clusterId);
  };
  return { eventStore: { ...routed, ensureTenant }, stopMaking: maker.close };
}

/** A fresh copy of the migrated database, and tenants of its own, on the engines of the test run. */
export async function testPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const engines = inject('testEngines');
  const secrets = watchSecrets();
  const log = createLog('debug', secrets.log);
  const database = `test_${newId()}`;
  const admin = createPostgres({ url: engines.postgresUrl, log, maxConnections: 1 });
  await sql`create database ${sql.id(database)} template ${sql.id(engines.templateDatabase)}`.execute(
    admin.platform,
  );
  const postgres = createPostgres({
    url: withDatabase(engines.postgresUrl, database),
    log,
    maxConnections: 8,
  });
  const clock = settableClock(options.nowMs ?? Date.now());
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'tyrian-test-data-'));
  const config: Config = readConfig({ ...ANY_PORTS, ...options.env });
  const { eventStore: routed } = routeEventStore({
    shared: createEventStore({ ...engines.clickhouse, log }),
    postgres,
    secrets: secretBoxOf({ config, dataFolder }),
    log,
  });
  const { eventStore, stopMaking } = madeByDefinition(routed, engines);
  const tenants: string[] = [];
  return {
    config,
    dataFolder,
    log,
    clock,
    secrets,
    version: VERSION,
    postgres,
    eventStore,
    outgoing: createOutgoing({ allow: config.outgoingAllow, log }),
    components: createComponentRegistry({ postgres, clock, log, version: VERSION }),
    engineHealth: () =>
      (['postgres', 'clickhouse'] as const).map((name) => ({
        name,
        state: 'up',
        restarts: 0,
        lastError: null,
      })),
    newTenant: async () => {
      const clusterId = newId();
      await eventStore.ensureTenant(clusterId);
      tenants.push(clusterId);
      return clusterId;
    },
    close: async () => {
      await Promise.all(tenants.map((clusterId) => eventStore.dropTenant(clusterId)));
      await eventStore.close();
      await stopMaking();
      await postgres.close();
      await dropDatabase(admin, database);
      await admin.close();
      rmSync(dataFolder, { recursive: true, force: true });
      secrets.assertKept();
    },
  };
}
