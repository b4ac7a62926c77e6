import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { fuzzQuery } from './testing/fuzz-query.ts';
import { mutatedQuery } from './testing/mutated-query.ts';
import { ownQueries } from './testing/query-seeds.ts';
import { faultsOfReach } from './testing/sql-reach.ts';

// Some hundreds of mutated queries all the way to the syntax tree that ClickHouse makes of their SQL. `bench/fuzz-kql.ts`
// runs as many as one likes, and runs their SQL as well.

const SEED = 20_260_101;
const CASES = 500;
const LIMIT_MS = 1000;

let platform: TestPlatform;
let clusterId: string;
let database: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  database = `tenant_${clusterId}`;
});
afterAll(() => platform?.close());

async function astOf(sql: string, params = {}, settings = {}): Promise<string[]> {
  const query = { sql: `EXPLAIN AST ${sql}`, params, settings, scopes: ['s1'] };
  return (await platform.eventStore.rows(clusterId, query)).rows.map((row) => String(row[0]));
}

describe('mutated queries', () => {
  it(`are refused or become SQL that the engine parses and that stays inside the tenant (seed ${SEED})`, async () => {
    const seeds = ownQueries();
    const found: { index: number; text: string; fault: string }[] = [];
    const seen = new Set<string>();
    for (let index = 0; index < CASES; index += 1) {
      const text = mutatedQuery(SEED, index, seeds);
      const { printed, faults, ms } = fuzzQuery(text, database, 'warn');
      const again = ms > LIMIT_MS ? fuzzQuery(text, database, 'warn').ms : ms;
      const slow = again > LIMIT_MS ? [`took ${again} ms`] : [];
      const reach: string[] = [];
      if (printed && !seen.has(printed.sql)) {
        seen.add(printed.sql);
        const ast = await astOf(printed.sql, printed.params, printed.settings).catch((error: Error) => error);
        reach.push(...(ast instanceof Error ? [`not parsed: ${ast.message}`] : faultsOfReach(ast, database)));
      }
      for (const fault of [...faults, ...slow, ...reach]) found.push({ index, text, fault });
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(CASES / 5);
  });
});

describe('the check of what SQL reaches', () => {
  it.each([
    ['a table function', "SELECT * FROM url('http://x', 'CSV')"],
    ['a file', "SELECT * FROM events WHERE x IN (SELECT * FROM file('x'))"],
    ['another server', "SELECT * FROM remote('x', system.one)"],
    ['a system table', 'SELECT * FROM system.users'],
    ['a system table in brackets', 'SELECT x FROM (SELECT name AS x FROM `system`.`tables`)'],
    ['another tenant', 'SELECT * FROM tenant_other.events'],
    ['another table', 'SELECT * FROM {database:Identifier}.other'],
    ['a table of the session', 'SELECT * FROM events'],
    ['a table behind IN', 'SELECT 1 WHERE 1 IN system.one'],
    ['settings', 'SELECT 1 SETTINGS max_threads = 64'],
    ['a dictionary', "SELECT dictGet('other', 'x', 1)"],
    ['a function that looks outside', "SELECT file('x')"],
    ['a join with a system table', 'SELECT 1 FROM numbers(1) AS a JOIN system.one AS b ON 1 = 1'],
    ['a union with a system table', 'SELECT 1 UNION ALL SELECT count() FROM system.users'],
    ['a table named like a shared one', 'SELECT * FROM m1'],
    ['a common table expression', 'WITH x AS (SELECT * FROM system.users) SELECT 1'],
  ])('finds %s', async (_, sql) => {
    const ast = await astOf(sql, sql.includes('{database') ? { database } : {});
    expect(faultsOfReach(ast, database)).not.toEqual([]);
  });

  it('lets the table of the tenant and made rows pass', async () => {
    const sql = `SELECT count() FROM ${database}.events WHERE Raw IN (SELECT toString(number) FROM numbers(3))`;
    expect(faultsOfReach(await astOf(sql), database)).toEqual([]);
  });
});
