import * as contract from '@tyrian/contract';
import { compileKql, eventSchema } from '@tyrian/kql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { seededChoice } from './testing/seeded-choice.ts';

// What the compiler takes for a regular expression is what the engine takes for one.

const SEED = 20_261_122;
const CASES = 150;
const PARTS = [
  'a',
  '.',
  '*',
  '+?',
  '(',
  ')',
  '(?:',
  '(?i)',
  '(?=',
  '(?<!',
  '(?P<n>',
  '[',
  ']',
  '[^',
  '[:digit:]',
  '-',
  '\\',
  '\\d',
  '\\b',
  '\\1',
  '\\Z',
  '\\p{L}',
  '\\pX',
  '{2}',
  '{1001}',
  '{2,1}',
  '|',
  '^',
  '$',
  "'",
  'é',
  '\\x41',
  '\\x{110000}',
  '\\Q',
  '\\E',
] as const;

let test: TestApp;
let company: Company;
let ssid: string;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  ssid = await company.signIn('engineer');
});
afterAll(() => test?.close());

const at = () => ({ ssid, params: { clusterId: company.a.clusterId } });

describe('regular expressions', () => {
  it(`[S21] the compiler refuses what the engine refuses, and nothing else (seed ${SEED})`, async () => {
    const { eventStore } = test.platform;
    const engineTakes = (p: string) =>
      eventStore
        .rows(company.a.clusterId, {
          sql: `SELECT replaceRegexpAll('abc', {p:String}, '')`,
          params: { p },
          settings: {},
          scopes: [company.a.scope],
        })
        .then(
          () => true,
          () => false,
        );
    const schema = eventSchema([]);
    const compilerTakes = (pattern: string) =>
      compileKql(`print "abc" matches regex ${JSON.stringify(pattern)}`, {
        schema,
        now: new Date(0),
        unknownColumns: 'warn',
      }).ok;
    const wrong: string[] = [];
    let taken = 0;
    for (let index = 0; index < CASES; index++) {
      const choice = seededChoice(SEED, index);
      const pattern = Array.from({ length: 1 + choice.below(6) }, () => choice.of(PARTS)).join('');
      const [engine, compiler] = [await engineTakes(pattern), compilerTakes(pattern)];
      if (engine) taken++;
      if (engine !== compiler) wrong.push(`${pattern}: the engine ${engine}, the compiler ${compiler}`);
    }
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(CASES / 10);
    expect(taken).toBeLessThan(CASES);
  });

  /** Where a search of this query ends, and what it says. */
  async function endOf(query: string): Promise<readonly [string, string]> {
    const input = { job_type: 'kql', scope_id: company.a.scope, query };
    const started = await test.call(contract.invokeJob, { ...at(), input });
    const params = { ...at().params, taskid: started.data[0]?.id ?? '' };
    const state = async () => (await test.call(contract.taskState, { ...at(), params })).body;
    await expect
      .poll(async () => (await state()).task_stage, { timeout: 60_000 })
      .toMatch(/EXECUTED|FAILURE/);
    const { task_stage, message } = await state();
    return [task_stage, message];
  }

  it('[S21] a broken pattern fails its search with words, wherever it comes from, and makes no detection', async () => {
    const query = `Events | where Raw matches regex "')..."`;
    expect(await endOf(query)).toEqual(['FAILURE', expect.stringContaining('Invalid regular expression')]);
    const fromRows = 'datatable(t:string, p:string)["abc", "a)"] | where t matches regex p';
    expect(await endOf(fromRows)).toEqual(['FAILURE', expect.stringContaining('unexpected )')]);
    const computed = 'datatable(t:string)["abc"] | where t matches regex strcat("a", ")")';
    expect(await endOf(computed)).toEqual(['FAILURE', expect.stringContaining('unexpected )')]);
    const draft = {
      name: 'Broken pattern',
      schedule: { mode: 'streamed' },
      blocks: [
        { block_id: 'q', type: 'kql', body: { query } },
        {
          block_id: 's',
          type: 'signal',
          body: { name: 'x', suspects: [{ type: 'host', field: 'DvcHostname' }] },
        },
      ],
    };
    const input = { scope_id: company.a.scope, properties: draft };
    const saved = await test.call(contract.addWorkbook, { ...at(), input });
    expect([saved.http, saved.text]).toEqual([422, expect.stringContaining('Invalid regular expression')]);
  });
});
