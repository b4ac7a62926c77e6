import type { ColumnId, Plan, PlanNode, Scalar } from '../plan-node.ts';
import { mapScalars, rewritePlan, rewriteScalar, scalarsOf, visitPlan, visitScalar } from '../walk-plan.ts';

/** The columns that the uses of shared tables read, by key and place. */
type SharedReads = Map<number, Set<number>>;

/**
 * Removes every column that nothing above it reads. Of a shared table stays what any of its uses reads; as a table can
 * be named within those that come after it, and have greater keys, the greatest is settled first.
 */
export function pruneColumns(plan: Plan): Plan {
  const reads: SharedReads = new Map();
  let root = prune(plan.root, new Set(plan.columns.map((column) => column.id)), reads);
  for (const key of [...keysOf(root)].sort((one, other) => other - one)) {
    const positions = reads.get(key) ?? new Set();
    root = rewritePlan(root, (node) => {
      if (node.kind !== 'once' || node.key !== key) return node;
      const columns = node.columns.filter((_, position) => positions.has(position));
      const sources = new Set(columns.map((column) => column.source));
      return { ...node, columns, input: prune(node.input, sources, reads) };
    });
  }
  return { ...plan, root };
}

function keysOf(root: PlanNode): ReadonlySet<number> {
  const keys = new Set<number>();
  visitPlan(root, (node) => {
    if (node.kind === 'once') keys.add(node.key);
  });
  return keys;
}

function prune(node: PlanNode, required: ReadonlySet<ColumnId>, reads: SharedReads): PlanNode {
  const kept = pruneOwn(node, required);
  const below = new Set(required);
  for (const scalar of scalarsOf(kept)) addReads(scalar, below);
  if (kept.kind === 'match-steps') for (const { source } of kept.kept) below.add(source);
  const entered = mapScalars(kept, (scalar) => pruneInside(scalar, reads));
  switch (entered.kind) {
    case 'scan':
    case 'store-scan':
    case 'values':
    case 'range':
      return entered;
    case 'once': {
      const positions = reads.get(entered.key) ?? new Set();
      entered.columns.forEach(({ id }, position) => {
        if (required.has(id)) positions.add(position);
      });
      reads.set(entered.key, positions);
      return entered;
    }
    case 'join':
      return {
        ...entered,
        left: prune(entered.left, below, reads),
        right: prune(entered.right, below, reads),
      };
    case 'union':
      return {
        ...entered,
        branches: entered.branches.map((branch) => {
          const own = new Set<ColumnId>();
          for (const scalar of branch.columns) addReads(scalar, own);
          return { ...branch, input: prune(branch.input, own, reads) };
        }),
      };
    default:
      return { ...entered, input: prune(entered.input, below, reads) };
  }
}

function addReads(scalar: Scalar, into: Set<ColumnId>): void {
  visitScalar(scalar, (part) => {
    if (part.kind === 'column') into.add(part.id);
  });
}

/** Plans inside an expression need one column only. */
function pruneInside(scalar: Scalar, reads: SharedReads): Scalar {
  return rewriteScalar(scalar, (part) =>
    part.kind === 'subquery' || part.kind === 'in-subquery'
      ? { ...part, plan: prune(part.plan, new Set([part.column]), reads) }
      : part,
  );
}

function pruneOwn(node: PlanNode, required: ReadonlySet<ColumnId>): PlanNode {
  const isRead = (column: { readonly id: ColumnId }): boolean => required.has(column.id);
  switch (node.kind) {
    case 'scan':
      return { ...node, columns: node.columns.filter(isRead) };
    case 'store-scan':
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
