import type { ColumnId, Plan, PlanNode, Scalar } from '../plan-node.ts';
import { mapScalars, rewriteScalar, scalarsOf, visitScalar } from '../walk-plan.ts';

/** Removes every column that nothing above it reads. */
export function pruneColumns(plan: Plan): Plan {
  const required = new Set(plan.columns.map((column) => column.id));
  return { ...plan, root: prune(plan.root, required) };
}

function prune(node: PlanNode, required: ReadonlySet<ColumnId>): PlanNode {
  const kept = pruneOwn(node, required);
  const below = new Set(required);
  for (const scalar of scalarsOf(kept)) addReads(scalar, below);
  if (kept.kind === 'match-steps') for (const { source } of kept.kept) below.add(source);
  const entered = mapScalars(kept, pruneInside);
  switch (entered.kind) {
    case 'scan':
    case 'values':
    case 'range':
      return entered;
    case 'join':
      return { ...entered, left: prune(entered.left, below), right: prune(entered.right, below) };
    case 'union':
      return {
        ...entered,
        branches: entered.branches.map((branch) => {
          const reads = new Set<ColumnId>();
          for (const scalar of branch.columns) addReads(scalar, reads);
          return { ...branch, input: prune(branch.input, reads) };
        }),
      };
    default:
      return { ...entered, input: prune(entered.input, below) };
  }
}

function addReads(scalar: Scalar, into: Set<ColumnId>): void {
  visitScalar(scalar, (part) => {
    if (part.kind === 'column') into.add(part.id);
  });
}

/** Plans inside an expression need one column only. */
function pruneInside(scalar: Scalar): Scalar {
  return rewriteScalar(scalar, (part) =>
    part.kind === 'subquery' || part.kind === 'in-subquery'
      ? { ...part, plan: prune(part.plan, new Set([part.column])) }
      : part,
  );
}

function pruneOwn(node: PlanNode, required: ReadonlySet<ColumnId>): PlanNode {
  const isRead = (column: { readonly id: ColumnId }): boolean => required.has(column.id);
  switch (node.kind) {
    case 'scan':
      return { ...node, columns: node.columns.filter(isRead) };
    case 'values': {
      const keep = node.columns.map(isRead);
      return {
        ...node,
        columns: node.columns.filter((_, index) => keep[index]),
        rows: node.rows.map((row) => row.filter((_, index) => keep[index])),
      };
    }
    case 'compute':
      return { ...node, items: node.items.filter(isRead) };
    case 'aggregate':
      return { ...node, items: node.items.filter(isRead) };
    case 'window':
      return { ...node, items: node.items.filter(isRead) };
    case 'union': {
      const keep = node.columns.map(isRead);
      return {
        ...node,
        columns: node.columns.filter((_, index) => keep[index]),
        branches: node.branches.map((branch) => ({
          ...branch,
          columns: branch.columns.filter((_, index) => keep[index]),
        })),
      };
    }
    default:
      return node;
  }
}
