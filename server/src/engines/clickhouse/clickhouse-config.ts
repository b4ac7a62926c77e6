import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { basicAuthorization, type ClickhouseAccount } from '../../platform/clickhouse/event-store-options.ts';
import { handOver } from '../engine-identity.ts';
import type { EngineSecrets } from '../engine-secrets.ts';
import type { LoopbackAddress } from '../loopback-address.ts';
import { clickhouseUsersXml } from './clickhouse-users.ts';

// The server's configuration, written anew at each start. A request is handled at all only when it carries the password
// of one of our users: any other finds nothing to call, before a user is looked at.

const MIB = 1024 * 1024;
/** Nice value of the threads that merge; the lowest would let parts pile up on a busy machine. */
const MERGES_NICE = 15;
/** Seconds; a client closes its own after 2.5. */
const IDLE_CONNECTION_S = 5;

/** The answer to every request without one of our passwords. */
export const REFUSAL = 'Sign in first: the user or the password is not known here.';

export interface ClickhouseFiles {
  readonly folder: string;
  readonly config: string;
  readonly users: string;
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

/** The accounts of an embedded engine. */
export function clickhouseAccounts(
  secrets: EngineSecrets,
): Readonly<Record<'ingest' | 'query' | 'patient', ClickhouseAccount>> {
  return {
    ingest: { user: 'ingest', password: secrets.clickhouseIngest },
    query: { user: 'query', password: secrets.clickhouseQuery },
    patient: { user: 'patient', password: secrets.clickhouseQuery },
  };
}

/** The only requests that are handled, told by their whole Authorization header; there is no default handler. */
function handlersXml(secrets: EngineSecrets): string {
  const rules = Object.values(clickhouseAccounts(secrets)).map(
    (account) => `<rule>
      <headers><Authorization>${basicAuthorization(account)}</Authorization></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>`,
  );
  return `<http_handlers>
    ${rules.join('')}
    <rule><handler>
      <type>static</type><status>401</status><content_type>text/plain; charset=utf-8</content_type>
      <response_content>${REFUSAL}</response_content>
    </handler></rule>
  </http_handlers>`;
}

/** Whatever the engine may read or write by name stays below its own folder. */
function pathsXml(folder: string): string {
  const below = (name: string) => `${path.join(folder, name)}/`;
  return `<tmp_path>${below('tmp')}</tmp_path>
  <user_files_path>${below('user_files')}</user_files_path>
  <format_schema_path>${below('format_schemas')}</format_schema_path>
  <user_scripts_path>${below('user_scripts')}</user_scripts_path>
  <dictionaries_lib_path>${below('dictionaries_lib')}</dictionaries_lib_path>
  <top_level_domains_path>${below('top_level_domains')}</top_level_domains_path>
  <custom_local_disks_base_directory>${below('disks')}</custom_local_disks_base_directory>
  <google_protos_path>${below('protos')}</google_protos_path>`;
}

/** Where an engine stands among shards of one cluster, each of one engine. */
export interface ShardPosition {
  /** The name of the cluster. */
  readonly cluster: string;
  /** Proves to a shard that another one asks, on behalf of one of our users. */
  readonly secret: string;
  /** Where each shard takes the native protocol, in the order of their numbers. */
  readonly shards: readonly LoopbackAddress[];
  /** Position of this engine in the list. */
  readonly own: number;
}

function clusterXml({ cluster, secret, shards, own }: ShardPosition): string {
  const shardXml = ({ host, port }: LoopbackAddress) =>
    `<shard><internal_replication>true</internal_replication>
      <replica><host>${host}</host><port>${port}</port></replica></shard>`;
  return `<tcp_port>${shards[own]?.port}</tcp_port>
  <macros><shard>${own + 1}</shard><replica>1</replica></macros>
  <remote_servers><${cluster}><secret>${secret}</secret>
    ${shards.map(shardXml).join('')}
  </${cluster}></remote_servers>`;
}

interface ServerXmlParts {
  readonly listen: LoopbackAddress;
  readonly position: ShardPosition | undefined;
  readonly folder: string;
  readonly usersFile: string;
  readonly secrets: EngineSecrets;
  readonly memory: number;
}

function serverXml({ listen, position, folder, usersFile, secrets, memory }: ServerXmlParts): string {
  const cache = Math.round(memory / 10);
  return `<clickhouse>
  <logger><level>fatal</level><console>0</console></logger>
  <listen_host>${listen.host}</listen_host>
  <http_port>${listen.port}</http_port>
  ${position ? clusterXml(position) : ''}
  ${handlersXml(secrets)}
  <!-- Longer than a client keeps an idle connection, which so never meets one that is being closed. -->
  <keep_alive_timeout>${IDLE_CONNECTION_S}</keep_alive_timeout>
  <user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories>
  <users_config>${usersFile}</users_config>
  ${pathsXml(folder)}
  <max_server_memory_usage>${memory}</max_server_memory_usage>
  <mark_cache_size>${Math.min(cache, 512 * MIB)}</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_merges_mutations_concurrency_ratio>2</background_merges_mutations_concurrency_ratio>
  <!-- Merges go behind queries and inserts, where the engine may set priorities of threads. -->
  <os_threads_nice_value_merge_mutate>${MERGES_NICE}</os_threads_nice_value_merge_mutate>
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

/**
 * Writes configuration and start statements below the data folder; all readable by their owner only, which is the
 * engine's user id when there is one.
 */
export function writeClickhouseFiles(
  dataFolder: string,
  listen: LoopbackAddress,
  secrets: EngineSecrets,
  uid: number | null,
  position?: ShardPosition,
): ClickhouseFiles {
  const folder = path.join(dataFolder, 'clickhouse');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  handOver(folder, uid);
  const file = (name: string, text: string) => {
    const full = path.join(dataFolder, name);
    writeFileSync(full, text, { mode: 0o600 });
    if (uid !== null) chownSync(full, uid, uid);
    return full;
  };
  const memory = clickhouseMemoryBytes();
  const users = file('clickhouse-users.xml', clickhouseUsersXml(secrets, memory, position !== undefined));
  return {
    folder,
    users,
    config: file(
      'clickhouse-config.xml',
      serverXml({ listen, position, folder, usersFile: users, secrets, memory }),
    ),
    startSql: file(
      'clickhouse-start.sql',
      `SYSTEM START LISTEN HTTP;\n${position ? 'SYSTEM START LISTEN TCP;\n' : ''}`,
    ),
  };
}
