import { tenantDatabase } from './event-store.ts';
import { EVENT_TABLES, type FILTERED_TABLES } from './event-tables.ts';

// Where the tables of a tenant lie. On one engine: in the tenant's database. On the shards of a cluster each engine
// keeps its part in a database beside it, with the same tables made by the same migrations, and the tenant's database
// holds Distributed tables over these, so that whoever reads asks as on one engine.

/** A cluster of the given ClickHouse. */
export interface EngineCluster {
  /** As `system.clusters` calls it. */
  readonly name: string;
  /** HTTP addresses without credentials: an engine of each shard. */
  readonly urls: readonly string[];
}

/** No id of a tenant holds this character, so that no tenant's database is called like a part of another's. */
const PART = '@local';

/** The database that holds the rows of a tenant on each engine. */
export function tablesDatabase(clusterId: string, cluster: EngineCluster | undefined): string {
  return cluster ? `${tenantDatabase(clusterId)}${PART}` : tenantDatabase(clusterId);
}

/** The tenant's database, by the name of the one that holds its rows. */
export function databaseOfTables(database: string): string {
  return database.endsWith(PART) ? database.slice(0, -PART.length) : database;
}

/** A pattern that fits the databases that hold rows of tenants, and no others. */
export function tablesPattern(cluster: EngineCluster | undefined): string {
  return cluster ? `^tenant_[^@]+${PART}$` : '^tenant_[^@]+$';
}

type SpreadTable = Exclude<(typeof FILTERED_TABLES)[number], `fill_${string}`>;

/** By what a row finds its shard. Figures are made where their events lie, results of searches where they are kept. */
const SHARD_OF: Readonly<Partial<Record<SpreadTable, string>>> = {
  events: 'cityHash64(Scope, EventUid)',
  eventstore_rows: 'cityHash64(Store, Upload, RowNumber)',
};

const SPREAD_TABLES: readonly SpreadTable[] = [
  ...EVENT_TABLES,
  'search_results',
  'eventstore_rows',
  'indicator_sets',
];

/** The tables of a tenant over all shards; to be made anew whenever a migration changed those below them. */
export function distributedTables(clusterId: string, cluster: EngineCluster): string[] {
  const database = `\`${tenantDatabase(clusterId)}\``;
  const tables = tablesDatabase(clusterId, cluster);
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    ...SPREAD_TABLES.map((table) => {
      const shard = SHARD_OF[table] === undefined ? '' : `, ${SHARD_OF[table]}`;
      return `CREATE OR REPLACE TABLE ${database}.\`${table}\` AS \`${tables}\`.\`${table}\`
        ENGINE = Distributed('${cluster.name}', '${tables}', '${table}'${shard})`;
    }),
  ];
}

/** Settings of an insert that is acknowledged when every shard has its rows on disk. */
export const SPREAD_INSERT_SETTINGS = { distributed_foreground_insert: 1 } as const;

/** Settings of a query over all shards: one that a shard does not answer fails, and never looks whole. */
export const SPREAD_QUERY_SETTINGS = {
  skip_unavailable_shards: 0,
  // The inner part of a join or an IN is read once, of all shards, and not by each shard from itself.
  distributed_product_mode: 'global',
} as const;

/** The same without the shards that do not answer, for whoever is told which these are. */
export const PARTIAL_QUERY_SETTINGS = {
  ...SPREAD_QUERY_SETTINGS,
  skip_unavailable_shards: 1,
  // A shard without the table is a fault of ours, not one that is away.
  skip_unavailable_shards_mode: 'unavailable',
} as const;
