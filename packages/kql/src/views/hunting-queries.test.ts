import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';
import { kusto, kustoItems } from '../kusto.ts';
import { kqlTypeOf } from '../syntax.ts';
import { schemaInReach } from './schema-in-reach.ts';

// Real hunting queries, when the corpus lies beside the checkout: they compile, and their columns are those that the
// language service works out for the same tables. Plug-ins whose columns come from the data are left out of that.

interface HuntingQuery {
  readonly id: string;
  readonly query: string;
  readonly skip?: boolean;
  readonly needs?: unknown;
  readonly dup_of?: string;
}

const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/kql-wild.jsonl');
const queries: HuntingQuery[] = fs.existsSync(corpus)
  ? fs
      .readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HuntingQuery)
      .filter((one) => !one.skip && one.needs === undefined && one.dup_of === undefined)
  : [];
const schema = eventSchema([]);
const now = new Date('2026-01-01T00:00:00Z');

function boundColumns(query: string): string[] {
  const { globals } = schemaInReach(query, schema);
  const { ResultType } = kusto.KustoCode.ParseAndAnalyze(query, globals);
  return kustoItems(ResultType?.Columns).map(({ Name, Type }) => `${Name}: ${kqlTypeOf(Type) ?? 'dynamic'}`);
}

describe.skipIf(queries.length === 0)('hunting queries', () => {
  it('[T-wild-kql] 97 of 100 compile, with the columns of the language service', { timeout: 240_000 }, () => {
    const failed: string[] = [];
    for (const { id, query } of queries) {
      const result = compileKql(query, { schema, now, unknownColumns: 'warn' });
      if (!result.ok) {
        failed.push(`${id}: ${result.diagnostics.find((one) => one.severity === 'error')?.message}`);
        continue;
      }
      if (/\bevaluate\b/.test(query)) continue;
      const wanted = boundColumns(query);
      const got = result.columns.map(({ name, type }) => `${name}: ${type}`);
      if (JSON.stringify(got) !== JSON.stringify(wanted))
        failed.push(
          `${id}: ${got.filter((one) => !wanted.includes(one)).slice(0, 3)} instead of ${wanted.filter((one) => !got.includes(one)).slice(0, 3)}`,
        );
    }
    expect(failed.length / queries.length, failed.join('\n')).toBeLessThanOrEqual(0.03);
  });
});
