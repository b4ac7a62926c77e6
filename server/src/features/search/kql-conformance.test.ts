import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerQuery } from './testing/answer-query.ts';
import { corpusFile } from './testing/kusto-answers.ts';

// The corpus of packages/kql, run on a real ClickHouse: each query gives exactly the rows that stand beside it.

const CORPUS = new URL('../../../../packages/kql/corpus/', import.meta.url);

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

const run = (query: string) => answerQuery(platform, clusterId, query);

describe('the corpus of KQL', () => {
  for (const file of readdirSync(CORPUS).filter((name) => /^(?!errors).*\.jsonl$/.test(name)))
    for (const one of linesOf<Case>(new URL(file, CORPUS)))
      it(`${file}: ${one.title}`, async () => {
        const result = await run(one.query);
        expect(result.error).toBeUndefined();
        expect(asText(result.rows ?? [])).toEqual(asText(one.rows));
      });
});

describe.skipIf(!existsSync(corpusFile('kql-cases.jsonl')))('cases of other engines', () => {
  it('pass by 95 in 100, and none gives a wrong value beyond 1 in 100', async () => {
    const { compare } = (await import(corpusFile('compare-kql.mjs').href)) as {
      compare: (expected: unknown, got: unknown) => { ok: boolean };
    };
    const cases = linesOf<{ id: string; query: string; quirk?: boolean; unsure?: string; skip?: boolean }>(
      corpusFile('kql-cases.jsonl'),
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
