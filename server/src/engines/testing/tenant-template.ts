import { type ClickHouseClient, type ClickHouseError, createClient } from '@clickhouse/client';
import { createEventStore } from '../../platform/clickhouse/clickhouse-event-store.ts';
import { tenantDatabase } from '../../platform/clickhouse/event-store.ts';
import type { EventStoreOptions } from '../../platform/clickhouse/event-store-options.ts';
import { createLog } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';

// The databases of tests' tenants: migrations make one, and the others are defined as it is, in a few statements instead of
// dozens. What migrations do is tested with databases that they make.

/** The definitions that migrations come to, with a mark for the name of the database, in an order to run them in. */
export type TenantDefinitions = readonly string[];

const MARK = '{tenant database}';

const connect = ({ url, ingest }: Pick<EventStoreOptions, 'url' | 'ingest'>): ClickHouseClient =>
  createClient({ url, username: ingest.user, password: ingest.password, keep_alive: { enabled: false } });

/** Lets migrations make a database, and reads how it is defined. */
export async function readTenantDefinitions(
  access: Omit<EventStoreOptions, 'log'>,
): Promise<TenantDefinitions> {
  const clusterId = newId();
  const database = tenantDatabase(clusterId);
  const store = createEventStore({ ...access, log: createLog('error') });
  await store.ensureTenant(clusterId);
  const client = connect(access);
  try {
    const result = await client.query({
      query: `SELECT create_table_query AS made FROM system.tables WHERE database = {database:String}
        ORDER BY engine = 'MaterializedView', name`,
      query_params: { database },
      format: 'JSONEachRow',
    });
    const tables = await result.json<{ made: string }>();
    const applied = await client.query({
      query: `SELECT name, checksum FROM \`${database}\`.schema_migration FINAL`,
      format: 'JSONEachRow',
    });
    const files = (await applied.text()).trim();
    return [
      `CREATE DATABASE ${database}`,
      ...tables.map(({ made }) => made),
      `INSERT INTO ${database}.schema_migration (name, checksum) FORMAT JSONEachRow ${files}`,
    ].map((statement) => statement.replaceAll(database, MARK));
  } finally {
    await client.close();
    await store.dropTenant(clusterId);
    await store.close();
  }
}

/** Makes databases of tenants as the definitions say. */
export function tenantMaker(access: Omit<EventStoreOptions, 'log'>, definitions: TenantDefinitions) {
  const client = connect(access);
  const made = new Map<string, Promise<void>>();
  const make = async (clusterId: string): Promise<void> => {
    const database = tenantDatabase(clusterId);
    try {
      for (const statement of definitions)
        await client.command({ query: statement.replaceAll(MARK, database) });
    } catch (error) {
      // Whoever was first made it as the product does.
      if ((error as ClickHouseError).type !== 'DATABASE_ALREADY_EXISTS') throw error;
    }
  };
  return {
    /** Makes it, once. */
    make: (clusterId: string): Promise<void> => {
      const known = made.get(clusterId) ?? make(clusterId);
      made.set(clusterId, known);
      return known;
    },
    close: () => client.close(),
  };
}
