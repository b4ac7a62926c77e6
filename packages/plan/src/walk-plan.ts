import type { ColumnId, ComputeItem, MatchSteps, PlanNode, Scalar } from './plan-node.ts';

/** The plans directly below a node. */
export function inputsOf(node: PlanNode): readonly PlanNode[] {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'values':
    case 'range':
      return [];
    case 'join':
      return [node.left, node.right];
    case 'union':
      return node.branches.map((branch) => branch.input);
    default:
      return [node.input];
  }
}

/** The scalar expressions that a node itself holds. */
export function scalarsOf(node: PlanNode): readonly Scalar[] {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'values':
    case 'limit':
    case 'once':
      return [];
    case 'range':
      return [node.from, node.to, node.step];
    case 'filter':
      return [node.predicate];
    case 'compute':
      return node.items.map((item) => item.expression);
    case 'aggregate':
      return [...node.keys.map((key) => key.expression), ...node.items.flatMap((item) => item.args)];
    case 'sort':
      return node.keys.map((key) => key.expression);
    case 'unique-by':
      return node.keys;
    case 'join':
      return node.keys.flatMap((key) => [key.left, key.right]);
    case 'union':
      return node.branches.flatMap((branch) => branch.columns);
    case 'expand':
      return node.items.map((item) => item.source);
    case 'window':
      return [...(node.partition ?? []), ...node.items.flatMap((item) => item.args)];
    case 'match-steps':
      return [
        ...(node.partition ?? []),
        ...node.steps.flatMap((step) => [step.condition, ...step.assignments.map((item) => item.expression)]),
        ...node.declared.map((item) => item.expression),
      ];
  }
}

/** Replaces the inputs of a node by `change(input)`. */
function mapInputs(node: PlanNode, change: (input: PlanNode) => PlanNode): PlanNode {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'values':
    case 'range':
      return node;
    case 'join':
      return { ...node, left: change(node.left), right: change(node.right) };
    case 'union':
      return {
        ...node,
        branches: node.branches.map((branch) => ({ ...branch, input: change(branch.input) })),
      };
    default:
      return { ...node, input: change(node.input) };
  }
}

/** Replaces the scalar expressions of a node (not of its inputs) by `change(expression)`. */
export function mapScalars(node: PlanNode, change: (scalar: Scalar) => Scalar): PlanNode {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'values':
    case 'limit':
    case 'once':
      return node;
    case 'range':
      return { ...node, from: change(node.from), to: change(node.to), step: change(node.step) };
    case 'filter':
      return { ...node, predicate: change(node.predicate) };
    case 'compute':
      return { ...node, items: node.items.map((it) => ({ ...it, expression: change(it.expression) })) };
    case 'aggregate':
      return {
        ...node,
        keys: node.keys.map((key) => ({ ...key, expression: change(key.expression) })),
        items: node.items.map((item) => ({ ...item, args: item.args.map(change) })),
      };
    case 'sort':
      return { ...node, keys: node.keys.map((key) => ({ ...key, expression: change(key.expression) })) };
    case 'unique-by':
      return { ...node, keys: node.keys.map(change) };
    case 'join':
      return {
        ...node,
        keys: node.keys.map((key) => ({ ...key, left: change(key.left), right: change(key.right) })),
      };
    case 'union':
      return {
        ...node,
        branches: node.branches.map((branch) => ({ ...branch, columns: branch.columns.map(change) })),
      };
    case 'expand':
      return { ...node, items: node.items.map((item) => ({ ...item, source: change(item.source) })) };
    case 'window':
      return {
        ...node,
        ...(node.partition ? { partition: node.partition.map(change) } : {}),
        items: node.items.map((item) => ({ ...item, args: item.args.map(change) })),
      };
    case 'match-steps':
      return mapSteps(node, change);
  }
}

function mapSteps(node: MatchSteps, change: (scalar: Scalar) => Scalar): MatchSteps {
  const changed = (item: ComputeItem): ComputeItem => ({ ...item, expression: change(item.expression) });
  return {
    ...node,
    ...(node.partition ? { partition: node.partition.map(change) } : {}),
    steps: node.steps.map((step) => ({
      ...step,
      condition: change(step.condition),
      assignments: step.assignments.map(changed),
    })),
    declared: node.declared.map(changed),
  };
}

/** Rebuilds an expression bottom up: `change` sees each part after its own parts were changed. */
export function rewriteScalar(
  scalar: Scalar,
  change: (scalar: Scalar) => Scalar,
  changePlan: (plan: PlanNode) => PlanNode = (plan) => plan,
): Scalar {
  switch (scalar.kind) {
    case 'constant':
    case 'column':
      return change(scalar);
    case 'call':
      return change({
        ...scalar,
        args: scalar.args.map((arg) => rewriteScalar(arg, change, changePlan)),
      });
    case 'subquery':
      return change({ ...scalar, plan: changePlan(scalar.plan) });
    case 'in-subquery':
      return change({
        ...scalar,
        needle: rewriteScalar(scalar.needle, change, changePlan),
        plan: changePlan(scalar.plan),
      });
  }
}

/** Rebuilds a whole plan bottom up, plans inside expressions included. */
export function rewritePlan(
  node: PlanNode,
  changeNode: (node: PlanNode) => PlanNode,
  changeScalar: (scalar: Scalar) => Scalar = (scalar) => scalar,
): PlanNode {
  const changePlan = (plan: PlanNode): PlanNode => rewritePlan(plan, changeNode, changeScalar);
  const below = mapInputs(node, changePlan);
  return changeNode(mapScalars(below, (scalar) => rewriteScalar(scalar, changeScalar, changePlan)));
}

/** Calls `visit` for an expression and all its parts; plans inside are not entered. */
export function visitScalar(scalar: Scalar, visit: (scalar: Scalar) => void): void {
  visit(scalar);
  if (scalar.kind === 'call') for (const arg of scalar.args) visitScalar(arg, visit);
  if (scalar.kind === 'in-subquery') visitScalar(scalar.needle, visit);
}

/** Calls `visit` for every node of a plan, plans inside expressions included. */
export function visitPlan(node: PlanNode, visit: (node: PlanNode) => void): void {
  visit(node);
  for (const input of inputsOf(node)) visitPlan(input, visit);
  for (const scalar of scalarsOf(node))
    visitScalar(scalar, (part) => {
      if (part.kind === 'subquery' || part.kind === 'in-subquery') visitPlan(part.plan, visit);
    });
}

/** The columns that an expression reads. */
export function columnsReadBy(scalar: Scalar): ReadonlySet<ColumnId> {
  const ids = new Set<ColumnId>();
  visitScalar(scalar, (part) => {
    if (part.kind === 'column') ids.add(part.id);
  });
  return ids;
}
