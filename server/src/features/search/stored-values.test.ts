import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { insertEvents } from './testing/insert-events.ts';

// Short ways to stored values give the rows of the long ways. A limit that cuts nothing makes the engine compute the
// value of every event first, so that no short way is left.

const VALUES: readonly unknown[] = [
  'red',
  'Red',
  'true',
  true,
  false,
  42,
  '42',
  -1.5,
  '10.1.2.3',
  '2026-01-01',
  '2026-01-01 10:00:00',
  '1e5',
  'nan',
  '',
  null,
  ['red'],
  '["red"]',
  { red: 1 },
  '{"red":1}',
  '-',
  'C:\\Windows',
  'größe',
];
const CONSTANTS = [
  'red',
  'RED',
  'true',
  '42',
  '-1.5',
  '10.1.2.3',
  '2026-01-01',
  '2026-01-01 10:00:00',
  '1e5',
].concat(['nan', '', '["red"]', '{"red":1}', '-', 'C:\\Windows', 'größe', 'GRÖSSE', 'none']);
const START = Date.UTC(2026, 0, 1, 11, 59, 59, 999);
const schema = eventSchema([]);
const now = new Date('2026-02-01T00:00:00Z');

let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await insertEvents(platform.eventStore, clusterId, VALUES.length * 2, (n) => ({
    TimeGenerated: START + n * 1234,
    Scope: n % 2 === 0 ? 's1' : 's2',
    Stream: 'Generic',
    ActorUsername: `user${n % 7}`,
    Ext: { v: VALUES[n >> 1], n: n >> 1, deep: { v: VALUES[n >> 1] } },
  }));
});
afterAll(() => platform?.close());

async function run(query: string, scopes: readonly string[]): Promise<readonly string[]> {
  const compiled = compileKql(query, { schema, now, unknownColumns: 'warn' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const printed = printQuery(scopeToTenant(compiled.plan, { database: `tenant_${clusterId}`, scopes }));
  const { sql, params, settings } = printed;
  const { rows } = await platform.eventStore.rows(clusterId, { sql, params, settings, scopes });
  return rows.map((row) => JSON.stringify(decodeRow(printed.columns, row)));
}

const sorted = async (query: string) => [...(await run(query, ['s1']))].sort();

describe('a path of Ext that holds values of several types', () => {
  it.each(['v', 'deep.v'])('compares Ext.%s as its text says', async (path) => {
    for (const constant of (path === 'v' ? CONSTANTS : CONSTANTS.slice(0, 4)).map((one) =>
      JSON.stringify(one),
    )) {
      const each = (from: string, value: string) =>
        ['==', '!=', '=~'].map(
          (operator) =>
            `(${from} | where ${value} ${operator} ${constant} | project op = "${operator}", tolong(Ext.n))`,
        );
      const short = each('Events', `tostring(Ext.${path})`);
      const long = each(`Events | extend k = tostring(Ext.${path}) | take 1000`, 'k');
      expect([constant, ...(await sorted(`union ${short.join(', ')}`))]).toEqual([
        constant,
        ...(await sorted(`union ${long.join(', ')}`)),
      ]);
    }
  });

  it('looks it up in lists', async () => {
    for (const list of ['"red", "none"', '"red", "42"', '"true"', '"größe", "C:\\\\Windows"']) {
      for (const operator of ['in', 'in~', '!in', '!in~']) {
        const condition = `${operator} (${list})`;
        const short = `Events | where tostring(Ext.v) ${condition} | project tolong(Ext.n)`;
        const long = `Events | extend k = tostring(Ext.v) | take 1000 | where k ${condition} | project tolong(Ext.n)`;
        expect([condition, ...(await sorted(short))]).toEqual([condition, ...(await sorted(long))]);
      }
    }
  });

  it('finds exactly the texts', async () => {
    expect(await run('Events | where tostring(Ext.v) == "red" | project tolong(Ext.n)', ['s1'])).toEqual([
      '[0]',
    ]);
    expect(await sorted('Events | where tostring(Ext.v) == "42" | project tolong(Ext.n)')).toEqual([
      '[5]',
      '[6]',
    ]);
    expect(await sorted('Events | where tostring(Ext.v) =~ "RED" | project tolong(Ext.n)')).toEqual([
      '[0]',
      '[1]',
    ]);
  });
});

describe('stored moments', () => {
  it('fall into the bins that their ticks fall into', async () => {
    for (const step of ['1ms', '7s', '15m', '1h', '1d', '7d', '3tick']) {
      const short = `Events | summarize count() by bin(TimeGenerated, ${step})`;
      const long = `Events | summarize count() by bin(TimeGenerated + 0s, ${step})`;
      expect(await sorted(short)).toEqual(await sorted(long));
    }
    const at = 'Events | summarize count() by bin_at(TimeGenerated, 1h, datetime(2026-01-01 12:00:10))';
    expect(await sorted(at)).toEqual(await sorted(at.replace('TimeGenerated,', 'TimeGenerated + 0s,')));
  });

  it('come newest first, from one scope and from several', async () => {
    const query = 'Generic | sort by TimeGenerated desc | take 3 | project tolong(Ext.n), Scope';
    const last = VALUES.length - 1;
    expect(await run(query, ['s1'])).toEqual([last, last - 1, last - 2].map((n) => `[${n},"s1"]`));
    expect(await run(query, ['s1', 's2'])).toEqual([
      `[${last},"s2"]`,
      `[${last},"s1"]`,
      `[${last - 1},"s2"]`,
    ]);
    expect(await run(query, [])).toEqual([]);
  });
});

describe('distinct values', () => {
  it('are counted alike by estimate and exactly', async () => {
    const names = 'ActorUsername, Stream, TimeGenerated, DstPortNumber'.split(', ');
    const counts = (fn: string) => names.map((name) => `${fn}(${name})`).join(', ');
    expect(await run(`Events | summarize ${counts('dcount')}`, ['s1'])).toEqual(
      await run(`Events | summarize ${counts('count_distinct')}`, ['s1']),
    );
  });
});

describe('regular expressions', () => {
  it('let a dot stand for anything but a line break', async () => {
    const query = 'datatable(t: string)["a\\nb", "a-b", "a.b"] | where t matches regex';
    expect(await sorted(`${query} "a.b"`)).toEqual(['["a-b"]', '["a.b"]']);
    expect(await sorted(`${query} @"a[^x]b"`)).toHaveLength(3);
    expect(await sorted(`${query} "^a$"`)).toEqual([]);
  });
});
