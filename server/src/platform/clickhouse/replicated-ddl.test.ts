import { expect, it } from 'vitest';
import { readMigrations } from '../read-migrations.ts';
import { distributedTables } from './cluster-layout.ts';
import { readMigrationSteps } from './read-migration-steps.ts';
import { replicatedStatement } from './replicated-ddl.ts';
import { databaseDefinitions } from './run-clickhouse-migrations.ts';

// The engine of the tests has no replication: what a cluster with replicas would be told is held as text.

const CLUSTER = 'main';
const cluster = { name: CLUSTER, urls: ['http://a:8123', 'http://b:8123'] };
const made = (statement: string) => replicatedStatement(statement, CLUSTER);
const ofMigrations = readMigrations('clickhouse').flatMap(({ text }) =>
  readMigrationSteps(text).units.flatMap(({ statements }) => statements),
);

it('[T-machines] every definition is made on the cluster, and no table of it stands on one engine alone', () => {
  const definitions = Object.values(databaseDefinitions('tenant_x@local'));
  for (const statement of [...definitions, ...ofMigrations, ...distributedTables('x', cluster)]) {
    const text = made(statement);
    if (statement.startsWith('INSERT')) {
      expect(text).toBe(statement);
      continue;
    }
    expect.soft(text).toContain("ON CLUSTER 'main'");
    expect.soft(text).not.toMatch(/ENGINE\s*=\s*(Aggregating|Replacing)?MergeTree/);
    expect.soft(text).not.toContain('non_replicated');
  }
});

it('[T-machines] tables are replicated within a shard; what is noted of migrations, over all of them', () => {
  const events = made(
    ofMigrations.find((one) => one.startsWith('CREATE TABLE IF NOT EXISTS events (')) ?? '',
  );
  expect(events.split('\n')[0]).toBe("CREATE TABLE IF NOT EXISTS events ON CLUSTER 'main' (");
  expect(events).toContain(
    "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}')\nPARTITION BY",
  );
  expect(events).toContain('replicated_deduplication_window = 1000');
  const done = made(databaseDefinitions('tenant_x@local').done).replace(/\s+/g, ' ');
  expect(done).toBe(
    "CREATE TABLE IF NOT EXISTS `tenant_x@local`.schema_migration ON CLUSTER 'main' (name String, checksum String, " +
      "applied_at DateTime DEFAULT now()) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/all', " +
      "'{shard}-{replica}') ORDER BY name SETTINGS fsync_after_insert = 1",
  );
  const figures = made(ofMigrations.find((one) => one.includes('EXISTS event_figures (')) ?? '');
  expect(figures).toContain('ENGINE = ReplicatedAggregatingMergeTree(');
});

it('[T-machines] views, renames, exchanges and tables over all shards name the cluster behind what they define', () => {
  expect(made('RENAME TABLE IF EXISTS a TO b')).toBe("RENAME TABLE IF EXISTS a TO b ON CLUSTER 'main'");
  expect(made('EXCHANGE TABLES a AND `b`')).toBe("EXCHANGE TABLES a AND `b` ON CLUSTER 'main'");
  expect(made('-- why\nALTER TABLE a MODIFY SETTING b = 1')).toBe(
    "ALTER TABLE a ON CLUSTER 'main' MODIFY SETTING b = 1",
  );
  expect(made('CREATE MATERIALIZED VIEW IF NOT EXISTS v TO a AS\nSELECT 1')).toBe(
    "CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER 'main' TO a AS\nSELECT 1",
  );
  expect(made('DROP DATABASE IF EXISTS `x` SYNC')).toBe("DROP DATABASE IF EXISTS `x` ON CLUSTER 'main' SYNC");
  const [base, events] = distributedTables('x', cluster).map((one) => made(one).replace(/\s+/g, ' '));
  expect(base).toBe("CREATE DATABASE IF NOT EXISTS `tenant_x` ON CLUSTER 'main'");
  expect(events).toBe(
    "CREATE OR REPLACE TABLE `tenant_x`.`events` ON CLUSTER 'main' AS `tenant_x@local`.`events` " +
      "ENGINE = Distributed('main', 'tenant_x@local', 'events', cityHash64(Scope, EventUid))",
  );
});
