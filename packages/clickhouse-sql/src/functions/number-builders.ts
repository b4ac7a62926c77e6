import { type Sql, sql, textParameter } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder, constantText } from './builder.ts';
import { UNIT_BUILDERS } from './unit-builders.ts';

const call1 =
  (fn: Sql): Builder =>
  (args) =>
    sql`${fn}(${arg(args, 0)})`;

/** Null for what is below zero. */
const positiveOnly =
  (fn: Sql): Builder =>
  (args) =>
    sql`if(${arg(args, 0)} < 0, NULL, ${fn}(abs(${arg(args, 0)})))`;

const bits =
  (fn: Sql): Builder =>
  (args) =>
    sql`${fn}(${arg(args, 0)}, ${arg(args, 1)})`;

/** Shifts use the low six bits of the count, a negative count gives null; a right shift keeps the sign. */
const shift =
  (fn: Sql): Builder =>
  (args) =>
    sql`if(${arg(args, 1)} < 0, NULL, ${fn}(${arg(args, 0)}, bitAnd(${arg(args, 1)}, 63)))`;

/** Null outside of [-1, 1]. */
const onUnit =
  (fn: Sql): Builder =>
  (args) =>
    sql`if(${arg(args, 0)} BETWEEN -1 AND 1, ${fn}(${arg(args, 0)}), NULL)`;

const extreme =
  (fn: Sql, isNumber: boolean): Builder =>
  (args) => {
    if (args.length === 1) return arg(args, 0);
    const some = args.some((one) => one.nullable);
    const list = args.map((one) => one.sql).reduce((one, other): Sql => sql`${one}, ${other}`);
    const present = some ? sql`arrayFilter(x -> x IS NOT NULL, [${list}])` : sql`[${list}]`;
    const plain = some
      ? sql`if(empty(${present}), NULL, ${isNumber ? sql`arrayMax(${present})` : sql`arrayMin(${present})`})`
      : args.map((one) => one.sql).reduce((one, other): Sql => sql`${fn}(${one}, ${other})`);
    return args.some(mayBeNan) ? sql`if(arrayExists(x -> isNaN(x), ${present}), nan, ${plain})` : plain;
  };

/** A real that is no constant may be NaN, which then is both the least and the greatest. */
const mayBeNan = (value: SqlValue): boolean =>
  value.type === 'real' && (value.constant === undefined || value.constant === 'NaN');

/** Halves go away from zero. The engine does so for decimals; a real is scaled, and beyond 2^52 it has no fraction. */
const round: Builder = (args) => {
  const [value] = args;
  if (!value) throw new Error('round takes an argument');
  const whole = value.type === 'long' || value.type === 'int';
  if (whole && !args[1]) return value.sql;
  if (value.type === 'decimal')
    return args[1] ? sql`round(${value.sql}, ${arg(args, 1)})` : sql`round(${value.sql})`;
  const real = whole ? sql`toFloat64(${value.sql})` : value.sql;
  const rounded = (scaled: Sql): Sql =>
    sql`(if(${real} < 0, -1, 1) * (trunc(${scaled}) + (${scaled} - trunc(${scaled}) >= 0.5)))`;
  const kept = (scaled: Sql, result: Sql): Sql => sql`if(${scaled} < 4503599627370496, ${result}, ${real})`;
  if (!args[1]) return kept(sql`abs(${real})`, rounded(sql`abs(${real})`));
  const power = sql`exp10(abs(${arg(args, 1)}))`;
  const up = sql`(abs(${real}) * ${power})`;
  const down = sql`(abs(${real}) / ${power})`;
  return sql`if(${arg(args, 1)} >= 0, ${kept(up, sql`(${rounded(up)} / ${power})`)}, ${rounded(down)} * ${power})`;
};

/** Great-circle distance in metres on a sphere, as Kusto's documentation gives it; null outside the globe. */
const distance: Builder = (args) => {
  const [lon1, lat1, lon2, lat2] = [0, 1, 2, 3].map((index) => arg(args, index));
  if (!lon1 || !lat1 || !lon2 || !lat2) throw new Error('geo_distance_2points takes four arguments');
  const valid = sql`(abs(${lon1}) <= 180 AND abs(${lon2}) <= 180 AND abs(${lat1}) <= 90 AND abs(${lat2}) <= 90)`;
  const haversine = sql`(pow(sin((radians(${lat2}) - radians(${lat1})) / 2), 2) + cos(radians(${lat1})) * cos(radians(${lat2})) * pow(sin((radians(${lon2}) - radians(${lon1})) / 2), 2))`;
  return sql`if(${valid}, 2 * 6371010 * asin(least(1., sqrt(${haversine}))), NULL)`;
};

/** Mathematics, bits and conditions. */
export const NUMBER_BUILDERS: Readonly<Record<string, Builder>> = {
  abs: call1(sql`abs`),
  acos: onUnit(sql`acos`),
  asin: onUnit(sql`asin`),
  atan: call1(sql`atan`),
  atan2: (args) => sql`atan2(${arg(args, 0)}, ${arg(args, 1)})`,
  cos: call1(sql`cos`),
  sin: call1(sql`sin`),
  tan: call1(sql`tan`),
  cot: (args) => sql`(1 / tan(${arg(args, 0)}))`,
  ceiling: call1(sql`ceil`),
  degrees: call1(sql`degrees`),
  radians: call1(sql`radians`),
  exp: call1(sql`exp`),
  exp2: call1(sql`exp2`),
  exp10: call1(sql`exp10`),
  log: positiveOnly(sql`log`),
  log2: positiveOnly(sql`log2`),
  log10: positiveOnly(sql`log10`),
  loggamma: call1(sql`lgamma`),
  gamma: call1(sql`tgamma`),
  erf: call1(sql`erf`),
  erfc: call1(sql`erfc`),
  pi: () => sql`pi()`,
  pow: (args) => sql`pow(${arg(args, 0)}, ${arg(args, 1)})`,
  sqrt: call1(sql`sqrt`),
  round,
  sign: (args) =>
    args.some(mayBeNan)
      ? sql`if(isNaN(${arg(args, 0)}), nan, sign(${arg(args, 0)}))`
      : sql`sign(${arg(args, 0)})`,
  rand: (args) =>
    args.length === 1
      ? sql`randCanonical(${arg(args, 0)})`
      : sql`toInt64(floor(randCanonical(${arg(args, 0)}) * toFloat64(greatest(1, ${arg(args, 1)}))))`,
  isfinite: call1(sql`isFinite`),
  isinf: call1(sql`isInfinite`),
  isnan: call1(sql`isNaN`),
  around: (args) => sql`(abs(${arg(args, 0)} - ${arg(args, 1)}) <= ${arg(args, 2)})`,
  min_of: extreme(sql`least`, false),
  max_of: extreme(sql`greatest`, true),
  binary_and: bits(sql`bitAnd`),
  binary_or: bits(sql`bitOr`),
  binary_xor: bits(sql`bitXor`),
  binary_not: call1(sql`bitNot`),
  binary_shift_left: shift(sql`bitShiftLeft`),
  binary_shift_right: shift(sql`bitShiftRight`),
  bitset_count_ones: call1(sql`bitCount`),
  not: (args) => sql`NOT ${arg(args, 0)}`,
  coalesce: (args, call) => {
    if (call.type !== 'string')
      return sql`coalesce(${args.map((one) => one.sql).reduce((one, other): Sql => sql`${one}, ${other}`)})`;
    return args.map((one) => one.sql).reduceRight((rest, one): Sql => sql`if(${one} != '', ${one}, ${rest})`);
  },
  isnull: (args) => (args[0]?.nullable ? sql`isNull(${arg(args, 0)})` : sql`false`),
  isnotnull: (args) => (args[0]?.nullable ? sql`isNotNull(${arg(args, 0)})` : sql`true`),
  geo_distance_2points: distance,
  ...UNIT_BUILDERS,
  assert: (args) =>
    sql`(throwIf(NOT ifNull(${arg(args, 0)}, false), ${textParameter(constantText(args, 1) || 'An assertion does not hold')}) = 0)`,
  new_guid: (args) => sql`generateUUIDv4(${arg(args, 0)})`,
};
