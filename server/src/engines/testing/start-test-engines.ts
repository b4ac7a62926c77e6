import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import type { EngineCluster } from '../../platform/clickhouse/cluster-layout.ts';
import type { ClickhouseAccount } from '../../platform/clickhouse/event-store-options.ts';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createPostgres } from '../../platform/postgres/postgres.ts';
import { startScratchEngines } from '../scratch-engines.ts';
import { readTenantDefinitions, type TenantDefinitions } from './tenant-template.ts';

// Set-up of a test run: both engines once, and one migrated database that every test file copies.

/** How test files reach the engines of the run. */
export interface TestEngines {
  /** Of the database that is copied; itself never connected to by tests. */
  readonly postgresUrl: string;
  readonly templateDatabase: string;
  readonly clickhouse: {
    readonly url: string;
    readonly ingest: ClickhouseAccount;
    readonly query: ClickhouseAccount;
    readonly cluster?: EngineCluster | undefined;
  };
  /** How the database of a tenant is defined; absent where tables are spread over shards. */
  readonly tenant?: TenantDefinitions;
}

declare module 'vitest' {
  interface ProvidedContext {
    testEngines: TestEngines;
  }
}

const TEMPLATE = 'tyrian_template';

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Starts what the configuration does not name. `clickhouse` tells how tests reach events; as the engines do when absent. */
export async function startTestEnginesWith(
  project: TestProject,
  env: Readonly<Record<string, string>>,
  clickhouse?: TestEngines['clickhouse'],
): Promise<() => Promise<void>> {
  const log = createLog('error');
  const engines = await startScratchEngines(readConfig(env), log);
  await sql`create database ${sql.id(TEMPLATE)}`.execute(engines.postgres.platform);
  const template = createPostgres({
    url: withDatabase(engines.postgresUrl, TEMPLATE),
    log: createLog('error'),
  });
  await template.migrate();
  await template.close();
  const access = clickhouse ?? engines.clickhouse;
  project.provide('testEngines', {
    postgresUrl: engines.postgresUrl,
    templateDatabase: TEMPLATE,
    clickhouse: access,
    ...(access.cluster ? {} : { tenant: await readTenantDefinitions(access) }),
  });
  return () => engines.stop();
}

export default function startTestEngines(project: TestProject): Promise<() => Promise<void>> {
  return startTestEnginesWith(project, {});
}
