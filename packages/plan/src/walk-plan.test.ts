import { describe, expect, it } from 'vitest';
import { copyPlan } from './copy-plan.ts';
import { outputsOf } from './outputs-of.ts';
import type { PlanNode, Scalar } from './plan-node.ts';
import { constant } from './scalar.ts';
import { SAMPLE_PLANS } from './testing/sample-plans.ts';
import { validatePlan } from './validate-plan.ts';
import { inputsOf, mapScalars, rewritePlan, scalarsOf, visitPlan } from './walk-plan.ts';

// A walk that forgets a place of a node forgets what stands there: a tenant, a constant, a column that is read. So the
// walks are held against the plain data itself.

const SCALARS = new Set(['constant', 'column', 'call', 'subquery', 'in-subquery']);
const NODES = new Set(
  [...SAMPLE_PLANS.values()].flatMap(({ root }) => {
    const kinds: string[] = [];
    visitPlan(root, (node) => kinds.push(node.kind));
    return kinds;
  }),
);

/** The outermost objects of some kinds inside plain data. */
function inData(value: unknown, isWanted: (kind: string, key: string) => boolean, key = ''): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const kind = 'kind' in value ? String(value.kind) : '';
  if (isWanted(kind, key)) return [value];
  return Object.entries(value).flatMap(([name, part]) => inData(part, isWanted, name));
}

const isScalar = (kind: string, key: string): boolean => SCALARS.has(kind) && key !== 'source';
/** The source of a scan is data that looks like an expression; that of an expand is one. */
const scalarsInData = (node: PlanNode): unknown[] =>
  node.kind === 'expand'
    ? node.items.map(({ source }) => source)
    : Object.entries(node).flatMap(([key, part]) =>
        ['input', 'left', 'right'].includes(key) ? [] : branchless(node, key, part),
      );
const branchless = (node: PlanNode, key: string, part: unknown): unknown[] =>
  node.kind === 'union' && key === 'branches'
    ? node.branches.flatMap(({ columns }) => inData(columns, isScalar))
    : inData(part, isScalar, key);

const every = [...SAMPLE_PLANS].map(([name, plan]) => ({ name, plan }));

describe.each(every)('a walk over $name', ({ plan }) => {
  it('meets every expression that the node holds, and changes each', () => {
    const own = scalarsInData(plan.root);
    expect(scalarsOf(plan.root)).toHaveLength(own.length);
    expect(new Set(scalarsOf(plan.root))).toEqual(new Set(own));
    const mark = constant('string', 'mark');
    const changed = mapScalars(plan.root, () => mark);
    expect(scalarsInData(changed)).toEqual(own.map(() => mark));
    expect(mapScalars(plan.root, (scalar) => scalar)).toEqual(plan.root);
  });

  it('meets every plan below the node', () => {
    const below = Object.entries(plan.root).flatMap(([key, part]) =>
      scalarsOf(plan.root).includes(part as Scalar) || key === 'predicate'
        ? []
        : inData(part, (kind) => NODES.has(kind)),
    );
    expect(new Set(inputsOf(plan.root))).toEqual(new Set(below));
  });

  it('leaves the plan as it is when nothing is changed, and never writes into it', () => {
    const before = JSON.stringify(plan.root);
    const frozen = JSON.parse(before, (_, value: unknown) => Object.freeze(value)) as PlanNode;
    expect(rewritePlan(frozen, (node) => node)).toEqual(plan.root);
    expect(JSON.stringify(frozen)).toBe(before);
  });

  it('copies into columns that are all new, and read only each other', () => {
    let next = 1000;
    const copy = copyPlan(plan.root, () => next++);
    const ids = idsIn(copy.node);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => id < 1000)).toEqual([]);
    expect(idsIn(plan.root)).toHaveLength(ids.length);
    const shown = plan.columns.map((column) => ({ ...column, id: copy.idOf(column.id) }));
    expect(validatePlan({ root: copy.node, columns: shown, nextId: next })).toEqual([]);
    expect(outputsOf(copy.node).map(({ type }) => type)).toEqual(
      outputsOf(plan.root).map(({ type }) => type),
    );
  });
});

/** Every number that names a column, wherever it stands. */
function idsIn(value: unknown, key = ''): number[] {
  if (typeof value === 'number') return ['id', 'ordinal', 'source', 'column'].includes(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => idsIn(part, name));
}

it('the samples are sound plans', () => {
  for (const [name, plan] of SAMPLE_PLANS) expect(validatePlan(plan), name).toEqual([]);
  expect(SAMPLE_PLANS.size).toBeGreaterThan(15);
});
