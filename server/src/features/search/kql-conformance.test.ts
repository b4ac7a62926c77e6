import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema, schemaFound } from '@tyrian/kql';
import { type Plan, scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { settlePlugins } from './settle-plugins.ts';

// The corpus of packages/kql, run on a real ClickHouse: each query gives exactly the rows that stand beside it.

const CORPUS = new URL('../../../../packages/kql/corpus/', import.meta.url);
const SHARED = new URL('../../../../../shared/corpora/', import.meta.url);
const schema = eventSchema([]);

interface Case {
  readonly title: string;
  readonly query: string;
  readonly rows: readonly (readonly unknown[])[];
}

const linesOf = <T>(file: URL): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

const asText = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await platform.eventStore.prepareCountries();
});
afterAll(() => platform.close());

async function run(query: string) {
  const options = { schema, now: new Date(), unknownColumns: 'warn' } as const;
  try {
    const compiled = await settlePlugins({
      compile: async (pluginSchemas) => compileKql(query, { ...options, pluginSchemas }),
      ask: rowsOf,
      columnsOf: async (question, rows) => schemaFound(question, rows),
    });
    return { columns: compiled.columns, rows: await rowsOf(compiled.plan) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: error.message };
  }
}

async function rowsOf(plan: Plan) {
  const printed = printQuery(scopeToTenant(plan, { database: `tenant_${clusterId}`, scopes: ['s1'] }));
  const { rows } = await platform.eventStore.rows(clusterId, {
    sql: printed.sql,
    params: printed.params,
    settings: printed.settings,
    scopes: ['s1'],
  });
  return rows.map((row) => decodeRow(printed.columns, row));
}

describe('the corpus of KQL', () => {
  for (const file of readdirSync(CORPUS).filter((name) => /^(?!errors).*\.jsonl$/.test(name)))
    for (const one of linesOf<Case>(new URL(file, CORPUS)))
      it(`${file}: ${one.title}`, async () => {
        const result = await run(one.query);
        expect(result.error).toBeUndefined();
        expect(asText(result.rows ?? [])).toEqual(asText(one.rows));
      });
});

describe.skipIf(!existsSync(new URL('kql-cases.jsonl', SHARED)))('cases of other engines', () => {
  it('pass by 95 in 100, and none gives a wrong value beyond 1 in 100', async () => {
    const { compare } = (await import(new URL('compare-kql.mjs', SHARED).href)) as {
      compare: (expected: unknown, got: unknown) => { ok: boolean };
    };
    const cases = linesOf<{ id: string; query: string; quirk?: boolean; unsure?: string; skip?: boolean }>(
      new URL('kql-cases.jsonl', SHARED),
    ).filter((one) => !one.quirk && !one.unsure && !one.skip);
    const outcome = { pass: 0, wrong: [] as string[], refused: 0 };
    for (const one of cases) {
      const result = await run(one.query);
      if (compare(one, result).ok) outcome.pass += 1;
      else if (result.error !== undefined) outcome.refused += 1;
      else outcome.wrong.push(one.id);
    }
    expect(outcome.wrong.length / cases.length).toBeLessThanOrEqual(0.01);
    expect(outcome.pass / cases.length).toBeGreaterThanOrEqual(0.95);
  }, 240_000);
});
