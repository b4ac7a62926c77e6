import type { Plan } from '../plan-node.ts';

/** Stops the result after `maxRows` rows. */
export function capRows(plan: Plan, maxRows: number): Plan {
  if (plan.root.kind === 'limit' && plan.root.count <= maxRows) return plan;
  return { ...plan, root: { kind: 'limit', input: plan.root, count: maxRows } };
}
