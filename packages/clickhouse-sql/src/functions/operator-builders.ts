import { parameter, type Sql, sql, wholeNumbers } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { textOnlySql } from '../stored-text.ts';
import { arg, type Builder } from './builder.ts';
import { jsonArraySql, jsonOrNull, jsonTextSql } from './json-sql.ts';

// Arithmetic: both sides of a numeric operation have the type of its result. Whole numbers divide to whole numbers,
// towards zero; the remainder is never negative; dividing by zero gives null (whole) or infinity (real).

const isTime = (value: SqlValue | undefined): boolean =>
  value?.type === 'datetime' || value?.type === 'timespan';

const multiply: Builder = (args, call) =>
  call.type === 'timespan'
    ? sql`toInt64(round(toFloat64(${arg(args, 0)}) * toFloat64(${arg(args, 1)})))`
    : call.type === 'decimal'
      ? sql`toDecimal256(toDecimal256(${arg(args, 0)}, 12) * toDecimal256(${arg(args, 1)}, 12), 20)`
      : sql`(${arg(args, 0)} * ${arg(args, 1)})`;

const divide: Builder = (args, call) => {
  const [left, right] = [arg(args, 0), arg(args, 1)];
  if (call.type === 'real') return sql`(toFloat64(${left}) / toFloat64(${right}))`;
  if (call.type === 'timespan' && !isTime(args[1]))
    return sql`if(${right} = 0, NULL, toInt64(trunc(toFloat64(${left}) / toFloat64(${right}))))`;
  if (call.type === 'decimal')
    return sql`if(${right} = 0, NULL, divideDecimal(${left}, if(${right} = 0, toDecimal256(1, 20), ${right}), 20))`;
  return sql`intDivOrNull(${left}, ${right})`;
};

const modulo: Builder = (args, call) => {
  const [left, right] = [arg(args, 0), arg(args, 1)];
  if (call.type === 'real') return sql`(${left} - abs(${right}) * floor(${left} / abs(${right})))`;
  return sql`if(${right} = 0, NULL, positiveModulo(${left}, if(${right} = 0, 1, ${right})))`;
};

/** A list of constants of one type as an array parameter; null when the list is not constant. */
function constantList(args: readonly SqlValue[], fold: (value: string) => string): Sql | null {
  const values = args.map((value) => value.constant);
  if (values.some((value) => value === undefined)) return null;
  const present = values.filter((value) => value !== null && value !== undefined);
  switch (args[0]?.type) {
    case 'string':
      return parameter(
        'Array(String)',
        present.map((value) => fold(String(value))),
      );
    case 'int':
      return parameter('Array(Int32)', present.map(Number));
    case 'long':
    case 'datetime':
    case 'timespan':
      return wholeNumbers('Array(Int64)', present.map(String));
    case 'real':
      // The text of an array has no way to write the infinities.
      return present.some((value) => typeof value === 'string')
        ? null
        : parameter('Array(Float64)', present.map(Number));
    default:
      return null;
  }
}

function among(needle: Sql, args: readonly SqlValue[], fold: (value: string) => string): Sql {
  const list = constantList(args, fold);
  if (list) return sql`ifNull(${needle} IN ${list}, false)`;
  return args
    .map((one): Sql => sql`ifNull(${needle} = ${one.sql}, false)`)
    .reduce((one, other): Sql => sql`(${one} OR ${other})`);
}

/** What is looked for; only its texts when nothing else can be in the list. */
function needleOf(args: readonly SqlValue[]): Sql {
  const [needle, ...rest] = args;
  return (needle && textOnlySql(needle, rest)) ?? arg(args, 0);
}

const dynamicTexts = (json: Sql): Sql =>
  sql`arrayMap(x -> if(startsWith(x, '"'), JSONExtractString(x), x), ${jsonArraySql(json)})`;

/** Operators of KQL that are neither logic, comparison nor text search. */
export const OPERATOR_BUILDERS: Readonly<Record<string, Builder>> = {
  add: (args, call) =>
    call.type === 'string'
      ? sql`concat(${arg(args, 0)}, ${arg(args, 1)})`
      : sql`(${arg(args, 0)} + ${arg(args, 1)})`,
  subtract: (args) => sql`(${arg(args, 0)} - ${arg(args, 1)})`,
  multiply,
  divide,
  modulo,
  negate: (args) => sql`negate(${arg(args, 0)})`,
  in: (args) => among(needleOf(args), args.slice(1), (value) => value),
  in_ci: (args) => {
    const rest = args.slice(1);
    if (rest.every((one) => typeof one.constant === 'string' && /^[\t-~]*$/.test(one.constant)))
      return among(sql`lower(${needleOf(args)})`, rest, (value) => value.toLowerCase());
    const lower = rest.map((one): SqlValue => {
      const { constant, ...other } = one;
      return typeof constant === 'string' ? one : { ...other, sql: sql`lowerUTF8(${one.sql})` };
    });
    return among(sql`lowerUTF8(${arg(args, 0)})`, lower, (value) => value.toLowerCase());
  },
  in_dynamic: (args) =>
    sql`has(${dynamicTexts(arg(args, 1))}, ifNull(${args[0]?.type === 'dynamic' ? jsonTextSql(arg(args, 0)) : sql`toString(${arg(args, 0)})`}, '\\0'))`,
  in_dynamic_ci: (args) =>
    sql`has(arrayMap(y -> lowerUTF8(y), ${dynamicTexts(arg(args, 1))}), lowerUTF8(${arg(args, 0)}))`,
  member: (args) => jsonOrNull(sql`JSONExtractRaw(ifNull(${arg(args, 0)}, ''), ${arg(args, 1)})`),
  element: (args) => {
    const index = arg(args, 1);
    const place = sql`if(${index} >= 0, ${index} + 1, ${index})`;
    const text = sql`ifNull(${arg(args, 0)}, '')`;
    return sql`if(startsWith(${text}, '['), ${jsonOrNull(sql`JSONExtractRaw(${text}, ifNull(${place}, 1000000000))`)}, NULL)`;
  },
};
