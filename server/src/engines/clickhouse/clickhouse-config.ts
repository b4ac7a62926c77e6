import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { COUNTRY_DICTIONARY } from '@tyrian/clickhouse-sql';
import type { EngineSecrets } from '../engine-secrets.ts';

// The server's configuration, written anew at each start. Users can only be given in a file: the library accepts
// no CREATE USER. `query` can read the tenants' databases and look up countries of addresses, nothing else; its limits
// are constraints, so that no setting sent with a query lifts them.

const MIB = 1024 * 1024;

export interface ClickhouseFiles {
  readonly folder: string;
  readonly config: string;
  readonly startSql: string;
}

/** Memory of the machine, or of the container when that is less. */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Memory that the engine may use: half of what there is, between 1 and 16 GiB. */
function clickhouseMemoryBytes(machineBytes: number = availableBytes()): number {
  return Math.round(Math.min(16 * 1024 * MIB, Math.max(1024 * MIB, machineBytes / 2)));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function serverXml(port: number, usersFile: string, memory: number): string {
  const cache = Math.round(memory / 10);
  return `<clickhouse>
  <logger><level>fatal</level><console>0</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <!-- A stop waits for idle connections; without them it takes 70 ms. -->
  <keep_alive_timeout>0</keep_alive_timeout>
  <user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories>
  <users_config>${usersFile}</users_config>
  <max_server_memory_usage>${memory}</max_server_memory_usage>
  <mark_cache_size>${Math.min(cache, 512 * MIB)}</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_merges_mutations_concurrency_ratio>2</background_merges_mutations_concurrency_ratio>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <max_concurrent_queries>100</max_concurrent_queries>
  <max_connections>1024</max_connections>
  <!-- Merged parts are not synced to disk; the parts that they replace stay until the system has written them. -->
  <merge_tree><old_parts_lifetime>120</old_parts_lifetime></merge_tree>
  <query_log>
    <database>system</database><table>query_log</table>
    <ttl>event_date + INTERVAL 3 DAY</ttl>
    <flush_interval_milliseconds>2000</flush_interval_milliseconds>
  </query_log>
</clickhouse>
`;
}

function usersXml(secrets: EngineSecrets, memory: number): string {
  return `<clickhouse>
  <profiles>
    <default>
      <max_memory_usage>${Math.round(memory * 0.7)}</max_memory_usage>
      <max_partitions_per_insert_block>1000</max_partitions_per_insert_block>
      <throw_on_max_partitions_per_insert_block>0</throw_on_max_partitions_per_insert_block>
      <http_max_uri_size>16777216</http_max_uri_size>
      <http_max_fields>100000</http_max_fields>
      <http_max_field_value_size>16777216</http_max_field_value_size>
      <!-- Looking up the symbols of one refused query takes seconds. -->
      <calculate_text_stack_trace>0</calculate_text_stack_trace>
      <log_queries>1</log_queries>
      <log_queries_cut_to_length>2000</log_queries_cut_to_length>
      <max_execution_time>600</max_execution_time>
    </default>
    <ingest><profile>default</profile></ingest>
    <query>
      <profile>default</profile>
      <readonly>2</readonly>
      <cancel_http_readonly_queries_on_client_close>1</cancel_http_readonly_queries_on_client_close>
      <max_memory_usage>${Math.round(memory * 0.4)}</max_memory_usage>
      <constraints>
        <max_memory_usage><max>${Math.round(memory * 0.4)}</max></max_memory_usage>
        <max_execution_time><min>0.1</min><max>3600</max></max_execution_time>
        <cancel_http_readonly_queries_on_client_close><const/></cancel_http_readonly_queries_on_client_close>
      </constraints>
    </query>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><networks><ip>127.0.0.255</ip></networks>
      <profile>default</profile><quota>default</quota>
    </default>
    <ingest>
      <password_sha256_hex>${sha256(secrets.clickhouseIngest)}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>ingest</profile><quota>default</quota>
    </ingest>
    <query>
      <password_sha256_hex>${sha256(secrets.clickhouseQuery)}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>query</profile><quota>default</quota>
      <grants>
        <query>GRANT SELECT ON tenant_*.*</query>
        <query>GRANT dictGet ON ${COUNTRY_DICTIONARY}</query>
      </grants>
    </query>
  </users>
</clickhouse>
`;
}

/** Writes configuration and start statements below the data folder; all readable by their owner only. */
export function writeClickhouseFiles(
  dataFolder: string,
  port: number,
  secrets: EngineSecrets,
): ClickhouseFiles {
  const folder = path.join(dataFolder, 'clickhouse');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (name: string, text: string) => {
    const full = path.join(dataFolder, name);
    writeFileSync(full, text, { mode: 0o600 });
    return full;
  };
  const memory = clickhouseMemoryBytes();
  const users = file('clickhouse-users.xml', usersXml(secrets, memory));
  return {
    folder,
    config: file('clickhouse-config.xml', serverXml(port, users, memory)),
    startSql: file('clickhouse-start.sql', 'SYSTEM START LISTEN HTTP;\n'),
  };
}
