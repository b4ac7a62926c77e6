import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { flagsJson, named, numbersSql, onComplete, onSeries, seriesJson } from './series-sql.ts';

// Series element by element, sums over them, and filters. An element that is no number, or that the other series does
// not have, gives null.

type Pair = (one: Sql, other: Sql) => Sql;

const each =
  (fn: (x: Sql) => Sql): Builder =>
  (args) =>
    onSeries(arg(args, 0), seriesJson(sql`arrayMap(sx -> ${fn(sql`sx`)}, ${numbersSql(arg(args, 0))})`));

const isSeries = (value: SqlValue | undefined): boolean => value?.type === 'dynamic';

const scalarNumber = (value: SqlValue | undefined): Sql => sql`toFloat64(${value?.sql ?? sql`NULL`})`;

/** Two series, or a series and a number that stands for a series of it. */
function paired(args: readonly SqlValue[], fn: Pair): Sql {
  const [one, other] = args;
  if (isSeries(one) && isSeries(other)) {
    const most = sql`greatest(length(pa), length(pb))`;
    return named(
      { pa: numbersSql(arg(args, 0)), pb: numbersSql(arg(args, 1)) },
      sql`arrayMap((sx, sy) -> ${fn(sql`sx`, sql`sy`)}, arrayResize(pa, ${most}, NULL), arrayResize(pb, ${most}, NULL))`,
    );
  }
  return isSeries(one)
    ? sql`arrayMap(sx -> ${fn(sql`sx`, scalarNumber(other))}, ${numbersSql(arg(args, 0))})`
    : sql`arrayMap(sx -> ${fn(scalarNumber(one), sql`sx`)}, ${numbersSql(arg(args, 1))})`;
}

/** NULL unless every dynamic argument is an array. */
function onAllSeries(args: readonly SqlValue[], result: Sql): Sql {
  return args.filter(isSeries).reduce((inner, one) => onSeries(one.sql, inner), result);
}

const pair =
  (fn: Pair): Builder =>
  (args) =>
    onAllSeries(args, seriesJson(paired(args, fn)));

const compared =
  (fn: Pair): Builder =>
  (args) =>
    onAllSeries(args, flagsJson(paired(args, fn)));

/** Logarithms of what has one; minus infinity for zero. */
const logarithm = (x: Sql): Sql => sql`if(${x} > 0, log(greatest(${x}, 0)), if(${x} = 0, -inf, NULL))`;

/** The products of the elements that both have as numbers, as far as the shorter goes; null when one is empty. */
const dotProduct: Builder = (args) => {
  const [one, other] = args;
  const both = isSeries(one) && isSeries(other);
  const products = both
    ? named(
        { da: numbersSql(arg(args, 0)), db: numbersSql(arg(args, 1)) },
        sql`arrayMap((sx, sy) -> sx * sy, arraySlice(da, 1, least(length(da), length(db))), arraySlice(db, 1, least(length(da), length(db))))`,
      )
    : paired(args, (x, y) => sql`${x} * ${y}`);
  const total = named(
    { dp: products },
    sql`if(empty(dp), NULL, arraySum(arrayMap(de -> ifNull(de, 0), dp)))`,
  );
  return onAllSeries(args, total);
};

/** The cosine of the angle between two series, or that of the magnitudes that are given. */
const cosine: Builder = (args) => {
  const pairs = named(
    { ca: numbersSql(arg(args, 0)), cb: numbersSql(arg(args, 1)) },
    sql`arrayFilter(ce -> isNotNull(ce.1) AND isNotNull(ce.2), arrayZip(arraySlice(ca, 1, least(length(ca), length(cb))), arraySlice(cb, 1, least(length(ca), length(cb)))))`,
  );
  const root = (part: Sql): Sql => sql`sqrt(arraySum(cm -> ifNull(${part} * ${part}, 0), cp))`;
  const magnitudes = sql`(${args[2]?.sql ?? root(sql`cm.1`)} * ${args[3]?.sql ?? root(sql`cm.2`)})`;
  return onAllSeries(
    args.slice(0, 2),
    named(
      { cp: pairs },
      sql`if(empty(cp), NULL, arraySum(cm -> ifNull(cm.1 * cm.2, 0), cp) / ${magnitudes})`,
    ),
  );
};

/** Pearson's coefficient; null for series with gaps or of different lengths. */
const pearson: Builder = (args) => {
  const centred = named(
    { ma: sql`arrayAvg(xa)`, mb: sql`arrayAvg(xb)` },
    sql`arraySum((x, y) -> (x - ma) * (y - mb), xa, xb) / sqrt(arraySum(x -> (x - ma) * (x - ma), xa) * arraySum(y -> (y - mb) * (y - mb), xb))`,
  );
  const same = sql`if(length(xa) = length(xb) AND notEmpty(xa), ${centred}, NULL)`;
  return onComplete(arg(args, 0), 'xa', onComplete(arg(args, 1), 'xb', same, sql`NULL`), sql`NULL`);
};

const folded =
  (result: Sql): Builder =>
  (args) =>
    onComplete(arg(args, 0), 'xs', result, sql`NULL`);

/**
 * The finite impulse response: y[i] is the sum of f[k] * x[i - k], values before the series counting as 0; `center`
 * moves it by half the filter. Filters without negative coefficients are normalised to a sum of 1.
 */
const fir: Builder = (args) => {
  const normalize = args[2]?.sql ?? sql`NOT arrayExists(fk -> fk < 0, xf)`;
  const center = args[3]?.sql ?? sql`false`;
  const step = sql`arrayMap((fa, fv) -> fa + fv * fk.1, facc, arraySlice(xp, toInt64(fk.2), length(xs)))`;
  const sums = named(
    {
      lag: sql`if(ifNull(${center}, false), intDiv(toInt64(length(xf)) - 1, 2), toInt64(0))`,
      total: sql`if(ifNull(${normalize}, NOT arrayExists(fk -> fk < 0, xf)), arraySum(xf), 1.)`,
    },
    named(
      {
        xp: sql`arrayConcat(arrayWithConstant(greatest(toInt64(length(xf)) - 1 - lag, 0), toFloat64(0)), xs, arrayWithConstant(lag, toFloat64(0)))`,
      },
      sql`arrayMap(fy -> fy / total, arrayFold((facc, fk) -> ${step}, arrayZip(arrayReverse(xf), arrayEnumerate(xf)), arrayMap(fz -> toFloat64(0), xs)))`,
    ),
  );
  const refused = sql`(ifNull(${args[2]?.sql ?? sql`false`}, false) AND arrayExists(fk -> fk < 0, xf))`;
  const body = sql`if(${refused}, NULL, ${seriesJson(sums)})`;
  return onComplete(arg(args, 0), 'xs', onComplete(arg(args, 1), 'xf', body, sql`NULL`), sql`NULL`);
};

/** The infinite impulse response, by the recursive formula of Kusto's documentation. */
const iir: Builder = (args) => {
  const forward = named(
    { xp: sql`arrayConcat(arrayWithConstant(greatest(toInt64(length(xb)) - 1, 0), toFloat64(0)), xs)` },
    sql`arrayFold((iacc, ik) -> arrayMap((ia, iv) -> ia + iv * ik.1, iacc, arraySlice(xp, toInt64(ik.2), length(xs))), arrayZip(arrayReverse(xb), arrayEnumerate(xb)), arrayMap(iz -> toFloat64(0), xs))`,
  );
  const back = sql`arrayReverse(arraySlice(xa, 2))`;
  const recursion = named(
    { un: forward, tail: back },
    sql`arraySlice(arrayFold((yacc, uv) -> arrayPushBack(yacc, (uv - arraySum((yt, yv) -> yt * yv, tail, arraySlice(yacc, toInt64(length(yacc)) - toInt64(length(tail)) + 1, length(tail)))) / xa[1]), un, arrayMap(tz -> toFloat64(0), tail)), toInt64(length(tail)) + 1)`,
  );
  const body = sql`if(empty(xa) OR empty(xb) OR xa[1] = 0, NULL, ${seriesJson(recursion)})`;
  return onComplete(
    arg(args, 0),
    'xs',
    onComplete(arg(args, 1), 'xb', onComplete(arg(args, 2), 'xa', body, sql`NULL`), sql`NULL`),
    sql`NULL`,
  );
};

/** Arithmetic, comparison, sums and filters. */
export const SERIES_BUILDERS: Readonly<Record<string, Builder>> = {
  series_abs: each((x) => sql`abs(${x})`),
  series_acos: each((x) => sql`acos(${x})`),
  series_asin: each((x) => sql`asin(${x})`),
  series_atan: each((x) => sql`atan(${x})`),
  series_ceiling: each((x) => sql`ceil(${x})`),
  series_cos: each((x) => sql`cos(${x})`),
  series_exp: each((x) => sql`exp(${x})`),
  series_floor: each((x) => sql`floor(${x})`),
  series_log: each(logarithm),
  series_sign: each((x) => sql`toFloat64(sign(${x}))`),
  series_sin: each((x) => sql`sin(${x})`),
  series_tan: each((x) => sql`tan(${x})`),
  series_add: pair((x, y) => sql`(${x} + ${y})`),
  series_subtract: pair((x, y) => sql`(${x} - ${y})`),
  series_multiply: pair((x, y) => sql`(${x} * ${y})`),
  series_divide: pair((x, y) => sql`(${x} / ${y})`),
  series_pow: pair((x, y) => sql`pow(${x}, ${y})`),
  series_equals: compared((x, y) => sql`(${x} = ${y})`),
  series_not_equals: compared((x, y) => sql`(${x} != ${y})`),
  series_greater: compared((x, y) => sql`(${x} > ${y})`),
  series_greater_equals: compared((x, y) => sql`(${x} >= ${y})`),
  series_less: compared((x, y) => sql`(${x} < ${y})`),
  series_less_equals: compared((x, y) => sql`(${x} <= ${y})`),
  series_sum: folded(sql`arraySum(xs)`),
  series_product: folded(sql`arrayProduct(xs)`),
  series_magnitude: folded(sql`sqrt(arraySum(x -> x * x, xs))`),
  series_dot_product: dotProduct,
  series_cosine_similarity: cosine,
  series_pearson_correlation: pearson,
  series_fir: fir,
  series_iir: iir,
};
