import { type ColumnId, columnsReadBy, type Plan, type PlanNode, type Scalar, visitPlan } from '@tyrian/plan';

const COMPARES = new Set(['less', 'less_or_equal', 'greater', 'greater_or_equal', 'equal']);

/** Whether a condition of the query, in its outermost conjunction, limits the TimeGenerated of a stored table. */
export function filtersTime(plan: Plan): boolean {
  const times = new Set<ColumnId>();
  let found = false;
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan')
      for (const column of node.columns)
        if (column.source.kind === 'column' && column.source.name === 'TimeGenerated') times.add(column.id);
  });
  visitPlan(plan.root, (node: PlanNode) => {
    if (node.kind === 'filter' && conjuncts(node.predicate).some((part) => limits(part, times))) found = true;
  });
  return found;
}

const conjuncts = (scalar: Scalar): readonly Scalar[] =>
  scalar.kind === 'call' && scalar.fn === 'and' ? scalar.args.flatMap(conjuncts) : [scalar];

function limits(scalar: Scalar, times: ReadonlySet<ColumnId>): boolean {
  if (scalar.kind !== 'call' || !COMPARES.has(scalar.fn)) return false;
  return [...columnsReadBy(scalar)].some((id) => times.has(id));
}
