import { type ColumnId, columnsReadBy, type Plan, type PlanNode, type Scalar, visitPlan } from '@tyrian/plan';

const COMPARES = new Set(['less', 'less_or_equal', 'greater', 'greater_or_equal', 'equal']);

/** Whether a condition of the query, in its outermost conjunction, limits the TimeGenerated of a stored table. */
export function filtersTime(plan: Plan): boolean {
  const times = new Set<ColumnId>();
  const sources = new Map<ColumnId, ColumnId>();
  let found = false;
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan')
      for (const column of node.columns)
        if (column.source.kind === 'column' && column.source.name === 'TimeGenerated') times.add(column.id);
    if (node.kind === 'once') for (const { id, source } of node.columns) sources.set(id, source);
  });
  // A table that is computed once has the time under an id of its own; one may be named within another.
  for (const id of sources.keys()) if (times.has(sourceOf(id, sources))) times.add(id);
  visitPlan(plan.root, (node: PlanNode) => {
    if (node.kind === 'filter' && conjuncts(node.predicate).some((part) => limits(part, times))) found = true;
  });
  return found;
}

function sourceOf(id: ColumnId, sources: ReadonlyMap<ColumnId, ColumnId>): ColumnId {
  const source = sources.get(id);
  return source === undefined ? id : sourceOf(source, sources);
}

const conjuncts = (scalar: Scalar): readonly Scalar[] =>
  scalar.kind === 'call' && scalar.fn === 'and' ? scalar.args.flatMap(conjuncts) : [scalar];

function limits(scalar: Scalar, times: ReadonlySet<ColumnId>): boolean {
  if (scalar.kind !== 'call' || !COMPARES.has(scalar.fn)) return false;
  return [...columnsReadBy(scalar)].some((id) => times.has(id));
}
