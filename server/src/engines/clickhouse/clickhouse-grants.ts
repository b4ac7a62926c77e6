import { COUNTRY_DICTIONARY, USER_AGENT_DICTIONARIES } from '@tyrian/clickhouse-sql';

// What each user of the embedded engine may do: all of it, because a user with a list of grants has nothing beside it.
// The lists are as SHOW GRANTS prints them, so that docs/engine-grants.md and a running engine can be compared.

/** Our users, and `default`, as which the library signs itself in; see clickhouse-users.ts. */
export type ClickhouseUser = 'default' | 'ingest' | 'query' | 'patient';

const [REFERENCE = ''] = COUNTRY_DICTIONARY.split('.');

/** The engine's own tables that the program reads as `ingest`. */
const SYSTEM_TABLES = [
  'databases',
  'dictionaries',
  'disks',
  'events',
  'merges',
  'metrics',
  'mutations',
  'parts',
  'processes',
  'query_log',
  'tables',
];

const READS = [
  'GRANT SELECT ON tenant_*.*',
  `GRANT dictGet ON ${COUNTRY_DICTIONARY}`,
  ...Object.values(USER_AGENT_DICTIONARIES).map(({ name }) => `GRANT dictGet ON ${name}`),
];

/** Grants of each user, without `TO user`. */
export const CLICKHOUSE_GRANTS: Readonly<Record<ClickhouseUser, readonly string[]>> = {
  default: ['GRANT SYSTEM LISTEN ON *.*'],
  ingest: [
    'GRANT KILL QUERY ON *.*',
    'GRANT TABLE ENGINE ON AggregatingMergeTree',
    'GRANT TABLE ENGINE ON MergeTree',
    'GRANT TABLE ENGINE ON ReplacingMergeTree',
    ...SYSTEM_TABLES.map((table) => `GRANT SELECT ON system.${table}`),
    'GRANT SELECT, INSERT, ALTER TABLE, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP DATABASE, DROP TABLE, DROP VIEW ON tenant_*.*',
    `GRANT SELECT, INSERT, CREATE DATABASE, CREATE TABLE, CREATE DICTIONARY, DROP TABLE, DROP DICTIONARY, dictGet ON ${REFERENCE}.*`,
  ],
  query: READS,
  patient: READS,
};

/** What `ingest` may besides where the engine is one of several shards. */
export const SHARD_GRANTS: readonly string[] = [
  'GRANT TABLE ENGINE ON Distributed',
  'GRANT SELECT ON system.clusters',
];

/** All that a user may do. */
export function grantsOf(user: ClickhouseUser, isShard: boolean): readonly string[] {
  return user === 'ingest' && isShard
    ? [...CLICKHOUSE_GRANTS.ingest, ...SHARD_GRANTS]
    : CLICKHOUSE_GRANTS[user];
}

/** The grants as docs/engine-grants.md prints them, one a line. */
export function grantsText(): string {
  return Object.entries(CLICKHOUSE_GRANTS)
    .flatMap(([user, grants]) => grants.map((grant) => `${grant} TO ${user}`))
    .join('\n');
}
