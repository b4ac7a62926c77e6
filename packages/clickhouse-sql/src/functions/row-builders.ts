import { parameter, type Sql, sql, textParameter } from '../sql.ts';
import { arg, type Builder, constantNumber, constantText } from './builder.ts';
import { arrayJsonSql, jsonArraySql, jsonElementSql } from './json-sql.ts';

// Functions that operators need of the engine and that no function of the language says.

const MAX_BINS = sql`1048576`;

/** Values stand in their bins, in any order; what lies between is the default. The work grows with the count only. */
const seriesValues: Builder = (args) => {
  const places = sql`arrayMap(p -> toInt64(p) - assumeNotNull(ifNull(${arg(args, 2)}, 0)), ${jsonArraySql(arg(args, 0))})`;
  const sorted = sql`arraySort(p -> p.1, arrayZip(${places}, ${jsonArraySql(arg(args, 1))}))`;
  const filler = args[4] ? jsonElementSql(args[4]) : sql`'null'`;
  const gaps = sql`arrayDifference(arrayPushFront(arrayMap(p -> p.1, ${sorted}), toInt64(-1)))`;
  const pieces = sql`arrayMap((p, gap) -> arrayPushBack(arrayWithConstant(toUInt64(greatest(gap - 1, 0)), ${filler}), p.2), ${sorted}, arrayPopFront(${gaps}))`;
  const count = sql`toUInt64(least(greatest(ifNull(${arg(args, 3)}, 0), 0), ${MAX_BINS}))`;
  return arrayJsonSql(sql`arrayResize(arrayFlatten(${pieces}), ${count}, ${filler})`);
};

const seriesAxis: Builder = (args) => {
  const [first] = args;
  if (!first) return sql`NULL`;
  const at: Sql = sql`(${first.sql} + i * ${arg(args, 1)})`;
  const element = jsonElementSql({ ...first, sql: at });
  return arrayJsonSql(
    sql`arrayMap(i -> ${element}, range(toInt64(0), toInt64(least(greatest(ifNull(${arg(args, 2)}, 0), 0), ${MAX_BINS}))))`,
  );
};

/** A text cut into a bag by an expression; the first value of a key stays. */
const keyValues: Builder = (args) => {
  const [keyGroups, inQuotes] = [constantNumber(args, 5, 1), constantNumber(args, 6, 0)];
  const mark = constantText(args, 2);
  const pair = constantText(args, 3);
  const escapes = constantText(args, 4);
  const text =
    mark === ''
      ? arg(args, 0)
      : sql`replaceRegexpAll(${arg(args, 0)}, ${textParameter(mark)}, '\\x01\\\\1\\x02')`;
  const group = (index: number): Sql => sql`g[${parameter('UInt8', index)}]`;
  const plain = (piece: Sql): Sql => {
    if (escapes === '') return piece;
    const escaped = `[${escapes.replace(/[\\\]^[-]/g, '\\$&')}](.)`;
    return sql`replaceRegexpAll(${piece}, ${textParameter(`(?s)${escaped}`)}, '\\\\1')`;
  };
  const trimmed = (piece: Sql): Sql => sql`trim(BOTH ' \t\r\n' FROM ${piece})`;
  const chosen = (from: number, last: Sql): Sql => {
    let value = last;
    for (let index = inQuotes - 1; index >= 0; index--)
      value = sql`if(${group(from + index)} != '', ${plain(group(from + index))}, ${value})`;
    return trimmed(value);
  };
  const lastKey = group(keyGroups);
  const bareKey =
    pair === '' || mark !== '' ? lastKey : sql`splitByString(${textParameter(pair)}, ${lastKey})[-1]`;
  const pairs = sql`arrayMap(g -> (${chosen(1, bareKey)}, ${chosen(keyGroups + 1, group(keyGroups + inQuotes + 1))}), extractAllGroupsVertical(${text}, ${arg(args, 1)}))`;
  const first = sql`arrayFilter((p, i) -> i = 1, ${pairs}, arrayEnumerateUniq(arrayMap(q -> q.1, ${pairs})))`;
  return sql`concat('{', arrayStringConcat(arrayMap(p -> concat(toJSONString(p.1), ':', toJSONString(p.2)), ${first}), ','), '}')`;
};

export const ROW_BUILDERS: Readonly<Record<string, Builder>> = {
  row_id: () => sql`toInt64(rowNumberInAllBlocks())`,
  series_values: seriesValues,
  key_values: keyValues,
  series_axis: seriesAxis,
  series_bin: (args) =>
    args[0]?.type === 'real'
      ? sql`accurateCastOrNull(floor(${arg(args, 0)} / ${arg(args, 1)}), 'Int64')`
      : sql`intDiv(${arg(args, 0)} - positiveModulo(${arg(args, 0)}, ${arg(args, 1)}), ${arg(args, 1)})`,
  series_at: (args) => sql`(${arg(args, 0)} + ${arg(args, 1)} * ${arg(args, 2)})`,
};
