import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { jsonSql, jsonTextSql, realTextSql } from './json-sql.ts';
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

/** The text of a dynamic or string value, trimmed, for reading numbers. */
function readable(value: SqlValue): Sql {
  const text = value.type === 'dynamic' ? jsonTextSql(value.sql) : value.sql;
  return sql`trimBoth(ifNull(${text}, ''))`;
}

function wholeNumber(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
      return wholeFromText(readable(value));
    case 'dynamic': {
      const text = readable(value);
      return sql`multiIf(${text} = 'true', 1, ${text} = 'false', 0, startsWith(${value.sql}, '"'), ${wholeFromText(text)}, ${fromReal(sql`toFloat64OrNull(${text})`, wholeFromText(text))})`;
    }
    case 'real':
      return fromReal(value.sql, sql`NULL`);
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

/** A real as a whole number, towards zero; null outside 64 bits. */
const fromReal = (real: Sql, exact: Sql): Sql =>
  sql`coalesce(${exact}, if(isFinite(${real}) AND abs(${real}) < 9.2233720368547e18, toInt64(trunc(ifNull(${real}, 0))), NULL))`;

function narrowed(value: SqlValue): Sql {
  if (value.type === 'int' || value.type === 'bool') return value.sql;
  const whole = wholeNumber(value);
  return sql`if(${whole} BETWEEN -2147483648 AND 2147483647, toInt32(${whole}), NULL)`;
}

/** A number as it is; a moment counts its ticks from the year 1. */
const counted = (value: SqlValue): Sql =>
  value.type === 'datetime' ? sql`(${value.sql} + 621355968000000000)` : value.sql;

function real(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
    case 'dynamic': {
      const text = readable(value);
      return sql`multiIf(${text} = 'true', 1, ${text} = 'false', 0, lower(${text}) IN ('nan', 'inf', '-inf', '+inf', 'infinity', '-infinity') AND ${text} NOT IN ('NaN', 'Infinity', '-Infinity'), NULL, toFloat64OrNull(${text}))`;
    }
    default:
      return sql`toFloat64(${counted(value)})`;
  }
}

function truth(value: SqlValue): Sql {
  switch (value.type) {
    case 'bool':
      return value.sql;
    case 'string':
    case 'dynamic': {
      const text = sql`lower(${readable(value)})`;
      return sql`multiIf(${text} IN ('true', '1'), true, ${text} IN ('false', '0'), false, toFloat64OrNull(${text}) IS NOT NULL, toFloat64OrNull(${text}) != 0, NULL)`;
    }
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
    return sql`multiIf(${value.sql} = '', NULL, isValidJSON(${text}), nullIf(JSONExtractRaw(${text}), 'null'), toJSONString(toString(${value.sql})))`;
  },
  dynamic_to_json: (args) => sql`ifNull(${arg(args, 0)}, 'null')`,
};
