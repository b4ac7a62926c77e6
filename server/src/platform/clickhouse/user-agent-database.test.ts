import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { USER_AGENT_DICTIONARIES } from '@tyrian/clickhouse-sql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { caselessRegex } from './caseless-regex.ts';

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform.close());

const ask = async (sql: string, params: Record<string, unknown> = {}) =>
  (await platform.eventStore.rows(clusterId, { sql, params, scopes: 'all' })).rows;

interface Pattern {
  readonly regex: string;
  readonly regex_flag?: string;
}

const file = path.join(
  path.dirname(createRequire(import.meta.url).resolve('uap-core/package.json')),
  'regexes.yaml',
);
const lists = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Pattern[]>>;

/** A text that is much like what a pattern is meant for. */
const like = ({ regex }: Pattern): string =>
  `Mozilla/5.0 (Linux; ${regex
    .replace(/\\d\+|\[\^?.*?\][+*?]?(?:\{.*?\})?|\\d|\\w\+?/g, '7')
    .replace(/\(\?:|[()^$?*+]|\{.*?\}/g, '')
    .replace(/\|/g, ' ')
    .replace(/\\(.)/g, '$1')}) Build`;

const texts = Object.values(lists).flatMap((patterns) => patterns.map(like));

it.each([
  ['browser', 'user_agent_parsers', 'family_replacement'],
  ['os', 'os_parsers', 'os_replacement'],
  ['device', 'device_parsers', 'device_replacement'],
] as const)('[R-A] the first pattern that fits names the %s', async (part, section, label) => {
  const { name } = USER_AGENT_DICTIONARIES[part];
  const answers = await ask(
    `SELECT text, dictGet('${name}', 'family', text) FROM (SELECT arrayJoin({texts:Array(String)}) AS text)`,
    { texts },
  );
  const first = (text: string): string => {
    for (const one of lists[section] ?? []) {
      const match = new RegExp(one.regex, one.regex_flag).exec(text);
      const said = (one as unknown as Record<string, string | undefined>)[label] ?? '$1';
      if (match) return said.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    }
    return '';
  };
  expect(answers).toHaveLength(texts.length);
  for (const [text, family] of answers)
    expect({ text, family }).toEqual({ text, family: first(String(text)) });
});

it.each([
  'select * from tyrian_reference.user_agent_browser',
  "select * from dictionary('tyrian_reference.user_agent_os')",
  "select * from merge('tyrian_reference', '^user_agent_')",
])('gives the querying user the look-up alone: %s', async (statement) => {
  await expect(ask(statement)).rejects.toMatchObject({ name: 'EventStoreError' });
});

it.each([
  ['Ab\\d', '[Aa][bB]\\d'],
  ['(?:x|[^a-cZ_\\w])+?', '(?:[xX]|[^a-cZ_\\wA-Cz])+?'],
  ['\\bn{0,3}[;/]', '\\b[nN]{0,3}[;/]'],
])('writes both cases of %s', (pattern, caseless) => {
  expect(caselessRegex(pattern)).toBe(caseless);
});
