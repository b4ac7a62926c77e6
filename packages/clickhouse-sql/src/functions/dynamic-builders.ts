import { commaList, parameter, type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { BAG_KEY_BUILDERS } from './bag-key-builders.ts';
import { arg, type Builder } from './builder.ts';
import { isJsonPath, jsonPathParts } from './json-path.ts';
import {
  arrayJsonSql,
  bagJsonSql,
  jsonArraySql,
  jsonElementSql,
  jsonOrNull,
  jsonTextSql,
} from './json-sql.ts';
import { treePathSql } from './tree-path-sql.ts';

// Arrays and bags are JSON text. Their elements are compared as JSON text, so 1 and "1" differ and 1 and 1 do not.

const isArray = (json: Sql): Sql => sql`startsWith(ifNull(${json}, ''), '[')`;
const isBag = (json: Sql): Sql => sql`startsWith(ifNull(${json}, ''), '{')`;
const pairsOf = (json: Sql): Sql => sql`JSONExtractKeysAndValuesRaw(ifNull(${json}, ''))`;

const onArray = (json: Sql, result: Sql): Sql => sql`if(${isArray(json)}, ${result}, NULL)`;

/** The first value of each key stays. */
const firstOfEach = (pairs: Sql): Sql =>
  sql`arrayFilter((p, i) -> i = 1, ${pairs}, arrayEnumerateUniq(arrayMap(q -> q.1, ${pairs})))`;

const listed = (args: readonly SqlValue[]): Sql => {
  const elements = args.map(jsonElementSql);
  const [first, ...rest] = elements;
  if (!first) return sql`'[]'`;
  return sql`concat('[', ${rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ',', ${other})`, first)}, ']')`;
};

const packed: Builder = (args) => {
  const pairs: Sql[] = [];
  for (let index = 0; index + 1 < args.length; index += 2) {
    const value = args[index + 1];
    if (value)
      pairs.push(sql`concat(toJSONString(toString(${arg(args, index)})), ':', ${jsonElementSql(value)})`);
  }
  const [first, ...rest] = pairs;
  if (!first) return sql`'{}'`;
  return sql`concat('{', ${rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ',', ${other})`, first)}, '}')`;
};

/** Both ends included; negative positions count from the end. */
const slice: Builder = (args) => {
  const [json, from, to] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  const array = jsonArraySql(json);
  const length = sql`toInt64(length(${array}))`;
  const start = sql`greatest(if(${from} < 0, ${from} + ${length}, ${from}), 0)`;
  const end = sql`least(if(${to} < 0, ${to} + ${length}, ${to}), ${length} - 1)`;
  return onArray(
    json,
    arrayJsonSql(sql`arraySlice(${array}, ${start} + 1, greatest(${end} - ${start} + 1, 0))`),
  );
};

/** A value as the elements of an array are written, where a whole real has no `.0`. */
const wantedElement = (value: SqlValue): Sql =>
  value.type === 'real' ? sql`ifNull(toString(${value.sql}), 'null')` : jsonElementSql(value);

const indexIn: Builder = (args) => {
  const [json] = [arg(args, 0)];
  const value = args[1] ? wantedElement(args[1]) : sql`'null'`;
  const array = jsonArraySql(json);
  const length = sql`toInt64(length(${array}))`;
  const given = args[2]?.sql ?? sql`0`;
  const start = sql`if(${given} < 0, greatest(${given} + ${length}, 0), ${given})`;
  const count = args[3]?.sql ?? sql`-1`;
  const searched = sql`arraySlice(${array}, ${start} + 1, if(${count} < 0, ${length}, ${count}))`;
  const occurrence = args[4]?.sql ?? sql`1`;
  const places = sql`arrayFilter((i, e) -> e = ${value}, arrayEnumerate(${searched}), ${searched})`;
  const found = sql`if(toInt64(length(${places})) >= ${occurrence}, toInt64(${places}[${occurrence}]) - 1 + ${start}, -1)`;
  return onArray(json, found);
};

/** The parts between positions; negative positions count from the end, and none lies before the one to its left. */
const divided: Builder = (args) => {
  const array = jsonArraySql(arg(args, 0));
  const length = sql`toInt64(length(${array}))`;
  const given =
    args[1]?.type === 'dynamic'
      ? sql`arrayMap(x -> toInt64OrNull(x), if(${isArray(arg(args, 1))}, ${jsonArraySql(arg(args, 1))}, [ifNull(${arg(args, 1)}, '')]))`
      : sql`[toInt64OrNull(toString(${arg(args, 1)}))]`;
  const places = sql`arrayMap(p -> least(greatest(if(ifNull(p, 0) < 0, ifNull(p, 0) + ${length}, ifNull(p, 0)), 0), ${length}), ${given})`;
  const rising = sql`arrayMap(i -> arrayMax(arraySlice(${places}, 1, i)), arrayEnumerate(${places}))`;
  const from = sql`arrayPushFront(${rising}, toInt64(0))`;
  const to = sql`arrayPushBack(${rising}, ${length})`;
  const parts = sql`arrayMap((f, t) -> ${arrayJsonSql(sql`arraySlice(${array}, f + 1, t - f)`)}, ${from}, ${to})`;
  return sql`if(${isArray(arg(args, 0))} AND NOT arrayExists(q -> isNull(q), ${given}), ${arrayJsonSql(parts)}, NULL)`;
};

const MAX_ELEMENTS = sql`1048576`;

/** From a start up to an end by steps, as `range()` gives them. */
const ranged: Builder = (args) => {
  const [first] = args;
  if (!first) return sql`NULL`;
  const isTime = first.type === 'datetime' || first.type === 'timespan';
  const step = args[2]?.sql ?? (isTime ? sql`36000000000` : sql`1`);
  const [start, end] = [arg(args, 0), arg(args, 1)];
  const steps = sql`if(${step} = 0 OR isNull(${start}) OR isNull(${end}) OR isNull(${step}), -1, floor((${end} - ${start}) / if(${step} = 0, 1, ${step})))`;
  const count = sql`toUInt64(least(greatest(ifNull(${steps}, -1) + 1, 0), ${MAX_ELEMENTS}))`;
  const value = sql`(assumeNotNull(${start}) + n * assumeNotNull(${step}))`;
  const element = jsonElementSql({ sql: value, type: first.type, nullable: false, form: 'plain' });
  return sql`if(isNull(${start}) OR isNull(${end}) OR isNull(${step}) OR ${step} = 0, NULL, ${arrayJsonSql(sql`arrayMap(n -> ${element}, range(${count}))`)})`;
};

/** Numbers by value, before them the booleans, after them the rest by its text. */
const sortKey = (element: Sql): Sql =>
  sql`(isNull(toFloat64OrNull(${element})), ifNull(toFloat64OrNull(${element}), 0), ${element})`;

/** Nulls come last unless the second argument says otherwise. */
const sorted =
  (fn: Sql): Builder =>
  (args) => {
    const array = jsonArraySql(arg(args, 0));
    const present = sql`${fn}(s -> ${sortKey(sql`s`)}, arrayFilter(x -> x != 'null', ${array}))`;
    const nulls = sql`arrayFilter(y -> y = 'null', ${array})`;
    const last = args[1]?.sql ?? sql`true`;
    const all = sql`if(ifNull(${last}, true), arrayConcat(${present}, ${nulls}), arrayConcat(${nulls}, ${present}))`;
    return onArray(arg(args, 0), arrayJsonSql(all));
  };

/** Rotates an array by positions: to the left for positive counts. */
function rotated(args: readonly SqlValue[], direction: Sql): Sql {
  const array = jsonArraySql(arg(args, 0));
  const length = sql`toInt64(length(${array}))`;
  const by = sql`positiveModulo(${direction} * ${arg(args, 1)}, greatest(${length}, 1))`;
  return onArray(
    arg(args, 0),
    arrayJsonSql(sql`arrayConcat(arraySlice(${array}, ${by} + 1), arraySlice(${array}, 1, ${by}))`),
  );
}

function shifted(args: readonly SqlValue[], direction: Sql): Sql {
  const array = jsonArraySql(arg(args, 0));
  const filler = args[2] ? jsonElementSql(args[2]) : sql`'null'`;
  const by = sql`${direction} * ${arg(args, 1)}`;
  return onArray(
    arg(args, 0),
    arrayJsonSql(
      sql`arrayMap(i -> if(i + ${by} BETWEEN 1 AND toInt64(length(${array})), ${array}[i + ${by}], ${filler}), arrayMap(n -> toInt64(n), arrayEnumerate(${array})))`,
    ),
  );
}

const unique = (array: Sql): Sql => sql`arrayFilter((x, i) -> i = 1, ${array}, arrayEnumerateUniq(${array}))`;

const arraysOf = (args: readonly SqlValue[]): readonly Sql[] => args.map((one) => jsonArraySql(one.sql));

function combined(args: readonly SqlValue[], combine: (one: Sql, other: Sql) => Sql): Sql {
  const [first, ...rest] = arraysOf(args);
  if (!first) return sql`NULL`;
  const all = args.map((one) => isArray(one.sql)).reduce((one, other): Sql => sql`${one} AND ${other}`);
  return sql`if(${all}, ${arrayJsonSql(unique(rest.reduce(combine, first)))}, NULL)`;
}

const concatenated: Builder = (args) => {
  const [first, ...rest] = arraysOf(args);
  return arrayJsonSql(
    rest.reduce((one: Sql, other): Sql => sql`arrayConcat(${one}, ${other})`, first ?? sql`[]`),
  );
};

const chosen: Builder = (args) => {
  const [conditions, yes, no] = arraysOf(args);
  if (!conditions || !yes || !no) return sql`NULL`;
  const side = (json: Sql, array: Sql, index: Sql): Sql =>
    sql`if(startsWith(ifNull(${json}, ''), '['), if(toInt64(length(${array})) >= ${index}, ${array}[${index}], 'null'), ifNull(${json}, 'null'))`;
  const element = sql`multiIf(c = 'true' OR ifNull(toFloat64OrNull(c) != 0, false), ${side(arg(args, 1), yes, sql`toInt64(i)`)}, c = 'false' OR toFloat64OrNull(c) = 0, ${side(arg(args, 2), no, sql`toInt64(i)`)}, 'null')`;
  return onArray(
    arg(args, 0),
    arrayJsonSql(sql`arrayMap((c, i) -> ${element}, ${conditions}, arrayEnumerate(${conditions}))`),
  );
};

const kind: Builder = (args) => {
  const [value] = args;
  if (!value) return sql`'null'`;
  if (value.type !== 'dynamic') {
    const names: Readonly<Record<string, Sql>> = {
      bool: sql`'bool'`,
      int: sql`'int'`,
      long: sql`'long'`,
      real: sql`'real'`,
      decimal: sql`'decimal'`,
      string: sql`'string'`,
      datetime: sql`'datetime'`,
      timespan: sql`'timespan'`,
      guid: sql`'guid'`,
    };
    return names[value.type] ?? sql`'null'`;
  }
  const json = sql`ifNull(${value.sql}, 'null')`;
  return sql`multiIf(${json} = 'null', 'null', startsWith(${json}, '"'), 'string', startsWith(${json}, '['), 'array', startsWith(${json}, '{'), 'dictionary', ${json} IN ('true', 'false'), 'bool', toInt64OrNull(${json}) IS NOT NULL, 'long', 'double')`;
};

/** `extract_json('$.a.b[0]', text)`. */
const extractJson: Builder = (args) => {
  const path = String(args[0]?.constant ?? '').trim();
  if (!isJsonPath(path)) return sql`''`;
  const parts = jsonPathParts(path);
  const steps = parts.map(
    (part): Sql =>
      typeof part === 'number' ? parameter('Int64', String(part + 1)) : parameter('String', part),
  );
  const found = steps.reduce((json: Sql, step): Sql => sql`JSONExtractRaw(${json}, ${step})`, arg(args, 1));
  return sql`ifNull(${jsonTextSql(jsonOrNull(found))}, '')`;
};

const FIXED_SIZES: Readonly<Record<string, Sql>> = {
  bool: sql`1`,
  int: sql`4`,
  decimal: sql`16`,
  guid: sql`16`,
};

/** Texts and dynamic values count their bytes, all else the width of its type. */
const sizeOf = (value: SqlValue): Sql =>
  value.type === 'string' || value.type === 'dynamic'
    ? sql`toInt64(length(ifNull(${value.sql}, '')))`
    : (FIXED_SIZES[value.type] ?? sql`8`);

/** Arrays and property bags. */
export const DYNAMIC_BUILDERS: Readonly<Record<string, Builder>> = {
  array_length: (args) => onArray(arg(args, 0), sql`toInt64(length(${jsonArraySql(arg(args, 0))}))`),
  array_concat: concatenated,
  array_slice: slice,
  array_split: divided,
  array_range: ranged,
  treepath: (args) => treePathSql(arg(args, 0)),
  array_reverse: (args) =>
    onArray(arg(args, 0), arrayJsonSql(sql`arrayReverse(${jsonArraySql(arg(args, 0))})`)),
  array_sum: (args) => {
    const array = sql`arrayFilter(z -> z != 'null', ${jsonArraySql(arg(args, 0))})`;
    const sum = sql`arraySum(x -> toFloat64OrZero(x), ${array})`;
    return onArray(arg(args, 0), sql`if(arrayAll(y -> match(y, '^-?[0-9]'), ${array}), ${sum}, NULL)`);
  },
  array_index_of: indexIn,
  array_iff: chosen,
  array_rotate_left: (args) => rotated(args, sql`1`),
  array_rotate_right: (args) => rotated(args, sql`-1`),
  array_shift_left: (args) => shifted(args, sql`1`),
  array_shift_right: (args) => shifted(args, sql`-1`),
  array_sort_asc: sorted(sql`arraySort`),
  array_sort_desc: sorted(sql`arrayReverseSort`),
  pack_array: listed,
  bag_pack: packed,
  bag_keys: (args) =>
    sql`if(${isBag(arg(args, 0))}, toJSONString(JSONExtractKeys(ifNull(${arg(args, 0)}, ''))), NULL)`,
  bag_merge: (args) => {
    const pairs = args
      .map((one) => pairsOf(one.sql))
      .reduce((one, other): Sql => sql`arrayConcat(${one}, ${other})`);
    return bagJsonSql(firstOfEach(pairs));
  },
  ...BAG_KEY_BUILDERS,
  bag_pack_filled: (args) => {
    const pairs: Sql[] = [];
    for (let index = 0; index + 1 < args.length; index += 2) {
      const value = args[index + 1];
      if (value) pairs.push(sql`(toString(${arg(args, index)}), toString(${jsonElementSql(value)}))`);
    }
    const list =
      pairs.length === 0 ? sql`CAST([], 'Array(Tuple(String, String))')` : sql`[${commaList(pairs)}]`;
    return bagJsonSql(sql`arrayFilter(f -> f.2 NOT IN ('null', '""'), ${list})`);
  },
  estimate_data_size: (args) =>
    args.map(sizeOf).reduce((one, other): Sql => sql`(${one} + ${other})`, sql`toInt64(0)`),
  bag_zip: (args) => {
    const [keys, values] = [jsonArraySql(arg(args, 0)), jsonArraySql(arg(args, 1))];
    const padded = sql`arrayResize(${values}, length(${keys}), 'null')`;
    return onArray(
      arg(args, 0),
      bagJsonSql(sql`arrayMap((k, v) -> (${jsonTextSql(sql`k`)}, v), ${keys}, ${padded})`),
    );
  },
  repeat: (args) => {
    const value = args[0] ? jsonElementSql(args[0]) : sql`'null'`;
    return sql`if(${arg(args, 1)} < 0, NULL, ${arrayJsonSql(sql`arrayWithConstant(toUInt64(least(greatest(${arg(args, 1)}, 0), 100000)), ${value})`)})`;
  },
  zip: (args) => {
    const arrays = arraysOf(args);
    const longest = arrays
      .map((one): Sql => sql`length(${one})`)
      .reduce((one, other): Sql => sql`greatest(${one}, ${other})`);
    const cells = arrays.map((array): Sql => sql`if(i <= length(${array}), ${array}[i], 'null')`);
    const [first, ...rest] = cells;
    const row = rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ',', ${other})`, first ?? sql`''`);
    return arrayJsonSql(sql`arrayMap(i -> concat('[', ${row}, ']'), range(1, toUInt64(${longest}) + 1))`);
  },
  set_union: (args) => combined(args, (one, other) => sql`arrayConcat(${one}, ${other})`),
  set_intersect: (args) => combined(args, (one, other) => sql`arrayFilter(x -> has(${other}, x), ${one})`),
  set_difference: (args) =>
    combined(args, (one, other) => sql`arrayFilter(x -> NOT has(${other}, x), ${one})`),
  set_equals: (args) => {
    const [one, other] = arraysOf(args);
    if (!one || !other) return sql`NULL`;
    return sql`if(${isArray(arg(args, 0))} AND ${isArray(arg(args, 1))}, arraySort(arrayDistinct(${one})) = arraySort(arrayDistinct(${other})), NULL)`;
  },
  set_has_element: (args) =>
    onArray(
      arg(args, 0),
      sql`has(${jsonArraySql(arg(args, 0))}, ${args[1] ? wantedElement(args[1]) : sql`'null'`})`,
    ),
  jaccard_index: (args) => {
    const [one, other] = arraysOf(args).map((array): Sql => sql`arrayDistinct(${array})`);
    if (!one || !other) return sql`NULL`;
    return sql`(length(arrayIntersect(${one}, ${other})) / length(arrayDistinct(arrayConcat(${one}, ${other}))))`;
  },
  gettype: kind,
  extractjson: extractJson,
  has_any_dynamic: (args) => words(args, sql`arrayExists`),
  has_all_dynamic: (args) => words(args, sql`arrayAll`),
};

/** Terms that are only known while the query runs. */
function words(args: readonly SqlValue[], fn: Sql): Sql {
  const edge = sql`'[^0-9A-Za-z\\\\x{80}-\\\\x{10FFFF}]'`;
  const term = jsonTextSql(sql`w`);
  const before = sql`if(match(${term}, '^[0-9A-Za-z\\\\x{80}-\\\\x{10FFFF}]'), concat('(?:^|', ${edge}, ')'), '')`;
  const after = sql`if(match(${term}, '[0-9A-Za-z\\\\x{80}-\\\\x{10FFFF}]$'), concat('(?:$|', ${edge}, ')'), '')`;
  return sql`${fn}(w -> match(${arg(args, 0)}, concat('(?is)', ${before}, regexpQuoteMeta(${term}), ${after})), ${jsonArraySql(arg(args, 1))})`;
}
