import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { jsonSql, jsonTextSql, realTextSql, sortedJsonSql } from './json-sql.ts';
import { datetimeTextSql, parseDatetimeSql, timespanTextSql } from './time-sql.ts';
import { parseTimespanSql } from './timespan-parse-sql.ts';

// Conversions. What cannot be converted is null, never an error. A dynamic value is converted through its text.

/** Any value as the text that `tostring` gives; null for null. */
export function textSql(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
      return value.sql;
    case 'dynamic':
      return jsonTextSql(value.sql);
    case 'bool':
      return sql`if(${value.sql}, 'True', if(isNull(${value.sql}), NULL, 'False'))`;
    case 'datetime':
      return datetimeTextSql(value.sql);
    case 'timespan':
      return timespanTextSql(value.sql);
    case 'real':
      return realTextSql(value.sql);
    default:
      return sql`toString(${value.sql})`;
  }
}

const rawText = (value: SqlValue): Sql => {
  const text = value.type === 'dynamic' ? jsonTextSql(value.sql) : value.sql;
  return sql`ifNull(${text}, '')`;
};

/** The text of a dynamic or string value, without the blanks around it, for reading numbers. */
const readable = (value: SqlValue): Sql => sql`trimBoth(${rawText(value)}, ' \\t\\n\\r\\f\\v')`;

function wholeNumber(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
      return wholeFromText(readable(value));
    case 'dynamic':
      return fromDynamic(
        value,
        (whole) => whole,
        (whole) => whole,
        LONG_ENDS,
      );
    case 'real':
      return fromReal(value.sql, LONG_ENDS);
    case 'decimal':
      return sql`toInt64(trunc(${value.sql}))`;
    case 'bool':
      return sql`toInt64(${value.sql})`;
    case 'datetime':
      return counted(value);
    default:
      return value.sql;
  }
}

const wholeFromText = (text: Sql): Sql =>
  sql`if(match(${text}, '^0[xX][0-9a-fA-F]{1,16}$'), reinterpretAsInt64(reverse(unhex(leftPad(substring(${text}, 3), 16, '0')))), toInt64OrNull(${text}))`;

interface Ends {
  readonly beyond: Sql;
  readonly least: Sql;
  readonly most: Sql;
}

const LONG_ENDS: Ends = {
  beyond: sql`9223372036854775808.`,
  least: sql`toInt64(-9223372036854775808)`,
  most: sql`toInt64(9223372036854775807)`,
};
const INT_ENDS: Ends = {
  beyond: sql`2147483648.`,
  least: sql`toInt64(-2147483648)`,
  most: sql`toInt64(2147483647)`,
};

/** A real as a whole number, towards zero; beyond the type its end, and null for what is no number. */
const fromReal = (real: Sql, { beyond, least, most }: Ends): Sql =>
  sql`multiIf(NOT isFinite(${real}), NULL, ${real} >= ${beyond}, ${most}, ${real} <= -${beyond}, ${least}, toInt64(${real}))`;

/** What a dynamic value says as a whole number: a text, a whole number, a truth, a real. */
function fromDynamic(
  { sql: json, ...value }: SqlValue,
  ofText: (whole: Sql) => Sql,
  ofLong: (whole: Sql) => Sql,
  ends: Ends,
): Sql {
  const text = ofText(wholeFromText(readable({ ...value, sql: json })));
  const long = sql`toInt64OrNull(${json})`;
  return sql`multiIf(startsWith(${json}, '"'), ${text}, isNotNull(${long}), ${ofLong(long)}, ${json} = 'true', 1, ${json} = 'false', 0, ${fromReal(sql`toFloat64OrNull(${json})`, ends)})`;
}

/** A long keeps its low 32 bits, a real stops at the ends, a text that says more is none. */
function narrowed(value: SqlValue): Sql {
  if (value.type === 'int' || value.type === 'bool') return value.sql;
  if (value.type === 'real') return fromReal(value.sql, INT_ENDS);
  const inReach = (whole: Sql): Sql => sql`if(${whole} BETWEEN -2147483648 AND 2147483647, ${whole}, NULL)`;
  const lowBits = (whole: Sql): Sql => sql`toInt64(toInt32(${whole}))`;
  if (value.type === 'dynamic') return sql`toInt32(${fromDynamic(value, inReach, lowBits, INT_ENDS)})`;
  const whole = wholeNumber(value);
  if (value.type === 'string') return sql`toInt32(${inReach(whole)})`;
  return sql`toInt32(${whole})`;
}

/** A number as it is; a moment counts its ticks from the year 1. */
const counted = (value: SqlValue): Sql =>
  value.type === 'datetime' ? sql`(${value.sql} + 621355968000000000)` : value.sql;

function real(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
      return sql`toFloat64OrNull(${readable(value)})`;
    case 'dynamic':
      return sql`multiIf(${value.sql} = 'true', 1, ${value.sql} = 'false', 0, toFloat64OrNull(${readable(value)}))`;
    default:
      return sql`toFloat64(${counted(value)})`;
  }
}

/** `true` and `false` in any case and without blanks around them, or a whole number. */
function truthOfText(value: SqlValue): Sql {
  const word = sql`lower(${rawText(value)})`;
  return sql`multiIf(${word} = 'true', true, ${word} = 'false', false, ${wholeFromText(readable(value))} != 0)`;
}

function truth(value: SqlValue): Sql {
  switch (value.type) {
    case 'bool':
      return value.sql;
    case 'string':
      return truthOfText(value);
    case 'dynamic':
      return sql`if(startsWith(${value.sql}, '"'), ${truthOfText(value)}, multiIf(${value.sql} = 'true', true, ${value.sql} = 'false', false, toFloat64OrNull(${value.sql}) != 0))`;
    default:
      return sql`(${value.sql} != 0)`;
  }
}

function moment(value: SqlValue): Sql {
  switch (value.type) {
    case 'datetime':
      return value.sql;
    case 'string':
    case 'dynamic':
      return parseDatetimeSql(readable(value));
    case 'int':
    case 'long':
      return sql`(${value.sql} - 621355968000000000)`;
    default:
      return sql`NULL`;
  }
}

function span(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
    case 'dynamic':
      return parseTimespanSql(readable(value));
    case 'real':
      return sql`toInt64(round(${value.sql}))`;
    default:
      return value.sql;
  }
}

const first = (args: readonly SqlValue[]): SqlValue => {
  const [value] = args;
  if (!value) throw new Error('A conversion takes one argument');
  return value;
};

/** `tostring`, `tolong` and their kin; also what the compiler inserts between types. */
export const CONVERSION_BUILDERS: Readonly<Record<string, Builder>> = {
  tostring: (args) => textSql(first(args)),
  tolong: (args) => wholeNumber(first(args)),
  toint: (args) => narrowed(first(args)),
  toreal: (args) => real(first(args)),
  todecimal: (args) => {
    const value = first(args);
    if (value.type === 'decimal') return value.sql;
    if (value.type === 'string' || value.type === 'dynamic')
      return sql`toDecimal256OrNull(${readable(value)}, 20)`;
    return value.type === 'real'
      ? sql`toDecimal256OrNull(toString(${value.sql}), 20)`
      : sql`toDecimal256(${counted(value)}, 20)`;
  },
  tobool: (args) => truth(first(args)),
  todatetime: (args) => moment(first(args)),
  totimespan: (args) => span(first(args)),
  toguid: (args) => {
    const value = first(args);
    return value.type === 'guid'
      ? value.sql
      : sql`toUUIDOrNull(replaceRegexpAll(${readable(value)}, '^[{(]|[)}]$', ''))`;
  },
  to_dynamic: (args) => jsonSql(first(args)),
  parse_json: (args) => {
    const value = first(args);
    if (value.type !== 'string') return jsonSql(value);
    const text = sql`trimBoth(${value.sql})`;
    return sql`multiIf(${value.sql} = '', NULL, match(${text}, '^-?[0-9]') AND isValidJSON(${text}), ${text}, isValidJSON(${text}), nullIf(JSONExtractRaw(${text}), 'null'), toJSONString(toString(${value.sql})))`;
  },
  dynamic_to_json: (args) => sortedJsonSql(sql`ifNull(${arg(args, 0)}, 'null')`),
};
