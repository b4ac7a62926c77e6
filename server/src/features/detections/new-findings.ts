import {
  type ColumnId,
  columnsReadBy,
  inputsOf,
  type Plan,
  type PlanNode,
  type Scalar,
  visitPlan,
} from '@tyrian/plan';
import { EVENT_COUNTS } from './rule-cover.ts';

// A rule that looks back sees events leave its range as well as come in. Most can only find something new when an event
// comes in; one that asks for few events, for what is missing, or for the first of something may also find it because
// one has left.

/** Joins whose rows can only become fewer when rows of either side go. */
const SHRINKING_JOINS: ReadonlySet<string> = new Set(['inner', 'leftsemi', 'rightsemi']);

interface Seen {
  /** Columns whose values may change in a row that stays, when events leave the range. */
  readonly changing: Set<ColumnId>;
  /** Those of them that can only fall. */
  readonly falling: Set<ColumnId>;
}

/** Whether rows that come because events have left the range are impossible. In doubt false. */
export function findsOnlyWithNewEvents(plan: Plan): boolean {
  return isCompletedByEvents(plan) || onlyShrinks(plan.root, { changing: new Set(), falling: new Set() });
}

/** Rows say when the last of their events came in, and those in which none came in now are left out (occurrence.ts). */
export function isCompletedByEvents(plan: Plan): boolean {
  const completed = plan.columns.find(({ name }) => name === 'CompletedTime');
  let isLatest = false;
  visitPlan(plan.root, (node) => {
    if (node.kind !== 'aggregate') return;
    if (node.items.some(({ id, fn }) => id === completed?.id && fn === 'max')) isLatest = true;
  });
  return isLatest;
}

/** Notes the columns of a node that change, its inputs before it. */
function onlyShrinks(node: PlanNode, seen: Seen): boolean {
  if (!inputsOf(node).every((input) => onlyShrinks(input, seen))) return false;
  const { changing, falling } = seen;
  const changes = (scalar: Scalar): boolean => [...columnsReadBy(scalar)].some((id) => changing.has(id));
  switch (node.kind) {
    case 'scan':
    case 'sort':
      return true;
    case 'filter':
      return passesOnlyWhileHigh(node.predicate, seen);
    case 'compute':
      for (const { id, expression } of node.items) if (changes(expression)) changing.add(id);
      return true;
    case 'once':
      for (const { id, source } of node.columns) if (changing.has(source)) changing.add(id);
      return true;
    case 'union':
      for (const [at, { id }] of node.columns.entries())
        if (node.branches.some(({ columns }) => columns[at] && changes(columns[at]))) changing.add(id);
      return true;
    case 'aggregate':
      for (const { id, fn, args } of node.items) {
        if (fn in EVENT_COUNTS && !args.some(changes)) falling.add(id);
        changing.add(id);
      }
      return !node.keys.some(({ expression }) => changes(expression));
    case 'join':
      return (
        SHRINKING_JOINS.has(node.join) &&
        !node.keys.some(({ left, right }) => changes(left) || changes(right))
      );
    case 'expand':
      return !node.items.some(({ source }) => changes(source));
    default:
      return false;
  }
}

/** Whether a row that does not pass now can't pass when events leave the range. */
function passesOnlyWhileHigh(predicate: Scalar, seen: Seen): boolean {
  if (![...columnsReadBy(predicate)].some((id) => seen.changing.has(id))) return true;
  if (predicate.kind !== 'call') return false;
  const { fn, args } = predicate;
  if (fn === 'and' || fn === 'or') return args.every((arg) => passesOnlyWhileHigh(arg, seen));
  const [left, right] = args;
  return (
    (fn === 'greater' || fn === 'greater_or_equal') &&
    left?.kind === 'column' &&
    right?.kind === 'constant' &&
    seen.falling.has(left.id)
  );
}
