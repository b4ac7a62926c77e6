import { createHash } from 'node:crypto';
import { GIVES_WAY } from '../../platform/thread-priority.ts';
import type { EngineSecrets } from '../engine-secrets.ts';
import { type ClickhouseUser, grantsOf } from './clickhouse-grants.ts';

// Users can only be given in a file: the library accepts no CREATE USER. `query` can read the tenants' databases and
// look up countries of addresses, nothing else; its limits are constraints, so that no setting sent with a query lifts
// them. `patient` is the same, and its threads give way on the processor: the engine heeds that of a profile only.
// As `default` the library signs itself in, without a password, to run the start statement: a user that it does
// not let us rename or close. So it may do nothing but that statement, and may have one session, which is the
// library's own for as long as it runs; and by HTTP nobody can call as `default` at all (see clickhouse-config.ts).

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Nice values of the threads of a query, set at its begin where the engine may raise priorities again
 * (confine-process.cjs). The engine leaves a thread as it was for the next query, and takes 0 for no change: so each query
 * has a value of its own.
 */
const NICE = { ordinary: 1, givesWay: GIVES_WAY } as const;

function profilesXml(memory: number): string {
  return `<profiles>
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
      <os_threads_nice_value_query>${NICE.ordinary}</os_threads_nice_value_query>
      <!-- No web page may read an answer, whatever settings a request brings. -->
      <add_http_cors_header>0</add_http_cors_header>
      <constraints>
        <add_http_cors_header><const/></add_http_cors_header>
        <merge_tree_disk><const/></merge_tree_disk>
        <merge_tree_storage_policy><const/></merge_tree_storage_policy>
      </constraints>
    </default>
    <start><profile>default</profile><max_sessions_for_user>1</max_sessions_for_user></start>
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
    <patient><profile>query</profile><os_threads_nice_value_query>${NICE.givesWay}</os_threads_nice_value_query></patient>
  </profiles>`;
}

interface UserXmlParts {
  readonly name: ClickhouseUser;
  readonly password: string;
  readonly profile: string;
  readonly isShard: boolean;
}

function userXml({ name, password, profile, isShard }: UserXmlParts): string {
  const grants = grantsOf(name, isShard)
    .map((grant) => `<query>${grant}</query>`)
    .join('');
  // The engine takes any loopback address in this list for all of them.
  return `<${name}>
      ${password}<networks><ip>127.0.0.1</ip></networks>
      <profile>${profile}</profile><quota>default</quota><grants>${grants}</grants>
    </${name}>`;
}

/** The engine's file of users: their passwords as hashes, profiles with limits, and grants. */
export function clickhouseUsersXml(secrets: EngineSecrets, memory: number, isShard: boolean): string {
  const hash = (password: string) => `<password_sha256_hex>${sha256(password)}</password_sha256_hex>`;
  const own = (name: 'ingest' | 'query' | 'patient', password: string) =>
    userXml({ name, password: hash(password), profile: name, isShard });
  return `<clickhouse>
  ${profilesXml(memory)}
  <quotas><default/></quotas>
  <users>
    ${userXml({ name: 'default', password: '<no_password/>', profile: 'start', isShard })}
    ${own('ingest', secrets.clickhouseIngest)}
    ${own('query', secrets.clickhouseQuery)}
    ${own('patient', secrets.clickhouseQuery)}
  </users>
</clickhouse>
`;
}
