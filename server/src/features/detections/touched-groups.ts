import {
  type Aggregate,
  call,
  constant,
  inputsOf,
  type Plan,
  type PlanNode,
  rewritePlan,
  type Scalar,
} from '@tyrian/plan';
import type { QueryResult } from '../search/query-service.ts';
import { analysePlan } from './analyse-plan.ts';
import { isCompletedByEvents } from './new-findings.ts';
import { allOf } from './rule-cover.ts';

// A rule that groups the events of the last minutes reads them again for each window, though only groups that an event of the
// window belongs to can tell something new. So these groups are asked for first, in the window alone, and then only events
// are read that can be of one of them: of the stretches of time that they count over, and with their values.

/** Groups of a window that are told apart; with more, everything is read. */
export const MOST_GROUPS_TOUCHED = 5_000;
/** Values of one key that events are chosen by. */
const MOST_VALUES = 200;
/** Signs of all of them: whoever sends events decides how long a value is. */
const MOST_TEXT = 64 * 1024;
/** Stretches of time that events are chosen by. */
const MOST_STRETCHES = 20;
const TICKS_PER_MS = 10_000n;
/** What stands for bytes that are no text: the value is not what is stored. */
const NO_TEXT = '\uFFFD';

/** Nodes that make of each row above a group rows of that group alone. */
const ROW_BY_ROW: ReadonlySet<PlanNode['kind']> = new Set(['filter', 'compute', 'sort', 'once', 'expand']);

/** How the values of a key are read back. */
type KeyKind = 'text' | 'stretch';

type Key = Aggregate['keys'][number] & { readonly kind: KeyKind };

/** A plan whose rows come from groups of single events, each row from one group. */
export interface GroupedPlan {
  readonly plan: Plan;
  readonly grouped: Aggregate;
  /** Those by which events can be chosen; at least one. */
  readonly keys: readonly Key[];
}

/** Null for a plan of another shape. */
export function asGrouped(plan: Plan): GroupedPlan | null {
  const grouped = onlyAggregate(plan.root);
  if (!grouped) return null;
  if (!analysePlan({ ...plan, root: grouped.input }).rowByRow) return null;
  const keys = grouped.keys.flatMap((key): Key[] => {
    const kind = kindOf(key.expression);
    return kind ? [{ ...key, kind }] : [];
  });
  return keys.length > 0 && isAnchored(plan, keys) ? { plan, grouped, keys } : null;
}

/**
 * Whether a group without new events tells nothing, or what it told before: what is found in a stretch of time is known by its
 * beginning (occurrence.ts), while a first event that leaves the range makes another finding of a group.
 */
function isAnchored(plan: Plan, keys: readonly Key[]): boolean {
  const time = plan.columns.find(({ name }) => name === 'TimeGenerated');
  return isCompletedByEvents(plan) || keys.some(({ id, kind }) => kind === 'stretch' && id === time?.id);
}

function onlyAggregate(node: PlanNode): Aggregate | null {
  if (node.kind === 'aggregate') return node;
  const [input] = inputsOf(node);
  return input && ROW_BY_ROW.has(node.kind) ? onlyAggregate(input) : null;
}

function kindOf(expression: Scalar): KeyKind | null {
  if (expression.kind === 'column') return expression.type === 'string' ? 'text' : null;
  return stepOf(expression) === null ? null : 'stretch';
}

/** The length of the stretches that a bin of time counts over, in ticks; null for another expression. */
function stepOf(expression: Scalar): bigint | null {
  if (expression.kind !== 'call' || expression.fn !== 'bin_datetime') return null;
  const [, step, origin] = expression.args;
  if (step?.kind !== 'constant' || origin?.kind !== 'constant' || step.value === null) return null;
  const ticks = BigInt(step.value);
  return ticks > 0n && ticks % TICKS_PER_MS === 0n ? ticks : null;
}

/** The plan that tells the groups that events belong to, by the keys by which events can be chosen. */
export function groupsPlan({ plan, grouped, keys }: GroupedPlan): Plan {
  const root: Aggregate = {
    kind: 'aggregate',
    input: grouped.input,
    keys: keys.map(({ id, expression }) => ({ id, expression })),
    items: [],
  };
  const columns = keys.map(({ id, expression }) => ({ id, type: expression.type, name: `Key${id}` }));
  return { ...plan, root, columns };
}

/** The plan over events alone that can be of one of these groups; null when they are too many to tell. */
export function readingGroups(
  { plan, grouped, keys }: GroupedPlan,
  { rows, truncated }: Pick<QueryResult, 'rows' | 'truncated'>,
): Plan | null {
  if (truncated) return null;
  const predicate = allOf(
    keys.flatMap((key, at) => {
      const values = new Set(rows.map((row) => row[at]));
      const condition = key.kind === 'text' ? hasValue(key, values) : liesIn(key, values);
      return condition ? [condition] : [];
    }),
  );
  if (!predicate) return null;
  const root = rewritePlan(plan.root, (node) =>
    node.kind === 'aggregate' && node.keys[0]?.id === grouped.keys[0]?.id
      ? { ...node, input: { kind: 'filter', input: node.input, predicate } }
      : node,
  );
  return { ...plan, root };
}

function hasValue({ expression }: Key, values: ReadonlySet<unknown>): Scalar | null {
  if (values.size > MOST_VALUES) return null;
  const texts = [...values].filter(
    (value): value is string => typeof value === 'string' && !value.includes(NO_TEXT),
  );
  const signs = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length !== values.size || signs > MOST_TEXT) return null;
  return call('bool', 'in', expression, ...texts.map((text) => constant('string', text)));
}

function liesIn({ expression }: Key, values: ReadonlySet<unknown>): Scalar | null {
  const step = stepOf(expression);
  const [time] = expression.kind === 'call' ? expression.args : [];
  const starts = [...values].map((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN));
  if (step === null || !time || starts.some(Number.isNaN) || starts.length > MOST_STRETCHES) return null;
  const stretches = starts.map((ms): Scalar => {
    const from = BigInt(ms) * TICKS_PER_MS;
    const moment = (ticks: bigint) => constant('datetime', String(ticks));
    return call(
      'bool',
      'and',
      call('bool', 'greater_or_equal', time, moment(from)),
      call('bool', 'less', time, moment(from + step)),
    );
  });
  const [only] = stretches;
  return stretches.length === 1 && only ? only : call('bool', 'or', ...stretches);
}
