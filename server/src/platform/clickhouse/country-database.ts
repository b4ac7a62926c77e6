import { createReadStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { COUNTRY_DICTIONARY } from '@tyrian/clickhouse-sql';

// Countries of addresses: a table of ranges for each version of the DB-IP database, and a dictionary over the newest,
// which carries the version as its comment. Every step can be repeated, also by several processes at once; queries
// see the old dictionary or the new one, never half of one. No data of a tenant is in it.

const FILES = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country/package.json');
const [DATABASE = '', DICTIONARY = ''] = COUNTRY_DICTIONARY.split('.');
const RANGES = 'ip_country_range_';

export interface DatabaseAccount {
  readonly user: string;
  readonly password: string;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

// IPv4 takes the lower half of an IPv6 address, as `::ffff:1.2.3.4` does.
const IPV4 = 'arrayJoin([(toUInt64(4), first + 281470681743360, last + 281470681743360)])';

// A range is cut into whole upper halves, and what is left of an upper half at either end. See geo-info-builders.ts.
const UPPER_FIRST = 'toUInt64(bitShiftRight(first, 64))';
const UPPER_LAST = 'toUInt64(bitShiftRight(last, 64))';
const LOWER_FIRST = 'toUInt64(bitAnd(first, toUInt128(18446744073709551615)))';
const LOWER_LAST = 'toUInt64(bitAnd(last, toUInt128(18446744073709551615)))';
const NONE = 'toUInt64(0)';
const ALL = 'toUInt64(18446744073709551615)';
const signed = (lower: string) => `toInt64(bitXor(${lower}, toUInt64(9223372036854775808)))`;
const part = (when: string, network: string, first: string, last: string) =>
  `if(${when}, [(${network}, toInt64(${first}), toInt64(${last}))], [])`;
const IPV6 = `arrayJoin(if(${UPPER_FIRST} = ${UPPER_LAST} AND (${LOWER_FIRST} != ${NONE} OR ${LOWER_LAST} != ${ALL}),
  [(${UPPER_FIRST}, ${signed(LOWER_FIRST)}, ${signed(LOWER_LAST)})],
  arrayConcat(
    ${part(`${LOWER_FIRST} != ${NONE}`, UPPER_FIRST, signed(LOWER_FIRST), signed(ALL))},
    ${part(`${LOWER_LAST} != ${ALL}`, UPPER_LAST, signed(NONE), signed(LOWER_LAST))},
    arrayFilter(p -> p.2 <= p.3, [(toUInt64(6),
      toInt64(${UPPER_FIRST} + (${LOWER_FIRST} != ${NONE})),
      toInt64(${UPPER_LAST} - (${LOWER_LAST} != ${ALL})))]))))`;

/** English names by the codes of ISO 3166, as they are used in hunting queries: without a second name behind. */
export function countryNames(): { readonly codes: readonly string[]; readonly names: readonly string[] } {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((one) => letters.map((other) => one + other));
  const known = all.flatMap((code) => {
    const name = english.of(code);
    return name === undefined ? [] : [{ code, name: name.replace(/ SAR China$| \(.*\)$/, '') }];
  });
  return { codes: known.map(({ code }) => code), names: known.map(({ name }) => name) };
}

async function isLoaded(client: ClickHouseClient, version: string): Promise<boolean> {
  const result = await client.query({
    query:
      'SELECT 1 FROM system.dictionaries WHERE database = {d:String} AND name = {n:String} AND comment = {v:String}',
    query_params: { d: DATABASE, n: DICTIONARY, v: version },
    format: 'JSONEachRow',
  });
  return (await result.json()).length > 0 && (await answers(client));
}

/** A dictionary whose source is gone, or refuses the password of another day, is made anew. */
async function answers(client: ClickHouseClient): Promise<boolean> {
  const probe = `SELECT dictGet('${COUNTRY_DICTIONARY}', 'country', toUInt64(4), toInt64(281470681743360 + 134744072)) AS c`;
  try {
    const result = await client.query({ query: probe, format: 'JSONEachRow' });
    const [row] = await result.json<{ c: string }>();
    return row !== undefined && row.c !== '';
  } catch {
    return false;
  }
}

async function loadRanges(client: ClickHouseClient, table: string): Promise<void> {
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ${DATABASE}.${table}
      (network UInt64, first Int64, last Int64, country LowCardinality(String))
      ENGINE = ReplacingMergeTree ORDER BY (network, first, last)`,
  });
  for (const [file, parts] of [
    ['dbip-country-ipv4-num.csv', IPV4],
    ['dbip-country-ipv6-num.csv', IPV6],
  ] as const) {
    const { stream } = await client.exec({
      query: `INSERT INTO ${DATABASE}.${table}
        SELECT range.1, range.2, range.3, transform(code, {codes:Array(String)}, {names:Array(String)}, code)
        FROM (SELECT ${parts} AS range, code FROM input('first UInt128, last UInt128, code String')) FORMAT CSV`,
      values: createReadStream(path.join(path.dirname(FILES), file)),
      query_params: { ...countryNames() },
      clickhouse_settings: { wait_end_of_query: 1 },
    });
    stream.resume();
    await new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject));
  }
}

/** Tables of versions that no dictionary reads any more. */
async function dropOthers(client: ClickHouseClient, table: string): Promise<void> {
  const result = await client.query({
    query:
      'SELECT name FROM system.tables WHERE database = {d:String} AND startsWith(name, {p:String}) AND name != {t:String}',
    query_params: { d: DATABASE, p: RANGES, t: table },
    format: 'JSONEachRow',
  });
  for (const { name } of await result.json<{ name: string }>()) {
    await client.command({ query: `DROP TABLE IF EXISTS ${DATABASE}.\`${name}\`` });
  }
}

/** Sees to it that the dictionary of countries is there, in the version that is installed. Takes 2 s the first time. */
export async function prepareCountryDatabase(
  client: ClickHouseClient,
  account: DatabaseAccount,
): Promise<void> {
  const { version } = JSON.parse(readFileSync(FILES, 'utf8')) as { version: string };
  if (await isLoaded(client, version)) return;
  const table = `${RANGES}${version.replaceAll('.', '_')}`;
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${DATABASE}` });
  await loadRanges(client, table);
  await client.command({
    query: `CREATE OR REPLACE DICTIONARY ${COUNTRY_DICTIONARY}
      (network UInt64, first Int64, last Int64, country String) PRIMARY KEY network
      SOURCE(CLICKHOUSE(USER ${quoted(account.user)} PASSWORD ${quoted(account.password)}
        QUERY 'SELECT network, first, last, country FROM ${DATABASE}.${table} FINAL'))
      LAYOUT(RANGE_HASHED()) RANGE(MIN first MAX last) LIFETIME(0) COMMENT ${quoted(version)}`,
  });
  if (!(await answers(client))) throw new Error('the dictionary of countries answers nothing');
  await dropOthers(client, table);
}
