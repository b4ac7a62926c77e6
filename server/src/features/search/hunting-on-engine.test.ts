import fs from 'node:fs';
import path from 'node:path';
import { printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema, schemaFound } from '@tyrian/kql';
import { type Plan, scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { settlePlugins } from './settle-plugins.ts';

// Real hunting queries, when the corpus lies beside the checkout, run on the engine against the well-known tables.

interface HuntingQuery {
  readonly id: string;
  readonly query: string;
  readonly skip?: boolean;
  readonly needs?: unknown;
  readonly dup_of?: string;
}

/** Of so many queries one is run; all of them with TYRIAN_WHOLE_CORPUS=1. */
const ONE_OF = process.env.TYRIAN_WHOLE_CORPUS === '1' ? 1 : 3;
const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/kql-wild.jsonl');
const queries: HuntingQuery[] = fs.existsSync(corpus)
  ? fs
      .readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HuntingQuery)
      .filter((one) => !one.skip && one.needs === undefined && one.dup_of === undefined)
      .filter((_, at) => at % ONE_OF === 0)
  : [];
const schema = eventSchema([]);
const now = new Date('2026-01-01T00:00:00Z');

let platform: TestPlatform;
let clusterId = '';

beforeAll(async () => {
  if (queries.length === 0) return;
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform?.close());

async function rowsOf(plan: Plan): Promise<readonly (readonly unknown[])[]> {
  const boundary = { database: `tenant_${clusterId}`, scopes: ['s1'] };
  const { sql, params, settings } = printQuery(scopeToTenant(plan, boundary));
  return (await platform.eventStore.rows(clusterId, { sql, params, settings, scopes: ['s1'] })).rows;
}

describe.skipIf(queries.length === 0)('hunting queries on the engine', () => {
  it('[C060] 97 of 100 run', { timeout: 1_800_000 }, async () => {
    const failed: string[] = [];
    for (const { id, query } of queries)
      try {
        const compiled = await settlePlugins({
          compile: async (pluginSchemas) =>
            compileKql(query, { schema, now, unknownColumns: 'warn', pluginSchemas }),
          ask: rowsOf,
          columnsOf: async (question, rows) => schemaFound(question, rows),
        });
        await rowsOf(compiled.plan);
      } catch (error) {
        failed.push(`${id}: ${error instanceof Error ? error.message.slice(0, 160) : String(error)}`);
      }
    expect(failed.length / queries.length, failed.join('\n')).toBeLessThanOrEqual(0.03);
  });
});
