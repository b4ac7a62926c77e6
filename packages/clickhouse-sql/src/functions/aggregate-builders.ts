import type { AggregateItem } from '@tyrian/plan';
import { commaList, ownText, parameter, type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arrayJsonSql, jsonElementSql, jsonSql } from './json-sql.ts';
import { eventMark } from './literal-builders.ts';
import { schemaOf } from './schema-sql.ts';
import { digestMerged, digestOf, hllMerged, hllOf } from './state-aggregates.ts';

// Aggregations over no rows give what Kusto gives: 0 for counts, sums and deviations of a sample, NaN for averages, null
// for the rest, [] for lists. Nulls do not take part. `count_distinct` is exact; `dcount`, which may estimate, is so but
// for its hash of texts.

export interface AggregateCall {
  readonly item: AggregateItem;
  /** For boolean arguments: the condition where null counts as false. */
  readonly conditions: readonly (Sql | null)[];
  /** The rows are made by the query itself, so that their order means something. */
  readonly inOrder: boolean;
}

type AggregateBuilder = (args: readonly SqlValue[], call: AggregateCall) => Sql;

const MAX_ELEMENTS = '1048576';

const value = (args: readonly SqlValue[], index = 0): SqlValue => {
  const found = args[index];
  if (!found) throw new Error('An aggregation lacks an argument');
  return found;
};

const condition = (call: AggregateCall, index: number): Sql => call.conditions[index] ?? sql`false`;

const plain =
  (fn: Sql): AggregateBuilder =>
  (args) =>
    sql`${fn}(${value(args).sql})`;

const conditional =
  (fn: Sql): AggregateBuilder =>
  (args, call) =>
    sql`${fn}(${value(args).sql}, ${condition(call, 1)})`;

const sumOf =
  (fn: AggregateBuilder): AggregateBuilder =>
  (args, call) =>
    value(args).type === 'decimal'
      ? sql`ifNull(${fn(args, call)}, toDecimal256(0, 20))`
      : sql`ifNull(${fn(args, call)}, 0)`;

const average =
  (fn: AggregateBuilder): AggregateBuilder =>
  (args, call) => {
    const built = fn(args, call);
    if (call.item.type === 'real') return sql`ifNull(toFloat64(${built}), nan)`;
    if (call.item.type === 'decimal') return decimalAverage(args, call);
    return sql`if(isFinite(${built}), toInt64(round(${built})), NULL)`;
  };

/** Of decimals, without the detour over a real. */
function decimalAverage(args: readonly SqlValue[], call: AggregateCall): Sql {
  const only = args.length > 1 ? condition(call, 1) : sql`true`;
  const counted = countedOf(value(args), only);
  return sql`if(${counted} > 0, sumIf(${value(args).sql}, ${only}) / nullIf(${counted}, 0), NULL)`;
}

/** How many values take part. */
const countedOf = (one: SqlValue, only: Sql): Sql => sql`countIf(isNotNull(${one.sql}) AND ${only})`;

/** An aggregation with or without a condition, told by how many values take part. */
const countingValues =
  (plainly: Sql, where: Sql, told: (counted: Sql, built: Sql) => Sql): AggregateBuilder =>
  (args, call) => {
    const only = args.length > 1 ? condition(call, 1) : null;
    const counted = countedOf(value(args), only ?? sql`true`);
    return told(counted, (only ? conditional(where) : plain(plainly))(args, call));
  };

/** The deviation of a sample is 0 over no value and over one. */
const ofSample = (plainly: Sql, where: Sql): AggregateBuilder =>
  countingValues(plainly, where, (counted, built) => sql`if(${counted} <= 1, 0, ${built})`);

/** The least or the greatest; among reals a NaN is both. */
const extreme =
  (plainly: Sql, where: Sql): AggregateBuilder =>
  (args, call) => {
    const only = args.length > 1 ? condition(call, 1) : null;
    const built = (only ? conditional(where) : plain(plainly))(args, call);
    const { type, sql: piece } = value(args);
    if (type !== 'real') return built;
    const isNan = sql`ifNull(isNaN(${piece}), false)`;
    return sql`if(countIf(${only ? sql`${isNan} AND ${only}` : isNan}) > 0, nan, ${built})`;
  };

/** Null over no values. */
const ofSome = (plainly: Sql, where: Sql): AggregateBuilder =>
  countingValues(plainly, where, (counted, built) => sql`if(${counted} = 0, NULL, ${built})`);

/** Distinct values are counted by what they say, so that a dynamic value equals itself. */
const distinctOf = (one: SqlValue): Sql => (one.type === 'real' ? sql`toString(${one.sql})` : one.sql);

/**
 * `dcount` may estimate. Telling texts apart by a hash of 64 bits costs half of what the texts themselves do, and among
 * ten million of them the odds that two fall together are one in 300,000.
 */
const estimatedOf = (one: SqlValue): Sql =>
  one.type === 'string' && !one.nullable ? sql`xxh3(${one.sql})` : distinctOf(one);

/** The limit of a list or set as its own parameter. */
function most(args: readonly SqlValue[], index: number): Sql {
  const limit = args[index]?.constant;
  return parameter('UInt64', limit === undefined || limit === null ? MAX_ELEMENTS : String(limit));
}

/** Dynamic values: an array gives its elements, any other value itself. A set leaves out null, a list keeps it. */
function elementsOf(one: SqlValue, distinct: boolean): Sql {
  const json = sql`ifNull(${one.sql}, 'null')`;
  const parts = sql`if(startsWith(${json}, '['), JSONExtractArrayRaw(${json}), [${json}])`;
  return distinct ? sql`arrayFilter(e -> e != 'null', ${parts})` : parts;
}

/**
 * Values of a group, in the order of the rows. A set of stored events has no order and may be large, so the engine's
 * own set holds it; of rows that the query itself makes the first of each value stays in its place.
 */
function gathered(
  element: Sql,
  arrays: boolean,
  limit: Sql,
  only: Sql | null,
  set: 'plain' | 'ordered' | null,
): Sql {
  const rest = only ? sql`, ${only}` : sql``;
  const suffix = `${arrays ? 'Array' : ''}${only ? 'If' : ''}`;
  if (set === 'ordered')
    return sql`arraySlice(arrayDistinct(${ownText(`groupArray${suffix}`)}(${element}${rest})), 1, ${limit})`;
  return sql`${ownText(`${set ? 'groupUniqArray' : 'groupArray'}${suffix}`)}(${limit})(${element}${rest})`;
}

const list =
  (distinct: boolean, limitAt: number, filtered: boolean): AggregateBuilder =>
  (args, call) => {
    const one = value(args);
    // One value for each group, as any aggregation gives.
    if (args[limitAt]?.constant !== undefined && Number(args[limitAt]?.constant) <= 0)
      return sql`if(count() < 0, '', '[]')`;
    const arrays = one.type === 'dynamic';
    const single = one.type === 'string' ? jsonSql(one) : jsonSql({ ...one, nullable: true });
    const element = arrays ? elementsOf(one, distinct) : single;
    const only = filtered ? condition(call, 1) : null;
    const set = distinct ? (call.inOrder ? 'ordered' : 'plain') : null;
    return arrayJsonSql(gathered(element, arrays, most(args, limitAt), only, set));
  };

const bag =
  (limitAt: number, filtered: boolean): AggregateBuilder =>
  (args, call) => {
    const json = sql`ifNull(${value(args).sql}, '')`;
    const pairs = sql`JSONExtractKeysAndValuesRaw(${json})`;
    const all = filtered
      ? sql`arrayFlatten(groupArrayIf(${pairs}, ${condition(call, 1)}))`
      : sql`arrayFlatten(groupArray(${pairs}))`;
    const unique = sql`arrayFilter((p, i) -> i = 1, ${all}, arrayEnumerateUniq(arrayMap(q -> q.1, ${all})))`;
    const kept = sql`arraySlice(${unique}, 1, ${most(args, limitAt)})`;
    return sql`concat('{', arrayStringConcat(arrayMap(kv -> concat(toJSONString(kv.1), ':', kv.2), ${kept}), ','), '}')`;
  };

/** The engine's level of a percentile: a trace below it, so that a rank that is met exactly is the nearest one. */
function levelOf(one: SqlValue): Sql {
  const percent = Number(one.constant ?? 50);
  return parameter('Float64', Math.min(1, Math.max(0, percent / 100 - (percent < 100 ? 1e-12 : 0))));
}

/** The nearest rank: the smallest value that at least p percent of the values do not exceed. */
const percentile: AggregateBuilder = (args, call) => {
  const built = sql`quantileExactOrNull(${levelOf(value(args, 1))})(${value(args).sql})`;
  return call.item.type === 'real' ? sql`toFloat64(${built})` : sql`toInt64(${built})`;
};

/** The covariance of the rows where both are there; of a sample, which takes two of them, when `sample` is set. */
function together(args: readonly SqlValue[], sample: boolean, only: Sql | null): Sql {
  const [one, other] = [value(args, 0).sql, value(args, 1).sql];
  const both = sql`(isNotNull(${one}) AND isNotNull(${other}) AND ${only ?? sql`true`})`;
  const pair = sql`(ifNull(${one}, 0), ifNull(${other}, 0), ${both})`;
  return sample
    ? sql`multiIf(countIf(${both}) = 0, NULL, countIf(${both}) = 1, nan, covarSampStableIf${pair})`
    : sql`if(countIf(${both}) > 0, covarPopStableIf${pair}, NULL)`;
}

/** The nearest rank where each value stands for as many as its weight says. */
const weighted: AggregateBuilder = (args, call) => {
  const counted = sql`(isNotNull(${value(args).sql}) AND ifNull(${value(args, 1).sql} > 0, false))`;
  const weight = sql`toUInt64(greatest(ifNull(${value(args, 1).sql}, 0), 0))`;
  const built = sql`if(countIf(${counted}) > 0, quantileExactWeightedIf(${levelOf(value(args, 2))})(assumeNotNull(${value(args).sql}), ${weight}, ${counted}), NULL)`;
  return call.item.type === 'real' ? sql`toFloat64(${built})` : sql`toInt64(${built})`;
};

/** Of each condition the marks of the events that meet it: one aggregation for all of them, as each takes the engine time. */
const marksOfEach: AggregateBuilder = (args, { conditions }) => {
  const each = conditions.slice(2).map((one) => one ?? sql`false`);
  const marks = sql`arrayWithConstant(${ownText(each.length)}, ${eventMark(value(args).sql)})`;
  const met = sql`arrayMap(met -> ifNull(met, false), [${commaList(each)}])`;
  return sql`toJSONString(groupArrayIfForEach(${most(args, 1)})(${marks}, ${met}))`;
};

/** Any text that says something. */
const anyFilled = ({ sql: text }: SqlValue, only: Sql | null): Sql =>
  sql`anyOrNullIf(${text}, ${only ? sql`${only} AND ` : sql``}notEmpty(${text}))`;

/** The SQL of every aggregation of the registry, by its name there. */
export const AGGREGATE_BUILDERS: Readonly<Record<string, AggregateBuilder>> = {
  count: () => sql`count()`,
  countif: (_, call) => sql`countIf(${condition(call, 0)})`,
  dcount: (args) => sql`uniqExact(${estimatedOf(value(args))})`,
  dcountif: (args, call) => sql`uniqExactIf(${estimatedOf(value(args))}, ${condition(call, 1)})`,
  count_distinct: (args) => sql`uniqExact(${distinctOf(value(args))})`,
  count_distinctif: (args, call) => sql`uniqExactIf(${distinctOf(value(args))}, ${condition(call, 1)})`,
  sum: sumOf(plain(sql`sum`)),
  sumif: sumOf(conditional(sql`sumIf`)),
  avg: average(plain(sql`avg`)),
  avgif: average(conditional(sql`avgIf`)),
  min: extreme(sql`minOrNull`, sql`minOrNullIf`),
  minif: extreme(sql`minOrNull`, sql`minOrNullIf`),
  max: extreme(sql`maxOrNull`, sql`maxOrNullIf`),
  maxif: extreme(sql`maxOrNull`, sql`maxOrNullIf`),
  percentile,
  stdev: ofSample(sql`stddevSampStable`, sql`stddevSampStableIf`),
  stdevif: ofSample(sql`stddevSampStable`, sql`stddevSampStableIf`),
  stdevp: ofSome(sql`stddevPopStable`, sql`stddevPopStableIf`),
  variance: ofSample(sql`varSampStable`, sql`varSampStableIf`),
  varianceif: ofSample(sql`varSampStable`, sql`varSampStableIf`),
  variancep: ofSome(sql`varPopStable`, sql`varPopStableIf`),
  variancepif: ofSome(sql`varPopStable`, sql`varPopStableIf`),
  covariance: (args) => together(args, true, null),
  covarianceif: (args, call) => together(args, true, condition(call, 2)),
  covariancep: (args) => together(args, false, null),
  covariancepif: (args, call) => together(args, false, condition(call, 2)),
  percentilew: weighted,
  hll: (args) => hllOf(args, null),
  hll_if: (args, call) => hllOf(args, condition(call, 1)),
  hll_merge: hllMerged,
  tdigest: digestOf,
  tdigest_merge: digestMerged,
  event_marks: (args) => sql`toJSONString(groupArray(${most(args, 1)})(${eventMark(value(args).sql)}))`,
  event_marks_each: marksOfEach,
  take_any: (args, call) =>
    value(args).type === 'string' ? anyFilled(value(args), null) : plain(sql`anyOrNull`)(args, call),
  take_anyif: (args, call) =>
    value(args).type === 'string'
      ? anyFilled(value(args), condition(call, 1))
      : conditional(sql`anyOrNullIf`)(args, call),
  make_list: list(false, 1, false),
  make_list_if: list(false, 2, true),
  make_list_with_nulls: (args) =>
    value(args).type === 'dynamic'
      ? arrayJsonSql(sql`groupArrayArray(${elementsOf(value(args), false)})`)
      : arrayJsonSql(sql`groupArray(${jsonElementSql({ ...value(args), nullable: true })})`),
  list_of_values: (args) =>
    arrayJsonSql(sql`groupArray(${jsonElementSql({ ...value(args), nullable: true })})`),
  make_set: list(true, 1, false),
  make_set_if: list(true, 2, true),
  make_bag: bag(1, false),
  make_bag_if: bag(2, true),
  binary_all_and: ofSome(sql`groupBitAnd`, sql`groupBitAndIf`),
  binary_all_or: ofSome(sql`groupBitOr`, sql`groupBitOrIf`),
  binary_all_xor: ofSome(sql`groupBitXor`, sql`groupBitXorIf`),
  buildschema: (args) => schemaOf(value(args)),
  same_value: plain(sql`anyOrNull`),
};
