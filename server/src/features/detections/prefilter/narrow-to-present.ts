import { type Plan, rewritePlan, type ScanColumn, visitPlan, visitScalar } from '@tyrian/plan';
import type { FieldsRequest } from '../../search/fields-in-range.ts';
import type { QueryService } from '../../search/query-service.ts';
import { fieldPath, type PresentFields, presentFields, withPresentFields } from './present-fields.ts';

/** A plan that reads fewer fields runs as it is: asking which are there costs about as much as reading some. */
const FIELDS_FROM = 3;

/** The plan for a range, without the conditions on fields that no event of the range has; the same rows. */
export async function narrowToPresent(
  queries: Pick<QueryService, 'fieldsInRange'>,
  plan: Plan,
  request: FieldsRequest,
): Promise<Plan> {
  const columns = new Map<number, ScanColumn>();
  const read = new Set<string>();
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan') for (const column of node.columns) columns.set(column.id, column);
  });
  visitPlan(plan.root, (node) => {
    if (node.kind !== 'filter') return;
    visitScalar(node.predicate, (part) => {
      const path = fieldPath(part, columns);
      if (path !== null) read.add(path);
    });
  });
  if (read.size < FIELDS_FROM) return plan;
  const present = presentFields(await queries.fieldsInRange(request));
  return { ...plan, root: withFilters(plan, columns, present) };
}

const withFilters = (
  plan: Plan,
  columns: ReadonlyMap<number, ScanColumn>,
  present: PresentFields,
): Plan['root'] =>
  rewritePlan(plan.root, (node) =>
    node.kind === 'filter'
      ? { ...node, predicate: withPresentFields(node.predicate, columns, present) }
      : node,
  );
