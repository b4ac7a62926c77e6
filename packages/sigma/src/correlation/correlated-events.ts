import {
  call,
  columnReference,
  constant,
  copyPlan,
  type Plan,
  type PlanNode,
  type Scalar,
} from '@tyrian/plan';
import { type CompiledRule, fieldSources } from '../compile/compile-rule.ts';
import { eventColumn } from '../compile/event-scan.ts';
import { allOf } from '../compile/logic.ts';
import { holdsAnything, sourceText } from '../compile/value-tests.ts';
import type { LogSourceMapping } from '../mapping/source-condition.ts';

// The events of all rules of a correlation as one table: when, which event, which rule, the values of the group, and the
// value that is counted.

/** What a correlation reads of one of its rules. */
export interface CorrelatedRule {
  readonly node: PlanNode;
  readonly time: Scalar;
  readonly uid: Scalar;
  /** In the order of `group-by`; text. */
  readonly group: readonly Scalar[];
  /** Text; null when nothing is counted but events. */
  readonly value: Scalar | null;
  /** Where the events are those of another correlation. */
  readonly kql?: CorrelatedKql;
}

/** The rows that a rule contributes as KQL: events, with the texts of the group and the value that is counted. */
export interface CorrelatedKql {
  /** Statements that the rows need, in their order. */
  readonly before: readonly string[];
  readonly rows: string;
  readonly group: readonly string[];
  readonly value: string | null;
}

/** Makes column ids of one plan. */
export class ColumnIds {
  next: number;

  constructor(next: number) {
    this.next = next;
  }

  readonly take = (): number => this.next++;
}

/** Text of a field of an event: of its first source that holds anything. */
function fieldText(field: string, mapping: LogSourceMapping): Scalar {
  const sources = fieldSources(field, mapping).filter(({ kind }) => kind !== 'raw');
  return sources.reduceRight<Scalar>(
    (rest, source) => call('string', 'iff', holdsAnything(source), sourceText(source), rest),
    constant('string', ''),
  );
}

/** The events of a rule, with the fields that the correlation reads of it. */
export function ruleEvents(
  rule: CompiledRule,
  mapping: LogSourceMapping,
  group: readonly string[],
  value: string | null,
): CorrelatedRule {
  return {
    node: rule.plan.root,
    time: eventColumn('TimeGenerated'),
    uid: eventColumn('EventUid'),
    group: group.map((field) => fieldText(field, mapping)),
    value: value === null ? null : fieldText(value, mapping),
  };
}

/** One table of events; every column is a reference into it. */
export interface EventTable {
  readonly node: PlanNode;
  readonly time: Scalar;
  readonly uid: Scalar;
  /** The position of the rule. */
  readonly rule: Scalar;
  readonly group: readonly Scalar[];
  readonly value: Scalar;
}

/** All events of the rules that have every field of the group. */
export function eventTable(rules: readonly CorrelatedRule[], ids: ColumnIds): EventTable {
  const groups = rules[0]?.group.length ?? 0;
  const text = () => ({ id: ids.take(), type: 'string' }) as const;
  const [time, uid, rule, value] = [
    { id: ids.take(), type: 'datetime' } as const,
    { id: ids.take(), type: 'guid' } as const,
    { id: ids.take(), type: 'long' } as const,
    text(),
  ];
  const group = Array.from({ length: groups }, text);
  const branches = rules.map((one, position) => {
    const copy = copyPlan(one.node, ids.take);
    const own = (scalar: Scalar): Scalar => withIds(scalar, copy.idOf);
    return {
      input: copy.node,
      columns: [
        own(one.time),
        own(one.uid),
        constant('long', String(position)),
        one.value ? own(one.value) : constant('string', ''),
        ...one.group.map(own),
      ],
    };
  });
  const union: PlanNode = { kind: 'union', columns: [time, uid, rule, value, ...group], branches };
  const references = group.map(({ id }) => columnReference(id, 'string'));
  const node: PlanNode =
    groups === 0
      ? union
      : {
          kind: 'filter',
          input: union,
          predicate: allOf(references.map((one) => call('bool', 'isnotempty', one))),
        };
  return {
    node,
    time: columnReference(time.id, 'datetime'),
    uid: columnReference(uid.id, 'guid'),
    rule: columnReference(rule.id, 'long'),
    group: references,
    value: columnReference(value.id, 'string'),
  };
}

function withIds(scalar: Scalar, idOf: (id: number) => number): Scalar {
  if (scalar.kind === 'column') return { ...scalar, id: idOf(scalar.id) };
  return scalar.kind === 'call' ? { ...scalar, args: scalar.args.map((arg) => withIds(arg, idOf)) } : scalar;
}

const ticks = (ms: number): string => String(BigInt(ms) * 10_000n);
const span = (ms: number): Scalar => constant('timespan', ticks(ms));
const bucketOf = (time: Scalar, ms: number): Scalar =>
  call('datetime', 'bin_datetime', time, span(ms), constant('datetime', '0'));

/**
 * Every event of `late` beside each event of `early` of its group that is not later, and not as much as `spanMs`
 * earlier: what lies in the window that ends with it, wherever the window begins.
 */
export function besideEarlier(late: EventTable, early: EventTable, spanMs: number, ids: ColumnIds): PlanNode {
  const [offset, index, lateBucket, earlyBucket] = [ids.take(), ids.take(), ids.take(), ids.take()];
  // A window reaches into two buckets of its length at most.
  const twice: PlanNode = {
    kind: 'expand',
    input: late.node,
    items: [{ source: constant('dynamic', '[0,1]'), id: offset, type: 'long' }],
    bagAsArray: false,
    index: { id: index, type: 'long' },
    rowLimit: null,
  };
  const shift = call('timespan', 'multiply', columnReference(offset, 'long'), span(spanMs));
  const left: PlanNode = {
    kind: 'compute',
    input: twice,
    items: [{ id: lateBucket, expression: call('datetime', 'subtract', bucketOf(late.time, spanMs), shift) }],
  };
  const right: PlanNode = {
    kind: 'compute',
    input: early.node,
    items: [{ id: earlyBucket, expression: bucketOf(early.time, spanMs) }],
  };
  const joined: PlanNode = {
    kind: 'join',
    join: 'inner',
    left,
    right,
    keys: [
      { left: columnReference(lateBucket, 'datetime'), right: columnReference(earlyBucket, 'datetime') },
      ...late.group.map((one, at) => ({ left: one, right: early.group[at] ?? one })),
    ],
  };
  const predicate = allOf([
    call('bool', 'less_or_equal', early.time, late.time),
    call('bool', 'greater', early.time, call('datetime', 'subtract', late.time, span(spanMs))),
  ]);
  return { kind: 'filter', input: joined, predicate };
}

/** A plan of the events that complete a correlation: when, which, the group by its names, and the figure. */
export function completedPlan(
  table: Pick<EventTable, 'node' | 'time' | 'uid' | 'group'>,
  groupBy: readonly string[],
  figure: Scalar,
  ids: ColumnIds,
): Plan {
  const column = (scalar: Scalar, name: string) => {
    if (scalar.kind !== 'column') throw new Error('A result column is a column');
    return { id: scalar.id, type: scalar.type, name };
  };
  return {
    root: table.node,
    columns: [
      column(table.time, 'TimeGenerated'),
      column(table.uid, 'EventUid'),
      ...table.group.map((one, at) => column(one, groupBy[at] ?? `Group${at}`)),
      column(figure, 'Figure'),
    ],
    nextId: ids.next,
  };
}
