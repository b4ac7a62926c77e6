import { DEFAULT_ROW_LIMIT, GROUPED_ROW_LIMIT, MAX_ROW_LIMIT } from '@tyrian/contract';
import type { Plan, PlanNode } from '@tyrian/plan';

/**
 * Rows that a search keeps when its caller names no number: as many as the query takes itself, all that a grouping is
 * likely to give, and the first ones of anything else.
 */
export function rowsToKeep(plan: Plan): number {
  const asked = rowsAsked(plan.root);
  return Math.max(DEFAULT_ROW_LIMIT, Math.min(MAX_ROW_LIMIT, asked));
}

function rowsAsked(node: PlanNode): number {
  switch (node.kind) {
    case 'limit':
      return node.count;
    case 'aggregate':
    case 'unique-by':
    case 'values':
    case 'range':
      return GROUPED_ROW_LIMIT;
    case 'union':
      return Math.max(0, ...node.branches.map((branch) => rowsAsked(branch.input)));
    case 'join':
      return rowsAsked(node.left);
    case 'scan':
    case 'store-scan':
      return 0;
    default:
      return rowsAsked(node.input);
  }
}
