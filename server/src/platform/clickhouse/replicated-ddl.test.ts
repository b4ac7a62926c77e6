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
  expect(made(databaseDefinitions('tenant_x@local').done)).toMatchInlineSnapshot();
  const figures = made(ofMigrations.find((one) => one.includes('EXISTS event_figures (')) ?? '');
  expect(figures).toContain('ENGINE = ReplicatedAggregatingMergeTree(');
});

it('[T-machines] views, renames, exchanges and tables over all shards name the cluster behind what they define', () => {
  const heads = ofMigrations
    .map((one) => made(one).split('\n')[0] ?? '')
    .filter((one) => one.includes('CLUSTER'));
  expect(heads.filter((one) => /^(RENAME|EXCHANGE|CREATE MAT|ALTER)/.test(one))).toMatchInlineSnapshot();
  expect(distributedTables('x', cluster).slice(0, 2).map(made)).toMatchInlineSnapshot();
});
