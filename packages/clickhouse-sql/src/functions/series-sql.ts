import { ownText, type Sql, type SqlText, sql } from '../sql.ts';

// The steps that functions over series share. A series is a JSON array; while it is computed with it is an
// Array(Float64), or an Array(Nullable(Float64)) where an element may be missing.

/**
 * `body` with names for values that it uses several times. ClickHouse has no `let` inside an expression; a lambda over
 * arrays of one element is one, and keeps nested steps from multiplying the text. The names are ours, never a query's.
 */
export function named(values: Readonly<Record<string, Sql>>, body: Sql): SqlText {
  const names = Object.keys(values);
  const list = Object.values(values);
  const between = list.map((_, index) => (index === list.length - 1 ? '])[1]' : '], ['));
  return {
    kind: 'text',
    parts: [`arrayMap((${names.join(', ')}) -> `, ', [', ...between],
    values: [body, ...list],
  };
}

/** The elements as numbers, NULL for what is none. */
export function numbersSql(json: Sql): Sql {
  return sql`arrayMap(ne -> multiIf(ne = '"NaN"', nan, ne = '"Infinity"', inf, ne = '"-Infinity"', -inf, toFloat64OrNull(ne)), JSONExtractArrayRaw(ifNull(${json}, '')))`;
}

/** `result` when the value is an array, else NULL. */
export function onSeries(json: Sql, result: Sql): Sql {
  return sql`if(startsWith(ifNull(${json}, ''), '['), ${result}, NULL)`;
}

/** A number as JSON; NaN and infinities as Kusto's texts of them. */
export function numberJson(value: Sql): Sql {
  return sql`multiIf(isNull(${value}), 'null', isFinite(ifNull(${value}, 0)), ifNull(toString(${value}), 'null'), isNaN(ifNull(${value}, 0)), '"NaN"', ifNull(${value}, 0) > 0, '"Infinity"', '"-Infinity"')`;
}

/** An array of numbers as a series. */
export function seriesJson(numbers: Sql): Sql {
  return sql`concat('[', arrayStringConcat(arrayMap(nj -> ${numberJson(sql`nj`)}, ${numbers}), ','), ']')`;
}

/** An array of truth values as a series. */
export function flagsJson(flags: Sql): Sql {
  return sql`concat('[', arrayStringConcat(arrayMap(fj -> multiIf(isNull(fj), 'null', fj, 'true', 'false'), ${flags}), ','), ']')`;
}

/** Values, each JSON already, as the array of a function that gives several columns. */
export function tupleJson(values: readonly Sql[]): Sql {
  const [first, ...rest] = values;
  if (!first) return sql`'[]'`;
  return sql`concat('[', ${rest.reduce((one: Sql, other): Sql => sql`${one}, ',', ${other}`, first)}, ']')`;
}

/** Values under names of ours as a bag. */
export function bagOf(values: Readonly<Record<string, Sql>>): Sql {
  const parts = Object.entries(values).map(([key, value], index): Sql => {
    const label = ownText(`'${index === 0 ? '{' : ','}"${key}":'`);
    return sql`${label}, ${value}`;
  });
  return sql`concat(${parts.reduce((one: Sql, other): Sql => sql`${one}, ${other}`)}, '}')`;
}

/**
 * A complete series under a name: `body` reads it as an Array(Float64) called `name`. An element that is missing makes
 * the result `otherwise`, as only `series_outliers` and the fills take series with gaps.
 */
export function onComplete(json: Sql, name: string, body: Sql, otherwise: Sql): Sql {
  const raw = `${name}_raw`;
  const gaps = ownText(`arrayExists(ge -> isNull(ge), ${raw})`);
  const filled = ownText(`arrayMap(fe -> ifNull(fe, 0), ${raw})`);
  return onSeries(
    json,
    named({ [raw]: numbersSql(json) }, sql`if(${gaps}, ${otherwise}, ${named({ [name]: filled }, body)})`),
  );
}

/** The quantile of sorted numbers, interpolated between neighbours. */
export function sortedQuantile(sorted: Sql, level: Sql): Sql {
  const place = sql`(${level} * (length(${sorted}) - 1))`;
  const low = sql`${sorted}[toInt64(floor(${place})) + 1]`;
  const high = sql`${sorted}[toInt64(ceil(${place})) + 1]`;
  return sql`(${low} + (${place} - floor(${place})) * (${high} - ${low}))`;
}
