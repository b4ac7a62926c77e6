import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder, constantText } from './builder.ts';
import {
  named,
  numbersSql,
  onComplete,
  onSeries,
  seriesJson,
  sortedQuantile,
  tupleJson,
} from './series-sql.ts';

// Periods, seasons, trends and outliers. Kusto documents the decomposition (median of each phase, then the mean or a
// line) and Tukey's fences; how it scores a period it does not. Here the score is the autocorrelation at the period,
// weighed by the root of the part of the series that it compares: `docs/kql-semantics.md` names the deviation.

/**
 * Every period of the series `xs` that stands out, as tuples (period, score), best first. It is a local maximum of
 * the autocorrelation, has from 4 points to less than half of the series, exceeds what noise reaches (1.96 / sqrt(n)),
 * and is neither next to a better one nor a mere multiple of it.
 */
function periods(series: Sql): Sql {
  const half = sql`(toInt64(intDiv(length(pd), 2)) + 1)`;
  const correlation = sql`arrayMap(pk -> if(pk >= toInt64(length(pd)), 0., arraySum((u, v) -> u * v, arraySlice(pd, 1, toInt64(length(pd)) - pk), arraySlice(pd, pk + 1)) / pv * length(pd) / (toInt64(length(pd)) - pk)), range(1, ${half} + 1))`;
  const score = sql`(pr[pk] * sqrt((toInt64(length(pd)) - pk) / length(pd)))`;
  const peak = sql`(pr[pk] >= pr[pk - 1] AND pr[pk] >= pr[pk + 1] AND (pr[pk] > pr[pk - 1] OR pr[pk] > pr[pk + 1]))`;
  const found = sql`arrayFilter(pk -> ${peak} AND ${score} > 1.96 / sqrt(length(pd)), range(4, greatest(toInt64(intDiv(length(pd) + 1, 2)), 4)))`;
  const scored = sql`arrayReverseSort(pt -> pt.2, arrayMap(pk -> tuple(toFloat64(pk), least(${score}, 1.), pr[pk]), ${found}))`;
  const near = sql`abs(pn.1 - po.1) <= 0.2 * po.1`;
  const multiple = sql`(round(pn.1 / po.1) >= 2 AND abs(pn.1 - po.1 * round(pn.1 / po.1)) <= 0.2 * po.1 AND pn.3 <= po.3)`;
  const chosen = sql`arrayFold((pa, pn) -> if(arrayExists(po -> (${near}) OR ${multiple}, pa), pa, arrayPushBack(pa, pn)), ps, arraySlice(ps, 1, 0))`;
  return named(
    { pm: sql`arrayAvg(${series})` },
    named(
      { pd: sql`arrayMap(v -> v - pm, ${series})` },
      named(
        { pv: sql`arraySum(v -> v * v, pd)` },
        named(
          { pr: correlation },
          named({ ps: sql`if(pv > 0, ${scored}, arraySlice(${scored}, 1, 0))` }, chosen),
        ),
      ),
    ),
  );
}

const asPeriods = (list: Sql): Sql =>
  tupleJson([seriesJson(sql`arrayMap(t -> t.1, ${list})`), seriesJson(sql`arrayMap(t -> t.2, ${list})`)]);

/** The best periods within bounds, filled up with zeros to the number that is asked for. */
const detect: Builder = (args) => {
  const [least, most, count] = [arg(args, 1), arg(args, 2), arg(args, 3)];
  const inside = sql`arrayMap(t -> tuple(t.1, t.2), arrayFilter(t -> t.1 >= ${least} AND t.1 <= ${most}, ${periods(sql`xs`)}))`;
  const list = sql`arrayResize(${inside}, toUInt64(greatest(least(ifNull(${count}, 0), 1000), 0)), tuple(0., 0.))`;
  return onComplete(
    arg(args, 0),
    'xs',
    named({ pl: list }, asPeriods(sql`pl`)),
    tupleJson([sql`'null'`, sql`'null'`]),
  );
};

/** The scores of given periods: 0 for one that does not stand out. */
const validate: Builder = (args) => {
  const given = args.slice(1).map((one): Sql => sql`toFloat64(ifNull(${one.sql}, 0))`);
  const all = given.reduce((one, other): Sql => sql`${one}, ${other}`);
  const score = sql`arraySum(t -> if(t.1 = round(pg), t.2, 0.), pl)`;
  const body = named({ pl: periods(sql`xs`) }, asPeriods(sql`arrayMap(pg -> tuple(pg, ${score}), [${all}])`));
  return onComplete(arg(args, 0), 'xs', body, tupleJson([sql`'null'`, sql`'null'`]));
};

/** The period to use: the given one, none for 0, or the best one found when it is -1. */
function periodOf(given: SqlValue | undefined, threshold: Sql): Sql {
  const best = named(
    { bp: periods(sql`xl`) },
    sql`if(notEmpty(bp) AND bp[1].2 >= ${threshold}, toInt64(bp[1].1), toInt64(0))`,
  );
  if (!given || given.constant === null || given.constant === '-1') return best;
  if (given.constant !== undefined) return sql`greatest(${given.sql}, 0)`;
  return sql`if(${given.sql} = -1, ${best}, greatest(ifNull(${given.sql}, 0), 0))`;
}

/** The season: the median of the points that have the same phase, for each position of `xs`; learnt from `xl`. */
const SEASON = sql`if(pp > 0, ${named(
  {
    pq: sql`arrayMap(j -> arrayReduce('quantileExactInclusive(0.5)', arrayFilter((v, i) -> modulo(toInt64(i) - 1, greatest(pp, 1)) = j, xl, arrayEnumerate(xl))), range(pp))`,
  },
  sql`arrayMap(i -> pq[modulo(toInt64(i) - 1, greatest(pp, 1)) + 1], arrayEnumerate(xs))`,
)}, arrayMap(v -> 0., xs))`;

/** The trend of what remains without the season: its mean, a line through it, or nothing. */
function trendOf(kind: string): Sql {
  const rest = sql`arrayMap((v, s) -> v - s, xl, arraySlice(ss, 1, length(xl)))`;
  if (kind === 'none') return sql`arrayMap(v -> 0., xs)`;
  if (kind !== 'linefit') return sql`arrayMap(v -> arrayAvg(${rest}), xs)`;
  return named(
    { tr: rest },
    named(
      { tn: sql`toFloat64(length(tr))`, tm: sql`arrayAvg(tr)` },
      named(
        {
          tk: sql`if(tn > 1, arraySum((v, i) -> (v - tm) * (i - 1 - (tn - 1) / 2), tr, arrayEnumerate(tr)) / (tn * (tn * tn - 1) / 12), 0.)`,
        },
        sql`arrayMap(i -> tm + tk * (i - 1 - (tn - 1) / 2), arrayEnumerate(xs))`,
      ),
    ),
  );
}

interface Decomposition {
  readonly period: SqlValue | undefined;
  readonly trend: string;
  readonly testPoints: SqlValue | undefined;
  readonly threshold: Sql;
}

/** Takes the series apart; `body` reads `xs`, the season `ss`, the trend `tt` and the baseline `bb`. */
function decomposed(args: readonly SqlValue[], how: Decomposition, body: Sql, otherwise: Sql): Sql {
  const held = how.testPoints ? sql`greatest(ifNull(${how.testPoints.sql}, 0), 0)` : sql`0`;
  const learnt = sql`arraySlice(xs, 1, greatest(toInt64(length(xs)) - ${held}, 0))`;
  const steps = named(
    { xl: learnt },
    named(
      { pp: sql`toInt64(${periodOf(how.period, how.threshold)})` },
      named(
        { ss: SEASON },
        named({ tt: trendOf(how.trend) }, named({ bb: sql`arrayMap((s, t) -> s + t, ss, tt)` }, body)),
      ),
    ),
  );
  return onComplete(arg(args, 0), 'xs', steps, otherwise);
}

const RESIDUAL = sql`arrayMap((v, b) -> v - b, xs, bb)`;

const components = tupleJson([
  seriesJson(sql`bb`),
  seriesJson(sql`ss`),
  seriesJson(sql`tt`),
  seriesJson(RESIDUAL),
]);

const nothing = (count: number): Sql => tupleJson(Array.from({ length: count }, () => sql`'null'`));

const thresholdOf = (value: SqlValue | undefined): Sql => (value ? sql`ifNull(${value.sql}, 0.6)` : sql`0.6`);

/**
 * Tukey's fences: how far a number lies beyond the lower or upper quantile, in widths between them. Numbers between
 * the quantiles score 0. `numbers` may hold NULL, which scores 0 and does not count.
 */
function tukey(numbers: Sql, learnt: Sql, low: Sql, high: Sql): Sql {
  const sorted = sql`arraySort(arrayMap(v -> assumeNotNull(v), arrayFilter(v -> isNotNull(v), ${learnt})))`;
  const score = sql`multiIf(isNull(v), 0., v > qh, (v - qh) / (qh - ql), v < ql, (v - ql) / (qh - ql), 0.)`;
  return named(
    { qs: sorted },
    named(
      { ql: sortedQuantile(sql`qs`, low), qh: sortedQuantile(sql`qs`, high) },
      sql`arrayMap(v -> ifNull(${score}, 0.), ${numbers})`,
    ),
  );
}

const fences = (kind: string): readonly [Sql, Sql] =>
  kind === 'tukey' ? [sql`0.25`, sql`0.75`] : [sql`0.1`, sql`0.9`];

const outliers: Builder = (args) => {
  const kind = constantText(args, 1);
  const [low, high] = fences(kind);
  const custom = kind !== 'tukey';
  const bound = (value: SqlValue | undefined, otherwise: Sql): Sql =>
    custom && value ? sql`(ifNull(${value.sql} / 100, ${otherwise}))` : otherwise;
  const ignored = args[2] ? sql`if(v = ${args[2].sql}, NULL, v)` : sql`v`;
  const held = args[5] ? sql`greatest(ifNull(${args[5].sql}, 0), 0)` : sql`0`;
  const scores = tukey(
    sql`ov`,
    sql`arraySlice(ov, 1, greatest(toInt64(length(ov)) - ${held}, 0))`,
    bound(args[3], low),
    bound(args[4], high),
  );
  return onSeries(
    arg(args, 0),
    named({ ov: sql`arrayMap(v -> ${ignored}, ${numbersSql(arg(args, 0))})` }, seriesJson(scores)),
  );
};

const anomalies: Builder = (args) => {
  const limit = args[1] ? sql`ifNull(${args[1].sql}, 1.5)` : sql`1.5`;
  const [low, high] = fences(constantText(args, 5));
  const how = {
    period: args[2],
    trend: constantText(args, 3),
    testPoints: args[4],
    threshold: thresholdOf(args[6]),
  };
  const scores = named({ rr: RESIDUAL }, tukey(sql`rr`, sql`arraySlice(rr, 1, length(xl))`, low, high));
  const flags = sql`arrayMap(v -> multiIf(v > ${limit}, '1', v < -${limit}, '-1', '0'), sc)`;
  const body = named(
    { sc: scores },
    tupleJson([
      sql`concat('[', arrayStringConcat(${flags}, ','), ']')`,
      seriesJson(sql`sc`),
      seriesJson(sql`bb`),
    ]),
  );
  return decomposed(args, how, body, nothing(3));
};

/** Periods, seasons, decompositions and outliers. */
export const SERIES_SEASON_BUILDERS: Readonly<Record<string, Builder>> = {
  series_periods_detect: detect,
  series_periods_validate: validate,
  series_outliers: outliers,
  series_seasonal: (args) =>
    decomposed(
      args,
      { period: args[1], trend: 'none', testPoints: args[2], threshold: sql`0.7` },
      seriesJson(sql`ss`),
      sql`NULL`,
    ),
  series_decompose: (args) =>
    decomposed(
      args,
      {
        period: args[1],
        trend: constantText(args, 2),
        testPoints: args[3],
        threshold: thresholdOf(args[4]),
      },
      components,
      nothing(4),
    ),
  series_decompose_forecast: (args) =>
    decomposed(
      args,
      {
        period: args[2],
        trend: constantText(args, 3),
        testPoints: args[1],
        threshold: thresholdOf(args[4]),
      },
      components,
      nothing(4),
    ),
  series_decompose_anomalies: anomalies,
};
