import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { keyExpression, predicate, table } from './testing/generated-query.ts';
import { insertEvents } from './testing/insert-events.ts';
import { oddEvent } from './testing/odd-events.ts';
import { RELATIONS } from './testing/query-relations.ts';
import { type Choice, seededChoice } from './testing/seeded-choice.ts';

// Queries nobody wrote the answers for: what they give is held against what related queries give. Set
// TYRIAN_RELATION_CASES for more of each kind, TYRIAN_RELATION_SEED for others.

const CASES = Number(process.env.TYRIAN_RELATION_CASES ?? 4);
const SEED = Number(process.env.TYRIAN_RELATION_SEED ?? 7);
const EVENTS = 180;
const schema = eventSchema([]);

type Row = readonly unknown[];

let platform: TestPlatform;
/** The same events once, and twice. */
let single: string;
let double: string;

beforeAll(async () => {
  platform = await testPlatform();
  single = await platform.newTenant();
  double = await platform.newTenant();
  await insertEvents(platform.eventStore, single, EVENTS, oddEvent);
  for (const _ of [1, 2]) await insertEvents(platform.eventStore, double, EVENTS, oddEvent);
});
afterAll(() => platform?.close());

class IllTyped extends Error {}

async function run(query: string, clusterId = single, more = {}): Promise<readonly Row[]> {
  const compiled = compileKql(query, { schema, now: new Date(0), unknownColumns: 'warn' });
  if (!compiled.ok) {
    const errors = compiled.diagnostics.filter((one) => one.severity === 'error');
    // The generator does not know all that the language service knows of literals; what we refuse it must not make.
    if (errors.every((one) => one.code.startsWith('KS'))) throw new IllTyped();
    throw new Error(`${query}\n${errors.map((one) => one.message).join('; ')}`);
  }
  const boundary = { database: `tenant_${clusterId}`, scopes: ['s1'] };
  const { sql, params, settings, columns } = printQuery(scopeToTenant(compiled.plan, boundary));
  try {
    const request = { sql, params, settings: { ...settings, ...more }, scopes: ['s1'] };
    const { rows } = await platform.eventStore.rows(clusterId, request);
    return rows.map((row) => decodeRow(columns, row));
  } catch (error) {
    throw new Error(`${query}\n${(error as Error).message}`);
  }
}

/** Sums of reals depend on the order of the rows in their last digits. */
const told = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;

const asBag = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row.map(told))).sort();

/** Runs a check for some generated cases and tells all that fail. */
async function forCases(title: string, check: (choice: Choice) => Promise<unknown>): Promise<void> {
  const kind = [...title].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, SEED);
  const faults: unknown[] = [];
  let run = 0;
  for (let index = 0; run < CASES && index < 3 * CASES; index += 1) {
    const fault = await check(seededChoice(kind, index)).catch((error: Error) => error);
    if (fault instanceof IllTyped) continue;
    run += 1;
    if (fault) faults.push(fault instanceof Error ? fault.message : fault);
  }
  expect(faults).toEqual([]);
  expect(run).toBe(CASES);
}

describe('related queries', () => {
  for (const { title, pair } of RELATIONS)
    it(title, () =>
      forCases(title, async (choice) => {
        const { one, other } = pair(choice);
        const [found, expected] = [asBag(await run(one)), asBag(await run(other))];
        return JSON.stringify(found) === JSON.stringify(expected) ? null : { one, other, found, expected };
      }),
    );
});

describe('related answers', () => {
  it('count gives the number of rows', () =>
    forCases('count', async (choice) => {
      const steps = choice.of([
        '',
        `| summarize count() by ${keyExpression(choice)}`,
        '| distinct DvcHostname, EventID',
        `| top 7 by ${keyExpression(choice)}`,
        '| mv-expand x = Ext.list',
        '| join kind=leftouter (Dns | project DvcHostname) on DvcHostname',
        '| make-series n = count() default=0 on TimeGenerated from datetime(2026-01-01) to datetime(2026-01-02) step 3h by DvcHostname',
      ]);
      const query = `${table(choice)} ${steps}`;
      const [[counted]] = (await run(`${query} | count`)) as [Row];
      const rows = (await run(query)).length;
      return counted === rows ? null : { query, counted, rows };
    }));

  it('top is how the sorted rows begin, and the other direction is its mirror', () =>
    forCases('top', async (choice) => {
      const rows = `${table(choice)} | extend key = ${keyExpression(choice)}`;
      const [direction, other] = choice.once(2) ? ['asc', 'desc'] : ['desc', 'asc'];
      const sorted = (await run(`${rows} | sort by key ${direction} | project key`)).map((row) => row[0]);
      const top = (await run(`${rows} | top 9 by key ${direction} | project key`)).map((row) => row[0]);
      const mirrored = (await run(`${rows} | sort by key ${other} | project key`)).map((row) => row[0]);
      const agree =
        JSON.stringify(top) === JSON.stringify(sorted.slice(0, 9)) &&
        JSON.stringify(sorted) === JSON.stringify(mirrored.reverse());
      return agree ? null : { rows, top, sorted, mirrored };
    }));

  it('take gives no more than asked, and all when there are fewer', () =>
    forCases('take', async (choice) => {
      const [rows, count] = [table(choice), choice.of([0, 1, 5, 100, 100_000])];
      const [all, taken] = [(await run(rows)).length, (await run(`${rows} | take ${count}`)).length];
      return taken === Math.min(all, count) ? null : { rows, count, all, taken };
    }));

  it('doubling the events doubles counts and sums and leaves what is distinct alone', () =>
    forCases('double', async (choice) => {
      const rows = `${table(choice)} | extend key = ${keyExpression(choice)}`;
      const query = `${rows} | summarize count(), countif(${predicate(choice)}), sum(EventID), dcount(CommandLine), min(SrcBytes), max(key), avg(EventID), array_length(make_set(DstPortNumber)) by key`;
      const [once, twice] = [await run(query), await run(query, double)];
      const doubled = once.map((row) =>
        row.map((value, at) => (at >= 1 && at <= 3 ? Number(value) * 2 : value)),
      );
      const agree = JSON.stringify(asBag(twice)) === JSON.stringify(asBag(doubled));
      return agree ? null : { query, once: asBag(once), twice: asBag(twice) };
    }));

  it('the text index changes no answer', () =>
    forCases('index', async (choice) => {
      const search = choice.of([
        'has',
        '!has',
        'contains',
        'startswith',
        'hasprefix',
        'hassuffix',
        'has_cs',
        'endswith',
      ]);
      const text = choice.of([
        '"alpha"',
        '"ALPHA"',
        '"straße"',
        '"cmd"',
        '"日本語"',
        '"beta-gamma"',
        '""',
        '"42"',
        '"é"',
        '"."',
      ]);
      const query = `${table(choice)} | where Raw ${search} ${text} ${choice.once(2) ? `or ${predicate(choice)}` : ''} | project TimeGenerated, Raw`;
      const [used, unused] = [await run(query), await run(query, single, { use_skip_indexes: 0 })];
      return JSON.stringify(asBag(used)) === JSON.stringify(asBag(unused)) ? null : { query };
    }));
});
