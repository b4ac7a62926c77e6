import type { ColumnId, ComputeItem, Once, Plan, PlanNode, Scalar, ScalarSubquery } from '../plan-node.ts';
import { columnReference } from '../scalar.ts';
import { inputsOf, mapScalars, rewritePlan, rewriteScalar, visitPlan } from '../walk-plan.ts';

// A table that a query names several times is computed once: its uses are `once` nodes of one key. A table with a single
// use is put in place of its name, so that conditions reach its scan. The engine works a scalar subquery out before all
// else and by itself; one that reads a shared table is therefore joined to the rows that read its value.

/** Takes away the `once` of tables that are used once. */
export function placeSingles(plan: Plan): Plan {
  const uses = usesOf(plan.root);
  const isSingle = (node: PlanNode): node is Once => node.kind === 'once' && (uses.get(node.key) ?? 0) < 2;
  const sources = new Map<ColumnId, ColumnId>();
  visitPlan(plan.root, (node) => {
    if (isSingle(node)) for (const { id, source } of node.columns) sources.set(id, source);
  });
  if (sources.size === 0) return plan;
  const sourceOf = (id: ColumnId): ColumnId => {
    const source = sources.get(id);
    return source === undefined ? id : sourceOf(source);
  };
  const root = rewritePlan(
    plan.root,
    (node) => (isSingle(node) ? node.input : withSources(node, sourceOf)),
    (scalar) => {
      if (scalar.kind === 'column') return { ...scalar, id: sourceOf(scalar.id) };
      if (scalar.kind === 'subquery' || scalar.kind === 'in-subquery')
        return { ...scalar, column: sourceOf(scalar.column) };
      return scalar;
    },
  );
  const columns = plan.columns.map((column) => ({ ...column, id: sourceOf(column.id) }));
  return { ...plan, root, columns };
}

function withSources(node: PlanNode, sourceOf: (id: ColumnId) => ColumnId): PlanNode {
  if (node.kind === 'once')
    return { ...node, columns: node.columns.map((one) => ({ ...one, source: sourceOf(one.source) })) };
  if (node.kind === 'match-steps')
    return { ...node, kept: node.kept.map((one) => ({ ...one, source: sourceOf(one.source) })) };
  return node;
}

function usesOf(root: PlanNode): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  visitPlan(root, (node) => {
    if (node.kind === 'once') uses.set(node.key, (uses.get(node.key) ?? 0) + 1);
  });
  return uses;
}

/** Joins scalar subqueries over shared tables to the rows below the nodes that read them. */
export function joinSharedScalars(plan: Plan): Plan {
  let nextId = plan.nextId;
  const newId = (): ColumnId => nextId++;
  const root = rewritePlan(plan.root, (node) => {
    if (node.kind !== 'filter' && node.kind !== 'compute' && node.kind !== 'aggregate') return node;
    const found: Joined[] = [];
    const above = mapScalars(node, (scalar) =>
      rewriteScalar(scalar, (part) => {
        if (part.kind !== 'subquery' || !readsShared(part.plan)) return part;
        const id = newId();
        found.push({ id, subquery: part });
        return columnReference(id, part.type);
      }),
    );
    if (found.length === 0 || !('input' in above)) return node;
    return { ...above, input: found.reduce((input, one) => joinBelow(input, one, newId), above.input) };
  });
  return nextId === plan.nextId ? plan : { ...plan, root, nextId };
}

interface Joined {
  readonly id: ColumnId;
  readonly subquery: ScalarSubquery;
}

const readsShared = (plan: PlanNode): boolean => {
  let found = false;
  visitPlan(plan, (node) => {
    if (node.kind === 'once') found = true;
  });
  return found;
};

/** Below what keeps the order of its rows, because a join does not. */
function joinBelow(node: PlanNode, joined: Joined, newId: () => ColumnId): PlanNode {
  switch (node.kind) {
    case 'filter':
    case 'compute':
    case 'sort':
    case 'limit':
    case 'window':
    case 'expand':
    case 'unique-by':
      return { ...node, input: joinBelow(node.input, joined, newId) };
    default:
      return joinOne(node, joined, newId);
  }
}

/** One row stands beside every row: the first of the subquery, or nothing when it has none. */
function joinOne(input: PlanNode, { id, subquery }: Joined, newId: () => ColumnId): PlanNode {
  const right: PlanNode = {
    kind: 'aggregate',
    input: subquery.plan,
    keys: [],
    items: [
      { id, type: subquery.type, fn: 'take_any', args: [columnReference(subquery.column, subquery.type)] },
    ],
  };
  const one = (): ComputeItem => ({ id: newId(), expression: ONE });
  const [left, other] = [one(), one()];
  const keyOf = (item: ComputeItem): Scalar => columnReference(item.id, 'long');
  return {
    kind: 'join',
    join: 'inner',
    left: { kind: 'compute', input, items: [left] },
    right: { kind: 'compute', input: right, items: [other] },
    keys: [{ left: keyOf(left), right: keyOf(other) }],
  };
}

const ONE: Scalar = { kind: 'constant', type: 'long', value: '1' };

/** Whether a table is worth keeping: it is small beside what is read for it. */
export function isReduced(node: PlanNode): boolean {
  let scans = false;
  visitPlan(node, (one) => {
    if (one.kind === 'scan') scans = true;
  });
  return scans && reduces(node);
}

const reduces = (node: PlanNode): boolean =>
  ['aggregate', 'unique-by', 'limit', 'match-steps'].includes(node.kind) || inputsOf(node).some(reduces);
