import type { ResultSort } from '@tyrian/contract';
import {
  call,
  columnReference,
  constant,
  outputsOf,
  type Plan,
  type PlanNode,
  type Scalar,
  type SortKey,
} from '@tyrian/plan';
import { sortedNewestFirst } from './newest-first.ts';

// The order that somebody chose for a result: a sort above all that the query does. Blank values come last in both
// directions, as they do where a whole result is sorted in the browser.

/** The plan with its rows in that order; as it is when the result has no such column. */
export function sortedAsChosen(plan: Plan, sort: ResultSort): Plan {
  const value = sortedValue(plan, sort.column);
  if (!value) return plan;
  // A query that takes some rows takes the same ones in every order.
  const { root } = plan.root.kind === 'limit' ? sortedNewestFirst(plan) : plan;
  return { ...plan, root: { kind: 'sort', input: root, keys: keysFor(value, sort.descending) } };
}

function keysFor(value: Scalar, descending: boolean): SortKey[] {
  const key = (expression: Scalar): SortKey => ({ expression, descending, nullsFirst: false });
  if (value.type !== 'string' && value.type !== 'dynamic') return [key(value)];
  const text = value.type === 'string' ? value : call('string', 'tostring', value);
  const blanksLast = { ...key(call('bool', 'isempty', text)), descending: false };
  const numbers = value.type === 'dynamic' ? [key(call('real', 'toreal', text))] : [];
  return [blanksLast, ...numbers, key(text)];
}

/** A column of the result, or a path below a dynamic one. */
function sortedValue(plan: Plan, name: string): Scalar | null {
  const named = (wanted: string) => plan.columns.find((column) => column.name === wanted);
  const column = named(name);
  if (column) return columnReference(column.id, typeIn(plan.root, column.id) ?? column.type);
  const [head = '', ...path] = name.split('.');
  const parent = named(head);
  if (parent?.type !== 'dynamic' || path.length === 0) return null;
  return path.reduce<Scalar>(
    (value, part) => call('dynamic', 'member', value, constant('string', part)),
    columnReference(parent.id, 'dynamic'),
  );
}

const typeIn = (node: PlanNode, id: number) => outputsOf(node).find((column) => column.id === id)?.type;
