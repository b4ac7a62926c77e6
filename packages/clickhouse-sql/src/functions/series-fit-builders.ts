import { ownText, type Sql, sql } from '../sql.ts';
import { arg, type Builder, constantNumber } from './builder.ts';
import {
  bagOf,
  named,
  numberJson,
  numbersSql,
  onComplete,
  onSeries,
  seriesJson,
  tupleJson,
} from './series-sql.ts';

// Statistics and regressions of series. A function that gives several columns gives one array of their values in the
// binder's order; its `_dynamic` twin gives a bag. Variances are those of a sample.

const NULLS = (count: number): Sql => tupleJson(Array.from({ length: count }, () => sql`'null'`));

/** Minimum, maximum (each with its first position), mean, deviation and variance of the numbers that `sv` holds. */
function statistics(): Readonly<
  Record<'min' | 'minAt' | 'max' | 'maxAt' | 'avg' | 'stdev' | 'variance', Sql>
> {
  const spread = sql`(arraySum(v -> (v - arrayAvg(sf)) * (v - arrayAvg(sf)), sf) / (length(sf) - 1))`;
  return {
    min: numberJson(sql`arrayMin(sf)`),
    minAt: sql`toString(toInt64(indexOf(sv, arrayMin(sf))) - 1)`,
    max: numberJson(sql`arrayMax(sf)`),
    maxAt: sql`toString(toInt64(indexOf(sv, arrayMax(sf))) - 1)`,
    avg: numberJson(sql`arrayAvg(sf)`),
    stdev: numberJson(sql`sqrt(${spread})`),
    variance: numberJson(spread),
  };
}

/** Reads the series as `sv` and its finite numbers as `sf`; `otherwise` when there are none, or others beside them. */
function onFinite(args: Parameters<Builder>[0], body: Sql, otherwise: Sql): Sql {
  const ignore = args[1]?.constant === true;
  const usable = ignore ? sql`notEmpty(sf)` : sql`(notEmpty(sf) AND length(sf) = length(sv))`;
  const finite = sql`arrayMap(v -> assumeNotNull(v), arrayFilter(v -> ifNull(isFinite(v), false), sv))`;
  return onSeries(
    arg(args, 0),
    named({ sv: numbersSql(arg(args, 0)) }, named({ sf: finite }, sql`if(${usable}, ${body}, ${otherwise})`)),
  );
}

const stats: Builder = (args) => {
  const { min, minAt, max, maxAt, avg, stdev, variance } = statistics();
  return onFinite(args, tupleJson([min, minAt, max, maxAt, avg, stdev, variance]), NULLS(7));
};

const statsDynamic: Builder = (args) => {
  const { min, minAt, max, maxAt, avg, stdev, variance } = statistics();
  const [total, count] = [numberJson(sql`arraySum(sf)`), sql`toString(length(sf))`];
  const bag = { min, min_idx: minAt, max, max_idx: maxAt, avg, stdev, variance, sum: total, len: count };
  return onFinite(args, bagOf(bag), sql`NULL`);
};

/** The columns of a regression: the tuple (rsquare, slope, variance, rvariance, interception). */
const LINE_VALUES = ['rsquare', 'slope', 'variance', 'rvariance', 'interception'] as const;

type LineValue = (typeof LINE_VALUES)[number];

/**
 * The least squares line through (1, y1), (2, y2) ... as a tuple of `LINE_VALUES` and the sum of its squared errors.
 * `prefix` keeps the names of nested lines apart.
 */
function lineOf(numbers: Sql, prefix: string): Sql {
  const name = (part: string): Sql => ownText(`${prefix}${part}`);
  const [y, n, mean, sxx, sxy, syy] = ['y', 'n', 'm', 'xx', 'xy', 'yy'].map(name) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ];
  const middle = sql`((${n} - 1) / 2)`;
  const indexed = sql`arrayEnumerate(${y})`;
  const slope = sql`(${sxy} / ${sxx})`;
  const errors = sql`greatest(${syy} - ${slope} * ${sxy}, 0)`;
  const result = sql`tuple(1 - ${errors} / ${syy}, ${slope}, ${syy} / (${n} - 1), ${errors} / (${n} - 1), ${mean} - ${slope} * (${middle} + 1), ${errors})`;
  const sums = {
    [`${prefix}xx`]: sql`(${n} * (${n} * ${n} - 1) / 12)`,
    [`${prefix}xy`]: sql`arraySum((v, i) -> (v - ${mean}) * (i - 1 - ${middle}), ${y}, ${indexed})`,
    [`${prefix}yy`]: sql`arraySum(v -> (v - ${mean}) * (v - ${mean}), ${y})`,
  };
  return named(
    { [`${prefix}y`]: numbers },
    named(
      { [`${prefix}n`]: sql`toFloat64(length(${y}))`, [`${prefix}m`]: sql`arrayAvg(${y})` },
      named(sums, result),
    ),
  );
}

const part = (line: Sql, value: LineValue): Sql =>
  sql`tupleElement(${line}, ${ownText(LINE_VALUES.indexOf(value) + 1)})`;

const fitted = (line: Sql, count: Sql): Sql =>
  sql`arrayMap(fi -> ${part(line, 'interception')} + ${part(line, 'slope')} * (fi + 1), range(toUInt64(${count})))`;

/** A tuple or a bag of the values of a function. */
type Shape = (values: Readonly<Record<string, Sql>>) => Sql;

const inTuple: Shape = (values) => tupleJson(Object.values(values));

const fitLine =
  (shape: Shape, otherwise: Sql): Builder =>
  (args) => {
    const line = sql`fl`;
    const values: Record<string, Sql> = {};
    for (const value of LINE_VALUES) values[value] = numberJson(part(line, value));
    values.line_fit = seriesJson(fitted(line, sql`length(xs)`));
    const body = named({ fl: lineOf(sql`xs`, 'l') }, shape(values));
    return onComplete(arg(args, 0), 'xs', sql`if(empty(xs), ${otherwise}, ${body})`, otherwise);
  };

/**
 * Two lines with a break: the split whose lines leave the least squared error. Each side has two points at least and
 * its own x, from 1; `split_idx` is the first position of the right side.
 */
function twoLines(shape: (values: TwoLines) => Sql, otherwise: Sql): Builder {
  return (args) => {
    const splits = sql`arrayMap(ts -> tuple(${lineOf(sql`arraySlice(xs, 1, ts)`, 'a')}, ${lineOf(sql`arraySlice(xs, ts + 1)`, 'b')}, toInt64(ts)), range(2, toUInt64(length(xs)) - 1))`;
    const best = sql`arraySort(te -> te.1.6 + te.2.6, tt)[1]`;
    const body = named(
      { tt: splits },
      named(
        { tb: best, tm: sql`arrayAvg(xs)` },
        named({ ty: sql`arraySum(v -> (v - tm) * (v - tm), xs)` }, shape(twoLineValues())),
      ),
    );
    return onComplete(arg(args, 0), 'xs', sql`if(length(xs) < 4, ${otherwise}, ${body})`, otherwise);
  };
}

type Side = Readonly<Record<'rsquare' | 'slope' | 'interception' | 'variance' | 'rvariance', Sql>>;

interface TwoLines {
  readonly whole: Readonly<Record<'rsquare' | 'split_idx' | 'variance' | 'rvariance' | 'line_fit', Sql>>;
  readonly right: Side;
  readonly left: Side;
}

function twoLineValues(): TwoLines {
  const [left, right] = [sql`tb.1`, sql`tb.2`];
  const errors = sql`(tb.1.6 + tb.2.6)`;
  const sideOf = (line: Sql): Side => ({
    rsquare: numberJson(part(line, 'rsquare')),
    slope: numberJson(part(line, 'slope')),
    interception: numberJson(part(line, 'interception')),
    variance: numberJson(part(line, 'variance')),
    rvariance: numberJson(part(line, 'rvariance')),
  });
  const line = sql`arrayConcat(${fitted(left, sql`tb.3`)}, ${fitted(right, sql`toInt64(length(xs)) - tb.3`)})`;
  return {
    whole: {
      rsquare: numberJson(sql`(1 - ${errors} / ty)`),
      split_idx: sql`toString(tb.3)`,
      variance: numberJson(sql`(ty / (length(xs) - 1))`),
      rvariance: numberJson(sql`(${errors} / (length(xs) - 1))`),
      line_fit: seriesJson(line),
    },
    right: sideOf(right),
    left: sideOf(left),
  };
}

const MAX_DEGREE = 20;

/**
 * A polynomial of a degree known beforehand, by orthogonal polynomials over the given x: each step divides by the
 * length of a column only, so the result stays exact where the normal equations would not.
 */
const fitPoly: Builder = (args) => {
  const degree = Math.min(MAX_DEGREE, Math.max(0, Math.trunc(constantNumber(args, 2, 1))));
  const values = named({ pc: orthogonal(degree + 1) }, polynomial());
  const fits = sql`if(length(px) = length(xs) AND toInt64(length(xs)) > ${ownText(degree)}, ${values}, ${NULLS(5)})`;
  const x = args[1];
  const body = x
    ? onComplete(x.sql, 'px', fits, NULLS(5))
    : named({ px: sql`arrayMap(pi -> toFloat64(pi), arrayEnumerate(xs))` }, fits);
  return onComplete(arg(args, 0), 'xs', body, NULLS(5));
};

/** Coefficients from the lowest power up, by Gram and Schmidt over columns that carry their own coefficients. */
function orthogonal(count: number): Sql {
  const dot = (one: Sql, other: Sql): Sql => sql`arraySum((u, v) -> u * v, ${one}, ${other})`;
  const reduced = sql`arrayFold((ga, gb) -> tuple(arrayMap((u, v) -> u - (${dot(sql`ga.1`, sql`gb.1`)} / ${dot(sql`gb.1`, sql`gb.1`)}) * v, ga.1, gb.1), arrayMap((u, v) -> u - (${dot(sql`ga.1`, sql`gb.1`)} / ${dot(sql`gb.1`, sql`gb.1`)}) * v, ga.2, gb.2)), gs, gn)`;
  const width = ownText(count);
  const fresh = sql`tuple(arrayMap(v -> pow(v, toFloat64(gp)), px), arrayMap(gi -> toFloat64(gi = gp), range(${width})))`;
  const start = ownText('arraySlice([(px, px)], 1, 0)');
  const basis = sql`arrayFold((gs, gp) -> arrayPushBack(gs, ${named({ gn: fresh }, reduced)}), range(${width}), ${start})`;
  return sql`arrayFold((oa, ob) -> arrayMap((u, v) -> u + v * (${dot(sql`ob.1`, sql`xs`)} / ${dot(sql`ob.1`, sql`ob.1`)}), oa, ob.2), ${basis}, arrayMap(oi -> toFloat64(0), range(${width})))`;
}

/** What the columns say of the coefficients `pc`. */
function polynomial(): Sql {
  const at = sql`arrayMap(pv -> arrayFold((ha, hc) -> ha * pv + hc, arrayReverse(pc), toFloat64(0)), px)`;
  return named(
    { pf: at, pm: sql`arrayAvg(xs)` },
    named(
      {
        py: sql`arraySum(v -> (v - pm) * (v - pm), xs)`,
        pe: sql`arraySum((u, v) -> (u - v) * (u - v), xs, pf)`,
      },
      tupleJson([
        numberJson(sql`(1 - pe / py)`),
        seriesJson(sql`arrayReverse(pc)`),
        numberJson(sql`(py / (length(xs) - 1))`),
        numberJson(sql`(pe / (length(xs) - 1))`),
        seriesJson(sql`pf`),
      ]),
    ),
  );
}

/** The discrete Fourier transform as it is defined; the inverse divides by the length. */
const fourier =
  (sign: Sql, scale: Sql): Builder =>
  (args) => {
    const turn = sql`(2 * pi() * modulo(fk * (fj - 1), length(xs)) / length(xs))`;
    const real = sql`arraySum((u, v, fj) -> u * cos(${turn}) - (${sign}) * v * sin(${turn}), xs, xi, arrayEnumerate(xs))`;
    const imaginary = sql`arraySum((u, v, fj) -> (${sign}) * u * sin(${turn}) + v * cos(${turn}), xs, xi, arrayEnumerate(xs))`;
    const over = (value: Sql): Sql => seriesJson(sql`arrayMap(fk -> ${value} ${scale}, range(length(xs)))`);
    const body = sql`if(length(xi) = length(xs), ${tupleJson([over(real), over(imaginary)])}, ${NULLS(2)})`;
    const second = args[1];
    const both = second
      ? onComplete(second.sql, 'xi', body, NULLS(2))
      : named({ xi: sql`arrayMap(fz -> toFloat64(0), xs)` }, body);
    return onComplete(arg(args, 0), 'xs', both, NULLS(2));
  };

/** Statistics, lines, polynomials and the Fourier transform. */
export const SERIES_FIT_BUILDERS: Readonly<Record<string, Builder>> = {
  series_stats: stats,
  series_stats_dynamic: statsDynamic,
  series_fit_line: fitLine(inTuple, NULLS(6)),
  series_fit_line_dynamic: fitLine(bagOf, sql`NULL`),
  series_fit_2lines: twoLines(
    ({ whole, right, left }) => tupleJson([whole, right, left].flatMap((one) => Object.values(one))),
    NULLS(15),
  ),
  series_fit_2lines_dynamic: twoLines(
    ({ whole, right, left }) => bagOf({ ...whole, right: bagOf(right), left: bagOf(left) }),
    sql`NULL`,
  ),
  series_fit_poly: fitPoly,
  series_fft: fourier(sql`-1`, sql``),
  series_ifft: fourier(sql`1`, sql`/ length(xs)`),
};
