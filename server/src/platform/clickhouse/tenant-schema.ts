import type { ClickHouseClient } from '@clickhouse/client';
import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import type { Logger } from '../log.ts';
import { distributedTables, type EngineCluster, tablesDatabase } from './cluster-layout.ts';
import type { EngineNode, EngineNodes } from './engine-nodes.ts';
import { tenantDatabase } from './event-store.ts';
import { replicatedStatement } from './replicated-ddl.ts';
import {
  engineOf,
  type MigrationRun,
  runClickhouseMigrations,
  type SchemaState,
  schemaState,
} from './run-clickhouse-migrations.ts';

// The databases of a tenant on every engine: looked at, made, brought up to date, removed.

interface TenantSchema {
  state(clusterId: string): Promise<SchemaState>;
  migrate(clusterId: string, run?: MigrationRun): Promise<void>;
  /** Makes what is not there. Bringing events up to date may take hours: that is not done while somebody waits. */
  prepare(clusterId: string): Promise<void>;
  drop(clusterId: string): Promise<void>;
}

interface TenantSchemaDeps {
  readonly nodes: EngineNodes;
  readonly cluster: EngineCluster | undefined;
  readonly log: Logger;
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/** Whether shards of the cluster have several engines each, which keep the same rows. */
async function hasReplicas(nodes: EngineNodes, { name }: EngineCluster): Promise<boolean> {
  const rows = await nodes.any(async ({ writer }) => {
    const result = await writer.query({
      query: 'SELECT max(replica_num) AS most FROM system.clusters WHERE cluster = {name:String}',
      query_params: { name },
      format: 'JSONEachRow',
    });
    return result.json<{ most: number | string }>();
  });
  return Number(rows[0]?.most) > 1;
}

const WORST: readonly SchemaState[] = ['behind', 'absent', 'current'];

/** Whether there is the table over all shards; throws where a table with rows of its own stands in its place. */
async function isSpread(client: ClickHouseClient, clusterId: string): Promise<boolean> {
  const engine = await engineOf(client, tenantDatabase(clusterId), 'events');
  if (engine !== null && engine !== 'Distributed') {
    throw new Error(
      `${tenantDatabase(clusterId)} holds events outside the cluster: move them before TYRIAN_CLICKHOUSE_CLUSTER is set`,
    );
  }
  return engine !== null;
}

async function stateOn(
  client: ClickHouseClient,
  clusterId: string,
  cluster: EngineCluster | undefined,
): Promise<SchemaState> {
  if (cluster && !(await isSpread(client, clusterId))) return 'absent';
  return schemaState(client, tablesDatabase(clusterId, cluster));
}

export function createTenantSchema({ nodes, cluster, log, exclusively }: TenantSchemaDeps): TenantSchema {
  const state: TenantSchema['state'] = async (clusterId) => {
    // An engine that is away was made ready before, or cannot be made so now.
    const states = await nodes.reachable(({ writer }) => stateOn(writer, clusterId, cluster));
    return WORST.find((one) => states.includes(one)) ?? 'absent';
  };
  /** Defines on every engine: one after the other, or where shards have replicas on one of them for all. */
  const define = async (
    work: (node: EngineNode, rewrite: (statement: string) => string) => Promise<unknown>,
  ) => {
    if (cluster && (await hasReplicas(nodes, cluster))) {
      await nodes.any((node) => work(node, (statement) => replicatedStatement(statement, cluster.name)));
    } else await nodes.each((node) => work(node, (statement) => statement));
  };
  const migrate: TenantSchema['migrate'] = (clusterId, run = {}) =>
    exclusively(`migrate ${tenantDatabase(clusterId)}`, async () => {
      if (cluster) await nodes.each(({ writer }) => isSpread(writer, clusterId));
      // The tables of a shard are copied where they lie; replicas of it would each get a copy of all.
      if (cluster && (await state(clusterId)) === 'behind' && (await hasReplicas(nodes, cluster)))
        throw new Error('events of an older version cannot be brought up to date where shards have replicas');
      const spread = cluster ? distributedTables(clusterId, cluster) : [];
      await define(async ({ writer }, rewrite) => {
        await runClickhouseMigrations(writer, tablesDatabase(clusterId, cluster), log, { ...run, rewrite });
        for (const statement of spread) await writer.command({ query: rewrite(statement) });
      });
    });
  return {
    state,
    migrate,
    prepare: async (clusterId) => {
      const now = await state(clusterId);
      if (now === 'behind') throw new AppError('unavailable', say('engines.eventsBehind'));
      if (now === 'absent') await migrate(clusterId);
    },
    drop: async (clusterId) => {
      const databases = new Set([tenantDatabase(clusterId), tablesDatabase(clusterId, cluster)]);
      for (const database of databases) {
        const statement = `DROP DATABASE IF EXISTS \`${database}\` SYNC`;
        await define(({ writer }, rewrite) => writer.command({ query: rewrite(statement) }));
      }
    },
  };
}
