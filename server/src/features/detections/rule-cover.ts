import {
  type ColumnId,
  type ComputeItem,
  call,
  columnsReadBy,
  inputsOf,
  type Plan,
  type PlanNode,
  rewriteScalar,
  type Scalar,
  type Scan,
  visitPlan,
  visitScalar,
} from '@tyrian/plan';

// What the filters above the scans of a rule let through is all that the rule can be about. Such a cover is read off the
// compiled rule, so that it and the rule cannot disagree; where something is not understood, the cover lets more through.

/** Events of one scan that pass a condition over the columns of the scan. */
export interface CoverPart {
  readonly scan: Scan;
  readonly condition: Scalar;
}

/** So many events of the only part that pass a further condition: with fewer no group of the rule reaches its result. */
export interface Threshold {
  readonly least: number;
  readonly also: Scalar | null;
}

/** The events that a rule can be about. Without one that passes some part there are no rows. */
export interface RuleCover {
  readonly parts: readonly CoverPart[];
  readonly threshold: Threshold | null;
}

/** A condition with more parts than this is left out. */
const MOST_PARTS = 10_000;

/** Functions that answer something else each time. */
const RANDOM = new Set(['rand', 'new_guid']);

export const isRandom = (part: Scalar): boolean => part.kind === 'call' && RANDOM.has(part.fn);

export const allOf = (conditions: readonly Scalar[]): Scalar | null =>
  conditions.length > 1 ? call('bool', 'and', ...conditions) : (conditions[0] ?? null);

/** The cover of a plan; null when rows may come without events, from elsewhere, or from all events of a table. */
export function coverOf(plan: Plan): RuleCover | null {
  const parts: CoverPart[] = [];
  let isCovered = true;
  const down = (node: PlanNode, above: readonly PlanNode[]): void => {
    if (node.kind === 'scan') {
      const condition = allOf(followUp(above).conditions);
      if (condition === null || node.scope !== undefined) isCovered = false;
      else parts.push({ scan: node, condition });
    } else if (node.kind === 'values' || node.kind === 'range' || node.kind === 'store-scan')
      isCovered = false;
    else if (node.kind === 'aggregate' && node.keys.length === 0) isCovered = false;
    else if (node.kind === 'union') {
      for (const branch of node.branches) {
        const items = node.columns.flatMap(({ id }, at): ComputeItem[] => {
          const expression = branch.columns[at];
          return expression ? [{ id, expression }] : [];
        });
        down(branch.input, [{ kind: 'compute', input: branch.input, items }, ...above]);
      }
    } else for (const input of inputsOf(node)) down(input, [node, ...above]);
  };
  down(plan.root, []);
  if (!isCovered || parts.length === 0) return null;
  const threshold = thresholdOf(plan);
  return { parts: parts.map((part) => withColumnsRead(part, threshold)), threshold };
}

/** With only the columns that are read. */
function withColumnsRead({ scan, condition }: CoverPart, threshold: Threshold | null): CoverPart {
  const read = new Set(columnsReadBy(condition));
  if (threshold?.also) for (const id of columnsReadBy(threshold.also)) read.add(id);
  return { scan: { ...scan, columns: scan.columns.filter(({ id }) => read.has(id)) }, condition };
}

/** Whether the plan asks other tables within its expressions: then it may find something new without a new event. */
export function asksElsewhere(plan: Plan): boolean {
  let scans = 0;
  visitPlan(plan.root, (node) => {
    if (isStored(node)) scans += 1;
  });
  return scans !== scansOf(plan.root);
}

const isStored = ({ kind }: PlanNode): boolean => kind === 'scan' || kind === 'store-scan';

const scansOf = (node: PlanNode): number =>
  isStored(node) ? 1 : inputsOf(node).reduce((sum, input) => sum + scansOf(input), 0);

interface Followed {
  readonly conditions: readonly Scalar[];
  /** What computed columns are, over the columns of the scan; null for what is not understood. */
  readonly known: ReadonlyMap<ColumnId, Scalar | null>;
  /** The first node that is not followed, and those above it. */
  readonly rest: readonly PlanNode[];
}

/** Follows filters and computed columns upward from a scan, as long as each row is one of its events. */
function followUp(above: readonly PlanNode[]): Followed {
  const known = new Map<ColumnId, Scalar | null>();
  const conditions: Scalar[] = [];
  for (const [at, node] of above.entries()) {
    if (node.kind === 'filter') {
      const condition = overScan(node.predicate, known);
      if (condition) conditions.push(condition);
    } else if (node.kind === 'compute') {
      const items = node.items.map(({ id, expression }) => [id, overScan(expression, known)] as const);
      for (const [id, expression] of items) known.set(id, expression);
    } else if (node.kind === 'once') {
      for (const { id, type, source } of node.columns)
        known.set(id, overScan({ kind: 'column', type, id: source }, known));
    } else if (node.kind !== 'sort') return { conditions, known, rest: above.slice(at) };
  }
  return { conditions, known, rest: [] };
}

/** The expression over the columns of the scan; null when it is not one, or too large. */
function overScan(scalar: Scalar, known: ReadonlyMap<ColumnId, Scalar | null>): Scalar | null {
  let isUnderstood = true;
  const moved = rewriteScalar(scalar, (part) => {
    if (part.kind === 'subquery' || part.kind === 'in-subquery') isUnderstood = false;
    if (isRandom(part)) isUnderstood = false;
    if (part.kind !== 'column' || !known.has(part.id)) return part;
    const value = known.get(part.id);
    if (!value) isUnderstood = false;
    return value ?? part;
  });
  if (!isUnderstood) return null;
  let parts = 0;
  visitScalar(moved, () => {
    parts += 1;
  });
  return parts <= MOST_PARTS ? moved : null;
}

/** What a filter of groups asks of their events, where there is one scan and each of its events is one row of a group. */
function thresholdOf(plan: Plan): Threshold | null {
  const path: PlanNode[] = [];
  let node = plan.root;
  for (let inputs = inputsOf(node); node.kind !== 'scan'; inputs = inputsOf(node)) {
    const [input] = inputs;
    if (!input || inputs.length > 1) return null;
    path.unshift(node);
    node = input;
  }
  const { known, rest } = followUp(path);
  const [grouped, ...above] = rest;
  if (grouped?.kind !== 'aggregate') return null;
  const countOf = (id: ColumnId): Omit<Threshold, 'least'> | null => {
    const item = grouped.items.find((each) => each.id === id);
    const condition = item && EVENT_COUNTS[item.fn];
    if (condition === undefined) return null;
    if (condition === null) return { also: null };
    const argument = item?.args[condition];
    return { also: argument ? overScan(argument, known) : null };
  };
  const found: Threshold[] = [];
  for (const each of above) {
    if (each.kind !== 'filter' && each.kind !== 'compute') break;
    if (each.kind === 'filter') found.push(...leastOf(each.predicate, countOf));
  }
  return (
    found.sort((a, b) => Number(b.also !== null) - Number(a.also !== null) || b.least - a.least)[0] ?? null
  );
}

/** Counts that are never more than the events they count, by the position of their condition; null for none. */
export const EVENT_COUNTS: Readonly<Record<string, number | null>> = {
  count: null,
  countif: 0,
  dcount: null,
  dcountif: 1,
  count_distinct: null,
  count_distinctif: 1,
};

/** What a condition on groups asks of counts: each must hold. */
function leastOf(
  predicate: Scalar,
  countOf: (id: ColumnId) => Omit<Threshold, 'least'> | null,
): readonly Threshold[] {
  if (predicate.kind !== 'call') return [];
  if (predicate.fn === 'and') return predicate.args.flatMap((arg) => leastOf(arg, countOf));
  if (predicate.fn === 'or') {
    const ways = predicate.args.map((arg) => leastOf(arg, countOf)[0]);
    const least = Math.min(...ways.map((way) => way?.least ?? 0));
    return least > 0 ? [{ least, also: null }] : [];
  }
  const [left, right] = predicate.args;
  if (left?.kind !== 'column' || right?.kind !== 'constant') return [];
  const bound = Number(right.value);
  const least =
    predicate.fn === 'greater_or_equal' ? bound : predicate.fn === 'greater' ? bound + 1 : Number.NaN;
  const counted = Number.isSafeInteger(least) && least > 0 && right.value !== null ? countOf(left.id) : null;
  return counted ? [{ ...counted, least }] : [];
}
