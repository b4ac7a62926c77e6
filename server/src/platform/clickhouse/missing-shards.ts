import type { ClickHouseClient } from '@clickhouse/client';
import { COUNTRY_DICTIONARY } from '@tyrian/clickhouse-sql';
import type { Logger } from '../log.ts';
import { type EngineCluster, PARTIAL_QUERY_SETTINGS } from './cluster-layout.ts';
import type { EngineNodes } from './engine-nodes.ts';

// Which shards of a cluster do not answer, asked by the way that queries go: over a Distributed table of one row a shard.

const [DATABASE = ''] = COUNTRY_DICTIONARY.split('.');
const TABLE = `${DATABASE}.shard`;
const UNKNOWN_TABLES = new Set(['60', '81']);

/** The numbers of shards, from 1; those that do not answer at this moment. */
export interface ShardCheck {
  missing(): Promise<readonly number[]>;
}

async function numbersOf(client: ClickHouseClient, query: string, settings: object): Promise<number[]> {
  const result = await client.query({ query, format: 'JSONEachRow', clickhouse_settings: { ...settings } });
  return (await result.json<{ number: number }>()).map(({ number }) => Number(number));
}

async function makeTable(client: ClickHouseClient, cluster: EngineCluster): Promise<void> {
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${DATABASE}` });
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ${TABLE} (dummy UInt8) ENGINE = Distributed('${cluster.name}', 'system', 'one')`,
  });
}

export function createShardCheck(nodes: EngineNodes, cluster: EngineCluster, log: Logger): ShardCheck {
  let told = '';
  const tell = (missing: readonly number[]): void => {
    const now = missing.join(', ');
    if (now === told) return;
    told = now;
    if (now === '') log.info({ engine: 'clickhouse' }, 'all shards answer again');
    else log.error({ engine: 'clickhouse', shards: now }, 'shards do not answer');
  };
  const ask = async (client: ClickHouseClient): Promise<number[]> => {
    const all = await numbersOf(
      client,
      `SELECT DISTINCT toUInt32(shard_num) AS number FROM system.clusters WHERE cluster = '${cluster.name}'`,
      {},
    );
    if (all.length === 0) throw new Error(`ClickHouse knows no cluster ${cluster.name}`);
    const there = await numbersOf(
      client,
      `SELECT DISTINCT toUInt32(_shard_num) AS number FROM ${TABLE}`,
      PARTIAL_QUERY_SETTINGS,
    );
    return all.filter((number) => !there.includes(number)).sort((a, b) => a - b);
  };
  return {
    missing: async () => {
      const missing = await nodes.any(async ({ writer }) => {
        try {
          return await ask(writer);
        } catch (error) {
          if (!UNKNOWN_TABLES.has(String((error as { code?: unknown }).code))) throw error;
          await makeTable(writer, cluster);
          return ask(writer);
        }
      });
      tell(missing);
      return missing;
    },
  };
}
