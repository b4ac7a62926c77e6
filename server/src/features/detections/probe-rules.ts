import { call, constant, type Plan, type Scalar, visitScalar } from '@tyrian/plan';
import { holdsAny } from './prefilter/literal-lists.ts';
import type { Literal } from './prefilter/literal-need.ts';
import { type PresentFields, withPresentFields } from './prefilter/present-fields.ts';
import { allOf, type RuleCover } from './rule-cover.ts';
import { overShared, type SharedColumns, stored } from './shared-columns.ts';

// Most rules find nothing in most windows. So one query counts, for many rules and all scopes of a tenant at once, the
// events that pass their covers, and only rules with some run theirs.

/** How large the conditions of one query may be together, in parts of expressions. */
const MOST_PARTS = 6_000;
/** What reading a field below Ext comes to. */
const FIELD_PARTS = 10;

/** Marks of so many events tell that it may be more. */
export const MOST_PASSING = 5_000;

interface ProbeOptions {
  /** Counts what the thresholds of the covers ask for, instead of marking events. */
  readonly reaches: boolean;
  /** So many events of a cover are marked at most. */
  readonly mostMarked: number;
  /** Only events that hold one of these are looked at: each cover needs one of them. All events when null. */
  readonly literals: readonly Literal[] | null;
  /** Only events with these marks are looked at: no other can pass a cover. Not known when null. */
  readonly marks: readonly number[] | null;
  /** The fields that events have; null when that is not known. */
  readonly present: PresentFields | null;
}

/** The condition of a cover over columns that all covers share. */
export function conditionOf(
  { parts, threshold }: RuleCover,
  { reaches, present }: Pick<ProbeOptions, 'reaches' | 'present'>,
  columns: SharedColumns,
): Scalar {
  const ways = parts.map(({ scan, condition }) => {
    const own = new Map(scan.columns.map((column) => [column.id, column]));
    const moved = (scalar: Scalar): Scalar =>
      overShared(present ? withPresentFields(scalar, own, present) : scalar, scan.columns, columns);
    const { stream } = scan;
    const all = [
      ...(stream === null
        ? []
        : [call('bool', 'equal', stored(columns, 'Stream'), constant('string', stream))]),
      moved(condition),
      ...(reaches && threshold?.also ? [moved(threshold.also)] : []),
    ];
    return allOf(all) ?? constant('bool', true);
  });
  const [first] = ways;
  return ways.length === 1 && first ? first : call('bool', 'or', ...ways);
}

/**
 * A plan with a row for each scope that has events of their streams: the scope, and as JSON a list for each cover, of marks of
 * the events that pass it; with `reaches` a number for each cover, of these events.
 */
export function probePlan(covers: readonly RuleCover[], options: ProbeOptions): Plan {
  const { literals, marks, reaches, mostMarked } = options;
  const columns: SharedColumns = new Map();
  const scope = stored(columns, 'Scope');
  const conditions = covers.map((cover) => conditionOf(cover, options, columns));
  const streams = new Set(covers.flatMap(({ parts }) => parts.map(({ scan }) => scan.stream)));
  const ofStreams = call(
    'bool',
    'in',
    stored(columns, 'Stream'),
    ...[...streams].sort().map((name) => constant('string', name)),
  );
  const held = narrowing(literals, marks, columns);
  const uid = stored(columns, 'EventUid');
  const firstId = columns.size;
  const items = (
    reaches
      ? conditions.map((condition) => ({ type: 'long', fn: 'countif', args: [condition] }) as const)
      : [
          {
            type: 'string',
            fn: 'event_marks_each',
            args: [uid, constant('long', mostMarked), ...conditions],
          } as const,
        ]
  ).map((item, at) => ({ ...item, id: firstId + 1 + at }));
  const key = { id: firstId, expression: scope };
  const scan = { kind: 'scan', stream: null, columns: [...columns.values()] } as const;
  const narrowed = allOf([...(streams.has(null) ? [] : [ofStreams]), ...(held ? [held] : [])]);
  const input = narrowed ? ({ kind: 'filter', input: scan, predicate: narrowed } as const) : scan;
  return {
    root: { kind: 'aggregate', input, keys: [key], items },
    columns: [
      { id: key.id, type: 'string', name: 'Scope' },
      ...items.map(({ id, type }, at) => ({ id, type, name: `c${at}` })),
    ],
    nextId: firstId + 1 + items.length,
  };
}

/** What an event must be to pass a cover, as far as that is known beforehand. */
function narrowing(
  literals: ProbeOptions['literals'],
  marks: ProbeOptions['marks'],
  columns: SharedColumns,
): Scalar | null {
  return marks ? marked(marks, columns) : literals && holdsAny(literals, columns);
}

/** The event has one of these marks. */
export const marked = (marks: readonly number[], columns: SharedColumns): Scalar =>
  call('bool', 'is_marked', stored(columns, 'EventUid'), constant('dynamic', JSON.stringify(marks)));

/** Parts covers so that the conditions of one query do not grow too large. */
export function inQueries<T extends { readonly cover: RuleCover }>(probes: readonly T[]): T[][] {
  const queries: T[][] = [];
  let room = 0;
  for (const probe of probes) {
    const parts = sizeOf(probe.cover);
    if (parts > room || queries.length === 0) {
      queries.push([]);
      room = MOST_PARTS;
    }
    room -= parts;
    queries.at(-1)?.push(probe);
  }
  return queries;
}

function sizeOf({ parts, threshold }: RuleCover): number {
  let size = 0;
  const count = (part: Scalar): void => {
    size += part.kind === 'call' && part.fn === 'member' ? FIELD_PARTS : 1;
  };
  for (const { condition } of parts) visitScalar(condition, count);
  if (threshold?.also) visitScalar(threshold.also, count);
  return size;
}
