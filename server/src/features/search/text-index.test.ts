import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { insertEvents } from './testing/insert-events.ts';

// A search in the indexed text gives the rows of the same search in a computed copy of it, which has no index, and of
// a search whose needle is known only while the query runs. An insert leaves the index to the merges, so a part may
// have none yet: the same rows again.

const TEXTS = [
  'powershell.exe -EncodedCommand SQBFAFgA',
  'PowerShell EXE',
  'powershell_ise.exe',
  'C:\\Windows\\System32\\cmd.exe /c whoami',
  'user=admin_1 action=Login-Failed src=10.1.2.3',
  'user=admin1 action=login failed src=10.1.2.30',
  'Größe der Straße',
  'GRÖSSE DER STRASSE',
  'naïve_café-éclair',
  'a.b*c(d)[e]{f}^g$h|i?j+k',
  '日本語 テキスト',
  'tab\tand\nline break',
  'alarm \u{1F525} in sector 7 \u{1F44D}\u{1F3FD}',
  'SECTOR 7 at 300 K',
  '',
  'x',
];
const NEEDLES = [
  'powershell',
  'PowerShell',
  'shell',
  'exe',
  '.exe',
  'admin',
  'admin_1',
  'admin1',
  'login-failed',
  'Login',
  '10.1.2.3',
  'größe',
  'STRASSE',
  'café',
  '日本語',
  'c(d)',
  '$h|i',
  'line break',
  'C:\\Windows',
  'x',
  '\u{1F525}',
  '\u{1F44D}\u{1F3FD}',
  'sector 7',
  '300 k',
  'none of these',
];
const SEARCHES = ['has', 'contains', 'startswith', 'endswith', 'hasprefix', 'hassuffix'].flatMap((one) => [
  one,
  `!${one}`,
  `${one}_cs`,
  `!${one}_cs`,
]);
/** So many searches of one text are one for the engine. */
const TOGETHER = 8;
const schema = eventSchema([]);

let platform: TestPlatform;
let indexedTenant: string;
let freshTenant: string;

async function filledTenant(): Promise<string> {
  const clusterId = await platform.newTenant();
  await insertEvents(platform.eventStore, clusterId, TEXTS.length, (n) => ({
    TimeGenerated: Date.UTC(2026, 0, 1) + n * 1000,
    Scope: 's1',
    Stream: 'Generic',
    Raw: TEXTS[n] ?? '',
    Ext: { n },
  }));
  return clusterId;
}

/** What the indexes of the tenant's events take on the disk. */
async function indexBytes(clusterId: string): Promise<number> {
  const [row] = await platform.eventStore.systemRows<{ bytes: string | number }>(
    `SELECT sum(secondary_indices_compressed_bytes) AS bytes FROM system.parts
     WHERE database = {database:String} AND table = 'events' AND active`,
    { database: `tenant_${clusterId}` },
  );
  return Number(row?.bytes);
}

beforeAll(async () => {
  platform = await testPlatform();
  [indexedTenant, freshTenant] = [await filledTenant(), await filledTenant()];
  await platform.eventStore.command(
    indexedTenant,
    'ALTER TABLE events MATERIALIZE INDEX ix_Raw SETTINGS mutations_sync = 1',
  );
});
afterAll(() => platform?.close());

async function run(clusterId: string, query: string): Promise<readonly string[]> {
  const compiled = compileKql(query, { schema, now: new Date(), unknownColumns: 'warn' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const printed = printQuery(
    scopeToTenant(compiled.plan, { database: `tenant_${clusterId}`, scopes: ['s1'] }),
  );
  const { sql, params, settings } = printed;
  const { rows } = await platform.eventStore.rows(clusterId, { sql, params, settings, scopes: ['s1'] });
  return rows.map((row) => JSON.stringify(decodeRow(printed.columns, row)));
}

/** For each needle the numbers of the events that a search finds, in one query. */
const found = (steps: (needle: string) => string, clusterId = indexedTenant): Promise<readonly string[]> =>
  run(
    clusterId,
    `union ${NEEDLES.map((needle, index) => `(Events ${steps(JSON.stringify(needle))} | project k = ${index}, n = tolong(Ext.n))`).join(', ')} | sort by k asc, n asc`,
  );

/** The same by one look at every event: a test for each needle, of which none can use the index. */
const foundByScan = (extend: string, test: (needle: string) => string): Promise<readonly string[]> =>
  run(
    indexedTenant,
    `Events ${extend} | extend k = pack_array(${NEEDLES.map((needle, index) => `iff(${test(JSON.stringify(needle))}, ${index}, -1)`).join(', ')}) | mv-expand k to typeof(long) | where k >= 0 | project k, n = tolong(Ext.n) | sort by k asc, n asc`,
  );

describe('text search', () => {
  it('[T-storage] an insert leaves the index of the text to the merges', async () => {
    expect(await indexBytes(indexedTenant)).toBeGreaterThan(await indexBytes(freshTenant));
  });

  it.each(SEARCHES)(
    '`%s` finds the same with the index, without it, and by an unknown needle',
    async (search) => {
      const indexed = await found((needle) => `| where Raw ${search} ${needle}`);
      const copied = await foundByScan(
        `| extend copy = strcat(Raw, '')`,
        (needle) => `copy ${search} ${needle}`,
      );
      const unknown = await foundByScan(
        '',
        (needle) => `Raw ${search} iff(Stream == 'Generic', ${needle}, '')`,
      );
      const fresh = await found((needle) => `| where Raw ${search} ${needle}`, freshTenant);
      expect(fresh).toEqual(indexed);
      expect(copied).toEqual(indexed);
      expect(unknown).toEqual(indexed);
      expect(indexed.length).toBeGreaterThan(0);
    },
  );

  it.each(['contains', 'contains_cs'])(
    'many `%s` of one text find together what each finds',
    async (search) => {
      const each = (
        await found((needle) => `| extend copy = strcat(Raw, '') | where copy ${search} ${needle}`)
      ).map((row) => JSON.parse(row) as [number, number]);
      const sets = NEEDLES.map((_, first) =>
        Array.from({ length: TOGETHER }, (__, at) => (first + 3 * at) % NEEDLES.length),
      );
      const any = (text: string, set: readonly number[]) =>
        set.map((index) => `${text} ${search} ${JSON.stringify(NEEDLES[index])}`).join(' or ');
      const asked = (test: (set: readonly number[]) => string) =>
        run(
          indexedTenant,
          `union ${sets.map((set, k) => `(Events | extend copy = strcat(Raw, '') | where ${test(set)} | project k = ${k}, n = tolong(Ext.n))`).join(', ')} | sort by k asc, n asc`,
        );
      const counted = await run(
        indexedTenant,
        `Events | summarize ${sets.map((set, k) => `c${k} = countif(${any('Raw', set)})`).join(', ')}`,
      );
      const expected = sets.map((set) => [
        ...new Set(each.filter(([k]) => set.includes(k)).map(([, n]) => n)),
      ]);
      const rows = expected.flatMap((some, k) =>
        some.sort((a, b) => a - b).map((n) => JSON.stringify([k, n])),
      );
      expect(await asked((set) => any('copy', set))).toEqual(rows);
      expect(await asked((set) => any('Raw', set))).toEqual(rows);
      expect(await asked((set) => `not(not(${any('copy', set)}))`)).toEqual(rows);
      expect(JSON.parse(counted[0] ?? '[]').map(Number)).toEqual(expected.map((some) => some.length));
    },
  );

  it('many patterns that begin with a text find together what each finds', async () => {
    const patterns = [
      '^power',
      '(?i)^POWERSHELL ',
      '^$',
      '(?i)^gr\u00f6',
      '^.$',
      '^\\w+=\\w+_',
      '^tab\\s',
      '(?s)^tab.*break$',
      '^alarm|never',
    ];
    const tests = patterns.map((pattern) => `copy matches regex @'${pattern}'`);
    const asked = (test: string) =>
      run(
        indexedTenant,
        `Events | extend copy = strcat(Raw, '') | where ${test} | project n = tolong(Ext.n) | sort by n asc`,
      );
    const each = await Promise.all(tests.map(asked));
    const all = [...new Set(each.flat())].sort((a, b) => Number(JSON.parse(a)) - Number(JSON.parse(b)));
    expect(await asked(tests.join(' or '))).toEqual(all);
    expect(each.every((some) => some.length > 0)).toBe(true);
    expect(all.length).toBeLessThan(TEXTS.length);
  });
});
