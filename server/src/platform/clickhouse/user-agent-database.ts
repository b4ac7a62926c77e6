import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { USER_AGENT_DICTIONARIES } from '@tyrian/clickhouse-sql';
import { parse } from 'yaml';
import { caselessRegex } from './caseless-regex.ts';

// The patterns of uap-core: for browsers, systems and devices a table for each version of the package, and a
// dictionary over it that tries them in their order, which carries the version as its comment. Every step can be
// repeated, also by several processes at once. No data of a tenant is in it.

const FILES = createRequire(import.meta.url).resolve('uap-core/package.json');

interface Account {
  readonly user: string;
  readonly password: string;
}

/** A pattern of the list, and what it says in place of its groups. */
type Pattern = Readonly<Record<string, string>>;

interface PatternList {
  readonly dictionary: string;
  /** The table of a version is named after this. */
  readonly table: string;
  readonly attributes: readonly string[];
  /** Where the list keeps them. */
  readonly section: string;
  /** For each attribute its name in the list, and what it is without it: a group of the pattern, or nothing. */
  readonly values: readonly (readonly [string, string])[];
}

function patternList(
  part: keyof typeof USER_AGENT_DICTIONARIES,
  section: string,
  values: readonly (readonly [string, string])[],
): PatternList {
  const { name, attributes } = USER_AGENT_DICTIONARIES[part];
  return {
    dictionary: name,
    table: `${name}_pattern_`,
    attributes: Object.keys(attributes),
    section,
    values,
  };
}

const LISTS: readonly PatternList[] = [
  patternList('browser', 'user_agent_parsers', [
    ['family_replacement', '$1'],
    ['v1_replacement', '$2'],
    ['v2_replacement', '$3'],
    ['v3_replacement', '$4'],
  ]),
  patternList('os', 'os_parsers', [
    ['os_replacement', '$1'],
    ['os_v1_replacement', '$2'],
    ['os_v2_replacement', '$3'],
    ['os_v3_replacement', '$4'],
    ['os_v4_replacement', '$5'],
  ]),
  patternList('device', 'device_parsers', [
    ['device_replacement', '$1'],
    ['brand_replacement', ''],
    ['model_replacement', '$1'],
  ]),
];

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The rows that a dictionary of regular expressions reads: patterns without parents, in their order. */
function rowsOf({ section, attributes, values }: PatternList): Record<string, unknown>[] {
  const file = readFileSync(path.join(path.dirname(FILES), 'regexes.yaml'), 'utf8');
  const lists = parse(file) as Readonly<Record<string, readonly Pattern[]>>;
  return (lists[section] ?? []).map((one, index) => ({
    id: index + 1,
    parent_id: 0,
    regexp: one.regex_flag === 'i' ? caselessRegex(one.regex ?? '') : (one.regex ?? ''),
    keys: attributes,
    values: values.map(([name, group]) => String(one[name] ?? group).replace(/\$(\d)/g, '\\$1')),
  }));
}

async function isLoaded(client: ClickHouseClient, dictionary: string, version: string): Promise<boolean> {
  const [database, name] = dictionary.split('.');
  const result = await client.query({
    query:
      'SELECT 1 FROM system.dictionaries WHERE database = {d:String} AND name = {n:String} AND comment = {v:String}',
    query_params: { d: database, n: name, v: version },
    format: 'JSONEachRow',
  });
  return (await result.json()).length > 0 && (await answers(client, dictionary));
}

/** A dictionary whose source is gone, or refuses the password of another day, is made anew. */
async function answers(client: ClickHouseClient, dictionary: string): Promise<boolean> {
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile/15E148 Safari/604.1';
  try {
    const result = await client.query({
      query: `SELECT dictGet('${dictionary}', 'family', {text:String}) AS family`,
      query_params: { text: phone },
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ family: string }>();
    return row !== undefined && row.family !== '';
  } catch {
    return false;
  }
}

async function load(
  client: ClickHouseClient,
  account: Account,
  list: PatternList,
  version: string,
): Promise<void> {
  const table = `${list.table}${version.replaceAll('.', '_')}`;
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ${table}
      (id UInt64, parent_id UInt64, regexp String, keys Array(String), values Array(String))
      ENGINE = ReplacingMergeTree ORDER BY id`,
  });
  await client.insert({ table, values: rowsOf(list), format: 'JSONEachRow' });
  const attributes = list.attributes.map((name) => `${name} String DEFAULT ''`).join(', ');
  await client.command({
    query: `CREATE OR REPLACE DICTIONARY ${list.dictionary} (regexp String, ${attributes}) PRIMARY KEY regexp
      SOURCE(CLICKHOUSE(USER ${quoted(account.user)} PASSWORD ${quoted(account.password)}
        QUERY 'SELECT id, parent_id, regexp, keys, values FROM ${table} FINAL ORDER BY id'))
      LAYOUT(REGEXP_TREE) LIFETIME(0) COMMENT ${quoted(version)}`,
  });
  if (!(await answers(client, list.dictionary))) throw new Error(`${list.dictionary} answers nothing`);
}

/** Sees to it that the dictionaries of user agents are there, in the version that is installed. */
export async function prepareUserAgents(client: ClickHouseClient, account: Account): Promise<void> {
  const { version } = JSON.parse(readFileSync(FILES, 'utf8')) as { version: string };
  await client.command({ query: 'CREATE DATABASE IF NOT EXISTS tyrian_reference' });
  for (const list of LISTS)
    if (!(await isLoaded(client, list.dictionary, version))) await load(client, account, list, version);
}
