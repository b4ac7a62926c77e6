import { describe, expect, it } from 'vitest';
import type { Plan, PlanNode } from './plan-node.ts';
import { call, columnReference } from './scalar.ts';
import { slideWindows, WINDOW_COLUMN } from './slide-windows.ts';
import { validatePlan } from './validate-plan.ts';

const GRID = { from: Date.UTC(2026, 2, 4), stepMs: 60_000, count: 10, lookbackMs: 120_000 };
const SCAN: PlanNode = {
  kind: 'scan',
  stream: 'ProcessEvent',
  columns: [{ id: 0, type: 'string', source: { kind: 'column', name: 'ActorUsername' } }],
};
const user = { id: 1, expression: columnReference(0, 'string') };
const COUNT: PlanNode = {
  kind: 'aggregate',
  input: SCAN,
  keys: [user],
  items: [{ id: 2, type: 'long', fn: 'count', args: [] }],
};
const planOf = (root: PlanNode): Plan => ({
  root,
  columns: [{ id: 1, type: 'string', name: 'ActorUsername' }],
  nextId: 3,
});

describe('a plan over many windows', () => {
  it('[R-C28] counts within each window and tells which one a row belongs to', () => {
    const slid = slideWindows(planOf(COUNT), GRID);
    expect(slid?.columns.map((column) => column.name)).toEqual(['ActorUsername', WINDOW_COLUMN]);
    expect(slid?.root.kind === 'aggregate' && slid.root.keys).toHaveLength(2);
    expect(slid && validatePlan(slid)).toEqual([]);
  });

  it('[R-C28] is refused where windows cannot be told apart', () => {
    const bare: PlanNode = { ...COUNT, keys: [] };
    const asking: PlanNode = {
      kind: 'filter',
      input: COUNT,
      predicate: call('bool', 'equal', columnReference(2, 'long'), {
        kind: 'subquery',
        type: 'long',
        plan: COUNT,
        column: 2,
      }),
    };
    const written: PlanNode = { kind: 'values', columns: [{ id: 1, type: 'string' }], rows: [], ordinal: 2 };
    for (const root of [{ kind: 'limit', input: COUNT, count: 1 } as const, bare, asking, written]) {
      expect(slideWindows(planOf(root), GRID)).toBe(null);
    }
  });

  it('[R-C28] leaves rows that are written in the query as they are', () => {
    const written: PlanNode = {
      kind: 'values',
      columns: [{ id: 3, type: 'string' }],
      rows: [['root']],
      ordinal: 4,
    };
    const keys = [{ left: columnReference(1, 'string'), right: columnReference(3, 'string') }];
    const joined: PlanNode = { kind: 'join', join: 'leftanti', left: COUNT, right: written, keys };
    const slid = slideWindows({ ...planOf(joined), nextId: 5 }, GRID);
    expect(slid?.root).toMatchObject({ kind: 'join', keys, right: written });
    const other = slideWindows({ ...planOf({ ...joined, join: 'rightouter' } as PlanNode), nextId: 5 }, GRID);
    expect(other).toBe(null);
  });
});
