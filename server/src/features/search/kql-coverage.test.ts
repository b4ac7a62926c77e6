import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema, kqlCoverage, SAMPLE_REACH } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

// Every documented name of the language is called once: it runs on the engine, or it is refused by name.

const schema = eventSchema([]);
const now = new Date('2024-01-01T00:00:00Z');
const lines = kqlCoverage();
let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await platform.eventStore.prepareCountries();
});
afterAll(() => platform?.close());

async function run(sample: string): Promise<void> {
  const compiled = compileKql(sample, {
    schema,
    now,
    unknownColumns: 'error',
    several: true,
    reach: SAMPLE_REACH,
  });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const scopes = ['s1'];
  const plan = scopeToTenant(compiled.plan, { database: `tenant_${clusterId}`, scopes });
  const { sql, params, settings, columns } = printQuery(plan);
  const { rows } = await platform.eventStore.rows(clusterId, { sql, params, settings, scopes });
  for (const row of rows) decodeRow(columns, row);
}

describe('documented names', () => {
  it('[C060] works on the engine wherever it compiles', { timeout: 300_000 }, async () => {
    const failed: string[] = [];
    for (const { name, kind, status, sample } of lines)
      if (status !== 'refused')
        await run(sample).catch((error: Error) =>
          failed.push(`${kind} ${name}: ${error.message.slice(0, 160)}`),
        );
    expect(failed).toEqual([]);
  });

  it('[C060] is refused by name otherwise', () => {
    const nameless = lines.filter(
      ({ name, kind, status, remark }) =>
        status === 'refused' &&
        kind !== 'operator' &&
        !remark.includes(name) &&
        !/tdigest|hll|graph|macro/.test(remark),
    );
    expect(nameless.map(({ name, remark }) => `${name}: ${remark}`)).toEqual([]);
  });
});
