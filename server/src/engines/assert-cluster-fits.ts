import { openEngineNodes } from '../platform/clickhouse/engine-nodes.ts';
import type { EventStoreOptions } from '../platform/clickhouse/event-store-options.ts';
import { ConfigError } from '../platform/config.ts';

// What is wrong with a cluster is told at the start: later it would show as events that nobody finds.

const VARIABLE = 'TYRIAN_CLICKHOUSE_CLUSTER';

interface ShardRow {
  readonly shard: number | string;
  readonly isOwn: number;
}

const SHARDS = `SELECT shard_num AS shard, max(is_local) AS isOwn FROM system.clusters
  WHERE cluster = {name:String} GROUP BY shard_num ORDER BY shard_num`;

/**
 * Throws ConfigError unless the engines know the cluster and each shard is named by one address. Those that do not
 * answer are taken on trust, as long as one does.
 */
export async function assertClusterFits(options: EventStoreOptions): Promise<void> {
  const { cluster } = options;
  if (!cluster) return;
  const nodes = openEngineNodes(options);
  try {
    const answers = await nodes.reachable(async ({ writer }) => {
      const result = await writer.query({
        query: SHARDS,
        query_params: { name: cluster.name },
        format: 'JSONEachRow',
      });
      return result.json<ShardRow>();
    });
    for (const shards of answers) check(cluster, shards);
    const own = answers.flatMap((shards) =>
      shards.filter(({ isOwn }) => isOwn === 1).map(({ shard }) => shard),
    );
    const twice = own.find((shard, index) => own.indexOf(shard) !== index);
    if (twice !== undefined) throw new ConfigError(`${VARIABLE}: two addresses name shard ${twice}`);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `TYRIAN_CLICKHOUSE_URL: the engine there does not answer: ${(error as Error).message}`,
    );
  } finally {
    await nodes.close();
  }
}

function check({ name, urls }: NonNullable<EventStoreOptions['cluster']>, shards: readonly ShardRow[]): void {
  if (shards.length === 0) throw new ConfigError(`${VARIABLE}: ClickHouse knows no cluster ${name}`);
  if (shards.length !== urls.length) {
    throw new ConfigError(
      `${VARIABLE}: ${name} has ${shards.length} shards, and TYRIAN_CLICKHOUSE_URL names ${urls.length} addresses`,
    );
  }
}
