import { call, columnReference, type Plan, type PlanNode, type Scan, scopeToTenant } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { printQuery } from '../print-query.ts';

// When a scan says that its events came in after the beginning of its range.

const SCAN: Scan = {
  kind: 'scan',
  stream: 'Dns',
  columns: [{ id: 2, type: 'string', source: { kind: 'column', name: 'DnsQuery' } }],
};
const QUERY = columnReference(2, 'string');
const FILTERED: PlanNode = { kind: 'filter', input: SCAN, predicate: call('bool', 'isnotempty', QUERY) };
const COUNT = { id: 21, type: 'long', fn: 'count', args: [] } as const;
const DISTINCT = { id: 21, type: 'long', fn: 'dcount', args: [QUERY] } as const;
const KEY = { id: 20, expression: QUERY };

function isHinted(root: PlanNode): boolean {
  const timeRange = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) };
  const plan: Plan = { root, columns: [{ id: 21, name: 'n', type: 'long' }], nextId: 100 };
  const { sql } = printQuery(scopeToTenant(plan, { database: 'tenant_t', scopes: ['main'], timeRange }));
  expect(sql).toContain('`TimeGenerated` >=');
  return sql.includes('indexHint(');
}

describe('the bound on arrival', () => {
  it('[T-asking] is left out below a bare count, which the engine then takes from the sort key', () => {
    expect(isHinted({ kind: 'aggregate', input: SCAN, keys: [], items: [COUNT] })).toBe(false);
  });

  it.each<[string, PlanNode]>([
    ['a count with a filter', { kind: 'aggregate', input: FILTERED, keys: [], items: [COUNT] }],
    ['a count by a key', { kind: 'aggregate', input: SCAN, keys: [KEY], items: [COUNT] }],
    ['another aggregation', { kind: 'aggregate', input: SCAN, keys: [], items: [DISTINCT] }],
  ])('[R-E12] stands in %s', (_, root) => {
    expect(isHinted(root)).toBe(true);
  });
});
