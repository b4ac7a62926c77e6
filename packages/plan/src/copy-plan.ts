import type { ColumnId, PlanNode, Scalar } from './plan-node.ts';
import { rewritePlan } from './walk-plan.ts';

interface CopiedPlan {
  readonly node: PlanNode;
  /** The id that a column of the original has in the copy. */
  readonly idOf: (id: ColumnId) => ColumnId;
}

/** The same plan with columns of its own, so that a query can hold it twice. */
export function copyPlan(node: PlanNode, newId: () => ColumnId): CopiedPlan {
  const ids = new Map<ColumnId, ColumnId>();
  const idOf = (id: ColumnId): ColumnId => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const fresh = newId();
    ids.set(id, fresh);
    return fresh;
  };
  const copied = rewritePlan(
    node,
    (one) => withIds(one, idOf),
    (scalar) => readingIds(scalar, idOf),
  );
  return { node: copied, idOf };
}

function readingIds(scalar: Scalar, idOf: (id: ColumnId) => ColumnId): Scalar {
  switch (scalar.kind) {
    case 'column':
      return { ...scalar, id: idOf(scalar.id) };
    case 'subquery':
    case 'in-subquery':
      return { ...scalar, column: idOf(scalar.column) };
    default:
      return scalar;
  }
}

function withIds(node: PlanNode, idOf: (id: ColumnId) => ColumnId): PlanNode {
  const renamed = <T extends { readonly id: ColumnId }>(one: T): T => ({ ...one, id: idOf(one.id) });
  switch (node.kind) {
    case 'scan':
      return { ...node, columns: node.columns.map(renamed) };
    case 'store-scan':
      return { ...node, columns: node.columns.map(renamed) };
    case 'values':
      return { ...node, columns: node.columns.map(renamed), ordinal: idOf(node.ordinal) };
    case 'range':
      return { ...node, column: renamed(node.column) };
    case 'compute':
      return { ...node, items: node.items.map(renamed) };
    case 'aggregate':
      return { ...node, keys: node.keys.map(renamed), items: node.items.map(renamed) };
    case 'union':
      return { ...node, columns: node.columns.map(renamed) };
    case 'expand':
      return { ...node, items: node.items.map(renamed), index: renamed(node.index) };
    case 'window':
      return { ...node, items: node.items.map(renamed) };
    case 'once':
      return {
        ...node,
        columns: node.columns.map((column) => ({ ...renamed(column), source: idOf(column.source) })),
      };
    case 'match-steps':
      return {
        ...node,
        steps: node.steps.map((step) => ({ ...step, assignments: step.assignments.map(renamed) })),
        declared: node.declared.map(renamed),
        kept: node.kept.map((column) => ({ ...renamed(column), source: idOf(column.source) })),
        matchId: renamed(node.matchId),
      };
    default:
      return node;
  }
}
