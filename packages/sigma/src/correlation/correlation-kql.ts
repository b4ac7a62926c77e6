import { eventsKql, scalarKql, withinLength } from '../compile/kql-text.ts';
import type { Bound, SigmaCorrelation } from '../sigma-document.ts';
import type { CorrelatedKql, CorrelatedRule } from './correlated-events.ts';

// A correlation as KQL, as it runs in a scope and opens in Find. The first statement is the events that match one of its
// rules; exceptions of a scope are put at its end. Then come the events that complete the correlation, and at last one row
// for each group and minute in which it was completed, with the events that led to it.
//
// The window of `timespan` ends with each event, wherever it begins, as in the plan of the correlation.

/** What a signal names, where all events that led to it agree. */
const SHOWN = ['ActorUsername', 'ProcessName', 'SrcIpAddr', 'DvcHostname', 'TargetUsername', 'DstIpAddr'];

const groupName = (at: number): string => `GroupBy${at + 1}`;
const spanKql = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`);

/** The events of a rule as KQL; a correlation within the correlation has its own. */
function ruleRows(rule: CorrelatedRule): CorrelatedKql {
  return (
    rule.kql ?? {
      before: [],
      rows: eventsKql(rule.node),
      group: rule.group.map(scalarKql),
      value: rule.value && scalarKql(rule.value),
    }
  );
}

/** The statement of the events of all rules, under a name. */
function matchedStatement(name: string, rules: readonly CorrelatedKql[]): string {
  const members = rules.map(({ rows, group, value }, position) => {
    const columns = [
      `CorrelatedRule = ${position}`,
      ...group.map((text, at) => `${groupName(at)} = ${text}`),
      ...(value === null ? [] : [`CorrelatedValue = ${value}`]),
      ...(group.length === 0 ? ["GroupBy1 = ''"] : []),
    ];
    return `${rows}\n| extend ${columns.join(', ')}`;
  });
  const groups = rules[0]?.group.length ?? 0;
  const filled = Array.from({ length: groups }, (_, at) => `isnotempty(${groupName(at)})`);
  const all = members.length === 1 ? (members[0] as string) : `union\n(${members.join('),\n(')})`;
  return `let ${name} = ${all}${filled.length === 0 ? '' : `\n| where ${filled.join(' and ')}`};`;
}

const OPERATORS: Readonly<Record<Bound, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  eq: '==',
  neq: '!=',
};

type Bounds = SigmaCorrelation['bounds'];

/** The least number that a window must have; null where a smaller one may do. */
function leastOf(bounds: Bounds): number | null {
  const isFloor = bounds.every(({ bound }) => bound === 'gt' || bound === 'gte');
  const floors = bounds.map(({ bound, value }) =>
    bound === 'gt' ? Math.floor(value) + 1 : Math.ceil(value),
  );
  const least = Math.max(...floors);
  return isFloor && floors.length > 0 && least >= 1 ? least : null;
}

/** What is worked out over the window of an event. */
function figureKql({ type, percentile }: SigmaCorrelation): string {
  switch (type) {
    case 'event_count':
      return 'count()';
    case 'value_count':
      return 'count_distinctif(EarlierValue, isnotempty(EarlierValue))';
    case 'value_sum':
      return 'sum(toreal(EarlierValue))';
    case 'value_avg':
      return 'avg(toreal(EarlierValue))';
    case 'value_percentile':
      return `percentile(toreal(EarlierValue), ${percentile ?? 50})`;
    default:
      return 'count_distinct(EarlierRule)';
  }
}

class CorrelationText {
  readonly #correlation: SigmaCorrelation;
  readonly #rules: readonly CorrelatedKql[];
  readonly #matched: string;
  readonly #groups: readonly string[];
  readonly #span: string;

  constructor(correlation: SigmaCorrelation, rules: readonly CorrelatedRule[], name: string) {
    this.#correlation = correlation;
    this.#rules = rules.map(ruleRows);
    this.#matched = name;
    const groups = Math.max(1, correlation.groupBy.length);
    this.#groups = Array.from({ length: groups }, (_, at) => groupName(at));
    this.#span = spanKql(correlation.timespanMs);
  }

  /** The events that complete the correlation, and the statements before them. */
  completing(): Pick<CorrelatedKql, 'before' | 'rows'> {
    return {
      before: [...this.#rules.flatMap(({ before }) => before), matchedStatement(this.#matched, this.#rules)],
      rows: this.#completing(),
    };
  }

  /** The whole query: a row for each group and minute, with the events that led to it. */
  query(): string {
    const { before, rows } = this.completing();
    const groups = this.#groups.join(', ');
    const agreed = SHOWN.map((name) => `${name} = iff(min(${name}) == max(${name}), max(${name}), '')`);
    return [
      ...before,
      rows,
      `| summarize FirstCompleted = min(TimeGenerated), LastCompleted = max(TimeGenerated) by ${groups}, Minute = bin(TimeGenerated, 1m)`,
      `| join kind=inner ${this.#matched} on ${groups}`,
      `| where TimeGenerated > FirstCompleted - ${this.#span} and TimeGenerated <= LastCompleted`,
      '| summarize CompletedTime = max(IngestedTime), StartTime = min(TimeGenerated), EndTime = max(TimeGenerated), ' +
        `Events = count_distinct(EventUid), EventUids = make_set(EventUid, 200), Stream = max(Stream), ${agreed.join(', ')} by ${groups}, TimeGenerated = Minute`,
    ].join('\n');
  }

  #completing(): string {
    const { type, bounds } = this.#correlation;
    if (type === 'temporal_ordered') return this.#inOrder();
    const least = type === 'event_count' ? leastOf(bounds) : null;
    return least === null ? this.#counted() : this.#enoughEvents(least);
  }

  /** So many events end with one where the one so many before it lies in the window: no event is looked at twice. */
  #enoughEvents(least: number): string {
    if (least === 1) return this.#matched;
    const before = this.#groups.map((name, at) => `Before${at + 1} = prev(${name}, ${least - 1})`);
    const same = this.#groups.map((name, at) => `Before${at + 1} == ${name}`);
    return [
      this.#matched,
      `| sort by ${[...this.#groups, 'TimeGenerated'].map((name) => `${name} asc`).join(', ')}`,
      `| extend ${before.join(', ')}, TimeBefore = prev(TimeGenerated, ${least - 1})`,
      `| where ${same.join(' and ')} and TimeBefore > TimeGenerated - ${this.#span}`,
    ].join('\n');
  }

  /** Each event beside the earlier ones of its window, and the figure over them. */
  #counted(): string {
    const { bounds, rules } = this.#correlation;
    const wanted = bounds.length > 0 ? bounds : [{ bound: 'gte', value: rules.length } as const];
    const within = wanted.map(({ bound, value }) => `Figure ${OPERATORS[bound]} ${value}`);
    return this.#thatComplete(
      [
        this.#lateBeside(this.#earlier(this.#worthwhile(), ['CorrelatedRule', 'CorrelatedValue'])),
        `| summarize Figure = todouble(${figureKql(this.#correlation)}) by EventUid`,
        `| where isfinite(Figure) and ${within.join(' and ')}`,
      ].join('\n'),
    );
  }

  /** Rules in their order: each event takes the latest beginning among the events of the rule before it. */
  #inOrder(): string {
    const groups = this.#groups.join(', ');
    const of = (position: number): string => `${this.#matched}\n| where CorrelatedRule == ${position}`;
    let chain = `${of(0)}\n| extend Begun = TimeGenerated`;
    for (let position = 1; position < this.#rules.length; position += 1) {
      const early = [
        chain,
        `| project ${groups}, EarlierTime = TimeGenerated, EarlierBegun = Begun, Bucket = bin(TimeGenerated, ${this.#span})`,
      ].join('\n');
      chain = [
        this.#lateBeside(early, of(position)),
        `| where EarlierBegun > TimeGenerated - ${this.#span}`,
        `| summarize Begun = max(EarlierBegun) by EventUid, TimeGenerated, ${groups}`,
      ].join('\n');
    }
    const last = this.#rules.length - 1;
    return `${this.#thatComplete(chain)}\n| where CorrelatedRule == ${last}`;
  }

  /** Events of groups that could reach the figure at all: others are not compared with each other. */
  #worthwhile(): string {
    const { type, bounds, rules } = this.#correlation;
    const least = leastOf(bounds) ?? (bounds.length === 0 ? rules.length : null);
    const distinct = type === 'value_count' ? 'CorrelatedValue' : 'CorrelatedRule';
    const isDistinct = type === 'value_count' || type === 'temporal';
    if (least === null || least < 2 || !isDistinct) return this.#matched;
    const groups = this.#groups.join(', ');
    return [
      this.#matched,
      `| join kind=leftsemi (${this.#matched}\n| summarize Different = count_distinct(${distinct}) by ${groups}\n| where Different >= ${least}) on ${groups}`,
    ].join('\n');
  }

  #earlier(events: string, columns: readonly string[]): string {
    const hasValue = this.#rules.some(({ value }) => value !== null);
    const kept = columns
      .filter((name) => hasValue || name !== 'CorrelatedValue')
      .map((name) => `${name.replace('Correlated', 'Earlier')} = ${name}`);
    return `${events}\n| project ${this.#groups.join(', ')}, EarlierTime = TimeGenerated, ${kept.join(', ')}, Bucket = bin(TimeGenerated, ${this.#span})`;
  }

  /** A window reaches into two stretches of its length at most. */
  #lateBeside(early: string, late: string = this.#worthwhile()): string {
    const groups = this.#groups.join(', ');
    return [
      late,
      `| project EventUid, TimeGenerated, ${groups}`,
      '| mv-expand Shift = dynamic([0, 1]) to typeof(long)',
      `| extend Bucket = bin(TimeGenerated, ${this.#span}) - Shift * ${this.#span}`,
      `| join kind=inner (${early}) on Bucket, ${groups}`,
      `| where EarlierTime <= TimeGenerated and EarlierTime > TimeGenerated - ${this.#span}`,
    ].join('\n');
  }

  #thatComplete(uids: string): string {
    return `${this.#matched}\n| join kind=leftsemi (${uids}\n| project EventUid) on EventUid`;
  }
}

interface ContributedRows {
  /** The name of the statement of its events. */
  readonly statement: string;
  /** Positions in its own `group-by` of what the other correlation groups by, and of the value that it counts. */
  readonly group: readonly number[];
  readonly value: number | null;
}

/** What a correlation contributes to another: the events that complete it. */
export function correlationRows(
  correlation: SigmaCorrelation,
  rules: readonly CorrelatedRule[],
  { statement, group, value }: ContributedRows,
): CorrelatedKql {
  const { before, rows } = new CorrelationText(correlation, rules, statement).completing();
  return { before, rows, group: group.map(groupName), value: value === null ? null : groupName(value) };
}

/** The correlation as KQL; null when that is longer than a query may be. */
export function correlationKql(
  correlation: SigmaCorrelation,
  rules: readonly CorrelatedRule[],
): string | null {
  return withinLength(new CorrelationText(correlation, rules, 'Matched').query());
}
