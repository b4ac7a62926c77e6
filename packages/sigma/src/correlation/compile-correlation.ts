import { type AggregateItem, call, columnReference, constant, type Plan, type Scalar } from '@tyrian/plan';
import type { CompiledRule } from '../compile/compile-rule.ts';
import { allOf, orFalse } from '../compile/logic.ts';
import { resolveLogSource } from '../mapping/resolve-log-source.ts';
import type { Bound, RuleReference, SigmaCorrelation, SigmaRule } from '../sigma-document.ts';
import { faults, refuse, type SigmaFault } from '../sigma-faults.ts';
import { namesOf, type SigmaLibrary } from '../sigma-library.ts';
import type { Refusal } from '../verdict.ts';
import {
  besideEarlier,
  ColumnIds,
  type CorrelatedRule,
  completedPlan,
  type EventTable,
  eventTable,
  ruleEvents,
} from './correlated-events.ts';
import { correlationKql, correlationRows } from './correlation-kql.ts';

// A correlation to a plan whose rows are the events that complete it. For each event the window of `timespan` that ends
// with it is looked at, so nothing depends on where windows begin (correlation rules specification 2.1: the time frame
// "should not be restricted to boundaries").

export interface CompiledCorrelation {
  /** Columns: TimeGenerated and EventUid of the completing event, the fields of `group-by`, the figure. */
  readonly plan: Plan;
  /** One row for each group and minute in which it was completed; null when that is longer than a query may be. */
  readonly kql: string | null;
  /** The rules that it refers to, straight or through other correlations. */
  readonly rules: readonly SigmaRule[];
}

/** Compiles a rule, or says why it does not run. */
type CompileRule = (rule: SigmaRule) => CompiledRule | Refusal;

/** Correlations of correlations go no deeper. */
const DEEPEST_CHAIN = 10;

/** Compiles a correlation; the refusal of a rule that it refers to is its own. Throws SigmaFailure. */
export function compileCorrelation(
  correlation: SigmaCorrelation,
  library: SigmaLibrary,
  compile: CompileRule,
): CompiledCorrelation | Refusal {
  const compiled = new Correlator(library, compile).compiled(correlation, []);
  if ('verdict' in compiled) return compiled;
  const { plan, rules, read } = compiled;
  return { plan, kql: correlationKql(correlation, read), rules };
}

interface ReadCorrelation extends Omit<CompiledCorrelation, 'kql'> {
  readonly read: readonly CorrelatedRule[];
}

class Correlator {
  #statements = 0;
  readonly #library: SigmaLibrary;
  readonly #compile: CompileRule;

  constructor(library: SigmaLibrary, compile: CompileRule) {
    this.#library = library;
    this.#compile = compile;
  }

  compiled(correlation: SigmaCorrelation, above: readonly SigmaCorrelation[]): ReadCorrelation | Refusal {
    const chain = [...above, correlation];
    if (chain.length > DEEPEST_CHAIN)
      refuse(
        faults.correlation(
          correlation.typeSpan,
          `Correlations refer to each other deeper than ${DEEPEST_CHAIN} levels`,
        ),
      );
    const read: CorrelatedRule[] = [];
    const rules: SigmaRule[] = [];
    for (const reference of correlation.rules) {
      const found = this.#correlated(reference, correlation, chain, rules);
      if ('verdict' in found) return found;
      read.push(found);
    }
    const plan =
      correlation.type === 'temporal_ordered' ? ordered(correlation, read) : counted(correlation, read);
    return { plan, rules: [...new Set(rules)], read };
  }

  #correlated(
    reference: RuleReference,
    correlation: SigmaCorrelation,
    chain: readonly SigmaCorrelation[],
    rules: SigmaRule[],
  ): CorrelatedRule | Refusal {
    const document = this.#library.find(reference.name);
    if (!document) return refuse(faults.ruleUnknown(reference.span, reference.name));
    const names = [reference.name, ...namesOf(document)];
    const field = (name: string): string => aliasedField(correlation, name, names);
    if (document.kind === 'correlation') {
      if (chain.includes(document)) refuse(faults.cycle(reference.span, reference.name));
      return this.#chained(document, correlation, chain, rules);
    }
    const compiled = this.#compile(document);
    if ('verdict' in compiled)
      return {
        ...compiled,
        reason: `The rule "${reference.name}" that is referred to: ${compiled.reason}`,
        span: reference.span,
      };
    rules.push(document);
    const mapping = resolveLogSource(document.logSource);
    if (!mapping) throw new Error('A rule that is compiled has a mapping');
    const value = correlation.field === null ? null : field(correlation.field);
    return ruleEvents(compiled, mapping, correlation.groupBy.map(field), value);
  }

  /** A correlation as a rule of another: its events are those that complete it, its fields those of its group. */
  #chained(
    inner: SigmaCorrelation,
    outer: SigmaCorrelation,
    chain: readonly SigmaCorrelation[],
    rules: SigmaRule[],
  ): CorrelatedRule | Refusal {
    const compiled = this.compiled(inner, chain);
    if ('verdict' in compiled) return compiled;
    rules.push(...compiled.rules);
    const { root, columns } = compiled.plan;
    const position = (name: string): number => inner.groupBy.indexOf(name);
    const column = (name: string): Scalar => {
      const found = columns.find((one) => one.name === name);
      if (!found) throw new Error('A correlation shows its group');
      return columnReference(found.id, found.type);
    };
    const grouped = (name: string): string => {
      const own = aliasedField(outer, name, namesOf(inner));
      if (position(own) >= 0) return own;
      return refuse(
        faults.correlation(outer.typeSpan, `The correlation "${inner.title}" does not group by ${own}`),
      );
    };
    const names = outer.groupBy.map(grouped);
    const value = outer.field === null ? null : grouped(outer.field);
    this.#statements += 1;
    return {
      node: root,
      time: column('TimeGenerated'),
      uid: column('EventUid'),
      group: names.map(column),
      value: value === null ? null : column(value),
      kql: correlationRows(inner, compiled.read, {
        statement: `Matched${this.#statements}`,
        group: names.map(position),
        value: value === null ? null : position(value),
      }),
    };
  }
}

/** The field that a name stands for in the events of a rule. */
function aliasedField({ aliases }: SigmaCorrelation, name: string, rule: readonly string[]): string {
  const alias = aliases.get(name);
  if (!alias) return name;
  return rule.flatMap((one) => alias.get(one) ?? [])[0] ?? name;
}

const COMPARISONS: Readonly<Record<Bound, string>> = {
  gt: 'greater',
  gte: 'greater_or_equal',
  lt: 'less',
  lte: 'less_or_equal',
  eq: 'equal',
  neq: 'not_equal',
};

/** What is worked out over the window of an event. */
function figureOf(correlation: SigmaCorrelation, { rule, value }: EventTable, id: number): AggregateItem {
  const number = call('real', 'toreal', value);
  switch (correlation.type) {
    case 'event_count':
      return { id, type: 'long', fn: 'count', args: [] };
    case 'value_count':
      return { id, type: 'long', fn: 'count_distinctif', args: [value, call('bool', 'isnotempty', value)] };
    case 'value_sum':
      return { id, type: 'real', fn: 'sum', args: [number] };
    case 'value_avg':
      return { id, type: 'real', fn: 'avg', args: [number] };
    case 'value_percentile':
      return {
        id,
        type: 'real',
        fn: 'percentile',
        args: [number, constant('real', correlation.percentile ?? 50)],
      };
    default:
      return { id, type: 'long', fn: 'count_distinct', args: [rule] };
  }
}

/** The bounds on the figure; a temporal correlation without any wants every rule. */
function withinBounds(correlation: SigmaCorrelation, figure: Scalar): Scalar {
  const bounds =
    correlation.bounds.length > 0
      ? correlation.bounds
      : [{ bound: 'gte', value: correlation.rules.length } as const];
  const number = call('real', 'toreal', figure);
  // An average of no values is no number, and is like no other.
  return allOf([
    orFalse(call('bool', 'isfinite', number)),
    ...bounds.map(({ bound, value }) =>
      orFalse(call('bool', COMPARISONS[bound], number, constant('real', value))),
    ),
  ]);
}

/** Counts, sums and the like, and rules in any order. */
function counted(correlation: SigmaCorrelation, rules: readonly CorrelatedRule[]): Plan {
  const ids = new ColumnIds(1);
  const late = eventTable(rules, ids);
  const early = eventTable(rules, ids);
  const beside = besideEarlier(late, early, correlation.timespanMs, ids);
  const keyed = [late.time, late.uid, late.rule, ...late.group].map((expression) => ({
    id: ids.take(),
    expression,
  }));
  const item = figureOf(correlation, early, ids.take());
  const [time, uid, , ...group] = keyed.map(({ id, expression }) => columnReference(id, expression.type));
  const figure = columnReference(item.id, item.type);
  const node = {
    kind: 'filter',
    input: { kind: 'aggregate', input: beside, keys: keyed, items: [item] },
    predicate: withinBounds(correlation, figure),
  } as const;
  if (!time || !uid) throw new Error('The keys begin with time and event');
  return completedPlan({ node, time, uid, group }, correlation.groupBy, figure, ids);
}

/** Rules in their order: each event of a rule takes the latest beginning among the events of the rule before it. */
function ordered(correlation: SigmaCorrelation, rules: readonly CorrelatedRule[]): Plan {
  if (correlation.bounds.length > 0) {
    const [{ bound, value } = { bound: 'gte', value: 0 }, ...more] = correlation.bounds;
    const isAll =
      more.length === 0 &&
      ((bound === 'gte' && value === rules.length) || (bound === 'eq' && value === rules.length));
    if (!isAll) refuse(notAll(correlation));
  }
  const ids = new ColumnIds(1);
  const [first, ...rest] = rules;
  if (!first) throw new Error('A correlation has rules');
  let before = eventTable([first], ids);
  let begun: Scalar = before.time;
  for (const rule of rest) {
    const late = eventTable([rule], ids);
    // The window is that of the whole chain, so a beginning has to lie in it too.
    const beside = besideEarlier(late, before, correlation.timespanMs, ids);
    const keyed = [late.time, late.uid, ...late.group].map((expression) => ({ id: ids.take(), expression }));
    const start = { id: ids.take(), type: 'datetime', fn: 'max', args: [begun] } as const;
    const [time, uid, ...group] = keyed.map(({ id, expression }) => columnReference(id, expression.type));
    if (!time || !uid) throw new Error('The keys begin with time and event');
    begun = columnReference(start.id, 'datetime');
    const window = constant('timespan', String(BigInt(correlation.timespanMs) * 10_000n));
    const node = {
      kind: 'filter',
      input: { kind: 'aggregate', input: beside, keys: keyed, items: [start] },
      predicate: call('bool', 'greater', begun, call('datetime', 'subtract', time, window)),
    } as const;
    before = { ...late, node, time, uid, group };
  }
  return completedPlan(before, correlation.groupBy, begun, ids);
}

const notAll = ({ typeSpan }: SigmaCorrelation): SigmaFault =>
  faults.correlation(typeSpan, 'An ordered correlation of some of its rules');
