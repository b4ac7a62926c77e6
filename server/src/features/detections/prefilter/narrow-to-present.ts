import {
  type Plan,
  rewritePlan,
  type ScanColumn,
  type ValuePath,
  visitPlan,
  visitScalar,
} from '@tyrian/plan';
import type { FieldsRequest } from '../../search/fields-in-range.ts';
import type { QueryService } from '../../search/query-service.ts';
import { fieldPath, type PresentFields, presentFields, withPresentFields } from './present-fields.ts';

/** A plan that reads fewer fields runs as it is: asking which are there costs about as much as reading some. */
const FIELDS_FROM = 3;

export interface NarrowedPlan {
  readonly plan: Plan;
  /** The paths of all values in the range, where they were asked for. */
  readonly values?: readonly ValuePath[];
}

/** The plan for a range, without the conditions on fields that no event of the range has; the same rows. */
export async function narrowToPresent(
  queries: Pick<QueryService, 'fieldsInRange'>,
  plan: Plan,
  request: FieldsRequest,
): Promise<NarrowedPlan> {
  const columns = scanColumnsOf(plan);
  const read = new Set<string>();
  visitPlan(plan.root, (node) => {
    if (node.kind !== 'filter') return;
    visitScalar(node.predicate, (part) => {
      const path = fieldPath(part, columns);
      if (path !== null) read.add(path);
    });
  });
  if (read.size < FIELDS_FROM) return { plan };
  const values = await queries.fieldsInRange(request);
  return { plan: { ...plan, root: withPresentFilters(plan, presentFields(values)) }, values };
}

/** The plan with its filters as far as they are about fields that events have; the same rows. */
export function withPresentFilters(plan: Plan, present: PresentFields): Plan['root'] {
  const columns = scanColumnsOf(plan);
  return rewritePlan(plan.root, (node) =>
    node.kind === 'filter'
      ? { ...node, predicate: withPresentFields(node.predicate, columns, present) }
      : node,
  );
}

function scanColumnsOf(plan: Plan): ReadonlyMap<number, ScanColumn> {
  const columns = new Map<number, ScanColumn>();
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan') for (const column of node.columns) columns.set(column.id, column);
  });
  return columns;
}
