import {
  type ColumnId,
  columnReference,
  type Limit,
  type Plan,
  type PlanNode,
  type Sort,
  scalarsOf,
  visitScalar,
} from '@tyrian/plan';
import { columnNamed } from './event-part.ts';

// A query that only filters and computes is answered newest first, and its range can be read backwards in parts:
// the newest rows come at once, and reading stops as soon as there are enough. What sorts, groups, limits and
// then filters, or looks into other tables is left as it was written.

export interface NewestFirst {
  /** The plan with its rows sorted newest first and without its limit. */
  readonly plan: Plan;
  /** Rows that the query itself asks for; null without a limit. */
  readonly limit: number | null;
  /** Whether an event of its tables may be none of its rows. */
  readonly isFiltered: boolean;
  /** Reads every event of its tables; null where a table is itself a part of one. */
  readonly tables: Plan | null;
}

/** The plan to run in steps, or null when its answer depends on the whole range at once. */
export function newestFirstOf(plan: Plan): NewestFirst | null {
  const chain: PlanNode[] = [];
  let limit: number | null = null;
  let node = plan.root;
  let isLimited = false;
  while (node.kind === 'filter' || node.kind === 'compute' || node.kind === 'sort' || node.kind === 'limit') {
    if (readsOtherTables(node)) return null;
    if (node.kind === 'limit') limit = Math.min(limit ?? node.count, node.count);
    else if (node.kind === 'sort') {
      if (!isByTimeDescending(node)) return null;
    } else chain.push(node);
    // A filter above a limit sees only the rows that the limit let through.
    if (node.kind === 'filter') isLimited = true;
    if (node.kind === 'limit' && isLimited) return null;
    node = node.input;
  }
  if (!isPlainTable(node)) return null;
  const timeColumn = columnNamed(node, 'TimeGenerated');
  if (timeColumn === null) return null;
  const base = chain.reduceRight<PlanNode>((input, above) => ({ ...above, input }) as PlanNode, node);
  return {
    plan: { ...plan, root: sortedByTime(base, timeColumn) },
    limit,
    isFiltered: filters(base),
    tables: filters(node) ? null : { ...plan, root: node, columns: [] },
  };
}

/** The same for a query as it is written: where it takes the newest rows itself, as `top 10 by TimeGenerated` does. */
export function newestTopOf(plan: Plan): NewestFirst | null {
  let node = plan.root;
  while (node.kind === 'compute') node = node.input;
  return node.kind === 'limit' && node.input.kind === 'sort' ? newestFirstOf(plan) : null;
}

/**
 * The plan with its events sorted newest first below its limit, when it neither sorts nor groups; else as it is.
 */
export function sortedNewestFirst(plan: Plan): Plan {
  const limits: Limit[] = [];
  let node = plan.root;
  while (node.kind === 'limit') {
    limits.push(node);
    node = node.input;
  }
  for (let below: PlanNode = node; ; ) {
    if (below.kind === 'scan' || below.kind === 'union') break;
    if (below.kind !== 'filter' && below.kind !== 'compute') return plan;
    below = below.input;
  }
  const timeColumn = columnNamed(node, 'TimeGenerated');
  if (timeColumn === null) return plan;
  const root = limits.reduceRight<PlanNode>(
    (input, limit) => ({ ...limit, input }),
    sortedByTime(node, timeColumn),
  );
  return { ...plan, root };
}

function sortedByTime(input: PlanNode, timeColumn: ColumnId): Sort {
  return {
    kind: 'sort',
    input,
    keys: [{ expression: columnReference(timeColumn, 'datetime'), descending: true, nullsFirst: false }],
  };
}

function isByTimeDescending(sort: Sort): boolean {
  const [key] = sort.keys;
  const timeColumn = columnNamed(sort.input, 'TimeGenerated');
  return (
    sort.keys.length === 1 &&
    key?.descending === true &&
    key.expression.kind === 'column' &&
    key.expression.id === timeColumn
  );
}

function filters(node: PlanNode): boolean {
  if (node.kind === 'filter') return true;
  if (node.kind === 'compute') return filters(node.input);
  return node.kind === 'union' && node.branches.some(({ input }) => filters(input));
}

function isPlainTable(node: PlanNode): boolean {
  if (node.kind === 'scan') return true;
  if (node.kind !== 'union') return false;
  return node.branches.every(({ input, columns }) => {
    if (columns.some(holdsSubquery)) return false;
    let below = input;
    while (below.kind === 'filter' || below.kind === 'compute') {
      if (readsOtherTables(below)) return false;
      below = below.input;
    }
    return isPlainTable(below);
  });
}

function readsOtherTables(node: PlanNode): boolean {
  return scalarsOf(node).some(holdsSubquery);
}

function holdsSubquery(scalar: Parameters<typeof visitScalar>[0]): boolean {
  let found = false;
  visitScalar(scalar, (part) => {
    if (part.kind === 'subquery' || part.kind === 'in-subquery') found = true;
  });
  return found;
}
