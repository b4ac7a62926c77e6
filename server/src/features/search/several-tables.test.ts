import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { type Plan, scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

// `fork` and `facet` on a real engine: each of their tables is a plan of its own.

const schema = eventSchema([]);
let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform.close());

function compile(kql: string, several: boolean) {
  return compileKql(kql, { schema, now: new Date(), unknownColumns: 'warn', several });
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

async function tablesOf(kql: string) {
  const compiled = compile(kql, true);
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  const tables = [];
  for (const { name, plan } of compiled.tables)
    tables.push({ name, columns: plan.columns.map((column) => column.name), rows: await rowsOf(plan) });
  return tables;
}

const ROWS = 'datatable(x: long, s: string)[1, "a", 2, "b", 3, "b"]';

describe('queries that give several tables', () => {
  it('fork runs each branch on the same rows, under its name', async () => {
    expect(await tablesOf(`${ROWS} | fork high=(where x > 1 | count) (project s | take 1 | as One)`)).toEqual(
      [
        { name: 'high', columns: ['Count'], rows: [[2]] },
        { name: 'One', columns: ['s'], rows: [['a']] },
      ],
    );
  });

  it('facet gives the pipe behind with, then the counts by each column', async () => {
    const tables = await tablesOf(`${ROWS} | where x > 1 | facet by s, x with (where x > 2)`);
    expect(tables.map(({ rows: _, ...table }) => table)).toEqual([
      { name: 'with', columns: ['x', 's'] },
      { name: 's', columns: ['s', 'count_s'] },
      { name: 'x', columns: ['x', 'count_x'] },
    ]);
    expect(tables.map(({ rows }) => rows.length)).toEqual([1, 1, 2]);
    expect(tables[1]?.rows).toEqual([['b', 2]]);
  });

  it.each([
    [`${ROWS} | fork (count) (take 1)`, 'TYR135'],
    [`${ROWS} | facet by s`, 'TYR135'],
  ])('refuses by name where one table is wanted: %s', (kql, code) => {
    const compiled = compile(kql, false);
    expect(compiled.ok).toBe(false);
    expect(compiled.diagnostics.map((one) => one.code)).toEqual([code]);
  });

  it('lets nothing read on behind several tables', () => {
    const compiled = compile(`${ROWS} | facet by s | take 1`, true);
    expect(compiled.diagnostics.map((one) => one.code)).toContain('TYR136');
  });
});
