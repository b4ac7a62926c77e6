import { ownText, type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { datetimeTextSql, timespanTextSql } from './time-sql.ts';

// A dynamic value is JSON text: a string in quotes, a number, true, an array, a bag; the null of KQL is NULL.

/** Any value as JSON text; the null of KQL as NULL. */
export function jsonSql(value: SqlValue): Sql {
  switch (value.type) {
    case 'dynamic':
      return value.sql;
    case 'string':
      return sql`toJSONString(toString(${value.sql}))`;
    case 'bool':
      return sql`if(${value.sql}, 'true', if(isNull(${value.sql}), NULL, 'false'))`;
    case 'datetime':
      return sql`concat('"', ${datetimeTextSql(value.sql)}, '"')`;
    case 'timespan':
      return sql`concat('"', ${timespanTextSql(value.sql)}, '"')`;
    case 'guid':
      return sql`concat('"', toString(${value.sql}), '"')`;
    case 'real':
      return sql`if(isFinite(${value.sql}), ${realTextSql(value.sql)}, multiIf(isNull(${value.sql}), NULL, isNaN(${value.sql}), '"NaN"', ${value.sql} > 0, '"Infinity"', '"-Infinity"'))`;
    case 'decimal':
      return sql`concat('"', toString(${value.sql}), '"')`;
    default:
      return sql`toString(${value.sql})`;
  }
}

/** Any value as an element of an array or bag: the null of KQL is `null`. */
export function jsonElementSql(value: SqlValue): Sql {
  return value.nullable || value.type === 'dynamic' ? sql`ifNull(${jsonSql(value)}, 'null')` : jsonSql(value);
}

/** A real shows that it is one: a whole number has `.0` unless it has an exponent. */
export function realTextSql(value: Sql): Sql {
  return sql`concat(toString(${value}), if(${value} = trunc(${value}) AND abs(${value}) < 1e21, '.0', ''))`;
}

/** JSON text, NULL for the JSON null and for nothing. */
export function jsonOrNull(piece: Sql): Sql {
  return sql`nullIf(nullIf(${piece}, ''), 'null')`;
}

/** What a dynamic value says as a string: the text itself for strings, JSON for the rest. */
export function jsonTextSql(json: Sql): Sql {
  return sql`if(startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`;
}

/** The elements of a dynamic array as an array of JSON texts; anything else gives []. */
export function jsonArraySql(json: Sql): Sql {
  return sql`JSONExtractArrayRaw(ifNull(${json}, ''))`;
}

/** An array of JSON texts as a dynamic array. */
export function arrayJsonSql(array: Sql): Sql {
  return sql`concat('[', arrayStringConcat(${array}, ','), ']')`;
}

/** An array of (key, JSON text) as a dynamic bag. */
export function bagJsonSql(pairs: Sql): Sql {
  return sql`concat('{', arrayStringConcat(arrayMap(kv -> concat(toJSONString(kv.1), ':', kv.2), ${pairs}), ','), '}')`;
}

/** Bags within bags whose keys are put in order. */
const SORTED_LEVELS = 8;

/** JSON text with the keys of its bags in order. */
export function sortedJsonSql(json: Sql, level = 0): Sql {
  if (level === SORTED_LEVELS) return json;
  const one = ownText(`o${level}`);
  const pairs = sql`arraySort(s -> s.1, JSONExtractKeysAndValuesRaw(${json}))`;
  const elements = sql`arrayMap(a -> ('', a), JSONExtractArrayRaw(${json}))`;
  const isBag = sql`startsWith(${json}, '{')`;
  const key = sql`if(${isBag}, concat(toJSONString(${one}.1), ':'), '')`;
  const inside = sql`arrayStringConcat(arrayMap(${one} -> concat(${key}, ${sortedJsonSql(sql`${one}.2`, level + 1)}), if(${isBag}, ${pairs}, ${elements})), ',')`;
  return sql`if(${isBag} OR startsWith(${json}, '['), concat(if(${isBag}, '{', '['), ${inside}, if(${isBag}, '}', ']')), ${json})`;
}

/** What `mv-expand` takes apart: the elements of an array, the properties of a bag, or the value itself. */
export function elementsSql(value: SqlValue, bagAsArray: boolean): Sql {
  const json = value.type === 'dynamic' ? value.sql : jsonSql(value);
  const pairs = sql`JSONExtractKeysAndValuesRaw(ifNull(${json}, ''))`;
  const bag = bagAsArray
    ? sql`arrayMap(kv -> concat('[', toJSONString(kv.1), ',', kv.2, ']'), ${pairs})`
    : sql`arrayMap(kv -> concat('{', toJSONString(kv.1), ':', kv.2, '}'), ${pairs})`;
  const elements = sql`multiIf(startsWith(ifNull(${json}, ''), '['), ${jsonArraySql(json)}, startsWith(ifNull(${json}, ''), '{'), ${bag}, isNull(${json}), ['null'], [ifNull(${json}, '')])`;
  return sql`arrayMap(e -> nullIf(e, 'null'), ${elements})`;
}
