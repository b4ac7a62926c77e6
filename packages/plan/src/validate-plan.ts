import { outputsOf } from './outputs-of.ts';
import type { ColumnId, Plan, PlanNode } from './plan-node.ts';
import { columnsReadBy, inputsOf, scalarsOf, visitScalar } from './walk-plan.ts';

/** What is wrong with a plan, as sentences; empty when it is sound. Run after every pass in tests. */
export function validatePlan(plan: Plan): readonly string[] {
  const faults: string[] = [];
  validateTree(plan.root, faults);
  const outputs = new Set(outputsOf(plan.root).map((column) => column.id));
  for (const column of plan.columns)
    if (!outputs.has(column.id)) faults.push(`the result names column ${column.id}, which does not exist`);
  return faults;
}

/** A plan inside an expression sees nothing of the plan around it: one scalar may be used, and its plan held, twice. */
function validateTree(root: PlanNode, faults: string[]): void {
  const made = new Set<ColumnId>();
  const inside = new Set<PlanNode>();
  const visit = (node: PlanNode): void => {
    for (const id of idsMadeBy(node)) {
      if (made.has(id)) faults.push(`column ${id} is made twice`);
      made.add(id);
    }
    const visible = new Set(visibleTo(node));
    for (const scalar of scalarsOf(node)) {
      for (const id of columnsReadBy(scalar))
        if (!visible.has(id)) faults.push(`${node.kind} reads column ${id}, which its input does not have`);
      visitScalar(scalar, (part) => {
        if (part.kind === 'subquery' || part.kind === 'in-subquery') inside.add(part.plan);
      });
    }
    for (const input of inputsOf(node)) visit(input);
  };
  visit(root);
  for (const plan of inside) validateTree(plan, faults);
}

function visibleTo(node: PlanNode): readonly ColumnId[] {
  const below = inputsOf(node).flatMap((input) => outputsOf(input).map((column) => column.id));
  return node.kind === 'match-steps' ? [...below, ...node.kept.map((column) => column.id)] : below;
}

function idsMadeBy(node: PlanNode): readonly ColumnId[] {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'union':
    case 'once':
      return node.columns.map((column) => column.id);
    case 'values':
      return [...node.columns.map((column) => column.id), node.ordinal];
    case 'range':
      return [node.column.id];
    case 'compute':
    case 'window':
      return node.items.map((item) => item.id);
    case 'aggregate':
      return [...node.keys, ...node.items].map((item) => item.id);
    case 'expand':
      return [...node.items.map((item) => item.id), node.index.id];
    case 'match-steps':
      return [...node.declared, ...node.kept, node.matchId].map((column) => column.id);
    default:
      return [];
  }
}
