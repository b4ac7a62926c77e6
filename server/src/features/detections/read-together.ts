import {
  type ColumnId,
  columnReference,
  type Plan,
  type PlanColumn,
  type Scalar,
  type Scan,
  visitScalar,
} from '@tyrian/plan';
import type { QueryResult, QueryService } from '../search/query-service.ts';
import type { PresentFields } from './prefilter/present-fields.ts';
import { conditionOf, inQueries, marked } from './probe-rules.ts';
import { allOf, isRandom, type RuleCover } from './rule-cover.ts';
import { overShared, type SharedColumns, stored } from './shared-columns.ts';

// The rows of rules that look at single events and are known to find some: one query reads the events of all of them, and
// tells of each event which rules' conditions it passes. Preparing a query for each rule costs several times what reading its
// few events does.

/** Rows of one detection in a scope, as its own query gives them. */
export type ReadRows = Pick<QueryResult, 'columns' | 'rows'>;

/** A detection that finds something in a scope. */
export interface Finding<T> {
  readonly asked: T;
  readonly scopeId: string;
  /** With the columns that are wanted. */
  readonly plan: Plan;
  /** Marks of the events that pass. */
  readonly marks: readonly number[];
}

/** One that is read with others. */
interface EventFilter<T> extends Finding<T> {
  readonly cover: RuleCover;
}

/** Events that are read at once. */
const MOST_EVENTS = 10_000;
/** Fewer detections than this ask for their rows themselves. */
const FEWEST_TOGETHER = 2;

/** The rows of findings that can be read together; a finding that is not among them is to be asked for by itself. */
export async function readTogether<T>(
  findings: readonly Finding<T>[],
  present: PresentFields | null,
  run: (plan: Plan) => ReturnType<QueryService['runPlan']>,
): Promise<ReadonlyMap<T, ReadRows>> {
  const filters = findings.flatMap((finding) => filterOf(finding) ?? []);
  const found = new Map<T, ReadRows>();
  for (const few of inReach(filters)) {
    if (few.length < FEWEST_TOGETHER) continue;
    const { plan, rowsOf } = planOf(few, present);
    const { rows, truncated } = await run(plan);
    if (!truncated) for (const [asked, read] of rowsOf(rows)) found.set(asked, read);
  }
  return found;
}

/** Null unless the rows are the events of one scan that pass conditions over it. */
function filterOf<T>(finding: Finding<T>): EventFilter<T> | null {
  const conditions: Scalar[] = [];
  let node = finding.plan.root;
  while (node.kind === 'filter') {
    conditions.unshift(node.predicate);
    node = node.input;
  }
  if (node.kind !== 'scan' || node.scope !== undefined || !conditions.every(isOfOneEvent)) return null;
  const scan: Scan = node;
  const own = new Set<ColumnId>(scan.columns.map(({ id }) => id));
  const condition = allOf(conditions);
  if (!condition || !finding.plan.columns.every(({ id }) => own.has(id))) return null;
  return { ...finding, cover: { parts: [{ scan, condition }], threshold: null } };
}

/** It asks the event alone, and answers the same each time. */
function isOfOneEvent(condition: Scalar): boolean {
  let isAlone = true;
  visitScalar(condition, (part) => {
    if (part.kind === 'subquery' || part.kind === 'in-subquery' || isRandom(part)) isAlone = false;
  });
  return isAlone;
}

/** Parts filters so that neither conditions nor events of one query become too many. */
function inReach<T>(filters: readonly EventFilter<T>[]): readonly (readonly EventFilter<T>[])[] {
  const byEvents = filters
    .filter(({ marks }) => marks.length <= MOST_EVENTS)
    .sort((one, other) => one.marks.length - other.marks.length);
  return inQueries(byEvents).flatMap((few) => {
    const parts: EventFilter<T>[][] = [];
    let room = 0;
    for (const filter of few) {
      if (filter.marks.length > room) {
        parts.push([]);
        room = MOST_EVENTS;
      }
      room -= filter.marks.length;
      parts.at(-1)?.push(filter);
    }
    return parts;
  });
}

/** A plan whose rows are the events of all filters, and how its rows are parted among them. */
function planOf<T>(filters: readonly EventFilter<T>[], present: PresentFields | null) {
  const columns: SharedColumns = new Map();
  const scope = columnIdOf(stored(columns, 'Scope'));
  const conditions = filters.map(({ cover }) => conditionOf(cover, { reaches: false, present }, columns));
  const shown = filters.map(({ cover: { parts }, plan }) =>
    plan.columns.map(({ id, type }) =>
      columnIdOf(overShared(columnReference(id, type), parts[0]?.scan.columns ?? [], columns)),
    ),
  );
  const predicate = marked([...new Set(filters.flatMap(({ marks }) => marks))], columns);
  const firstId = columns.size;
  const items = conditions.map((expression, at) => ({ id: firstId + at, expression }));
  const scan = { kind: 'scan', stream: null, columns: [...columns.values()] } as const;
  const read = [...new Set([scope, ...shown.flat()])];
  const place = new Map(read.map((id, at) => [id, at]));
  const typeOf = new Map([...columns.values()].map(({ id, type }) => [id, type]));
  const plan: Plan = {
    root: { kind: 'compute', input: { kind: 'filter', input: scan, predicate }, items },
    columns: [
      ...read.map((id): PlanColumn & { name: string } => ({
        id,
        type: typeOf.get(id) ?? 'string',
        name: `c${id}`,
      })),
      ...items.map(({ id }) => ({ id, type: 'bool' as const, name: `c${id}` })),
    ],
    nextId: firstId + items.length,
  };
  const rowsOf = (rows: QueryResult['rows']): readonly (readonly [T, ReadRows])[] =>
    filters.map((filter, at) => {
      const own = rows.filter((row) => row[read.length + at] === true && row[0] === filter.scopeId);
      const places = (shown[at] ?? []).map((id) => place.get(id) ?? 0);
      return [
        filter.asked,
        { columns: filter.plan.columns, rows: own.map((row) => places.map((one) => row[one] ?? null)) },
      ];
    });
  return { plan, rowsOf };
}

function columnIdOf(scalar: Scalar): ColumnId {
  if (scalar.kind !== 'column') throw new Error('a column stays a column');
  return scalar.id;
}
