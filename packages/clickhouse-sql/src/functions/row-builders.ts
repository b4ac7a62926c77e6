import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { arrayJsonSql, jsonArraySql, jsonElementSql } from './json-sql.ts';

// Functions that operators need of the engine and that no function of the language says.

const MOST_BINS = sql`1048576`;

/** Values stand in their bins, in any order; what lies between is the default. The work grows with the count only. */
const seriesValues: Builder = (args) => {
  const places = sql`arrayMap(p -> toInt64(p) - assumeNotNull(ifNull(${arg(args, 2)}, 0)), ${jsonArraySql(arg(args, 0))})`;
  const sorted = sql`arraySort(p -> p.1, arrayZip(${places}, ${jsonArraySql(arg(args, 1))}))`;
  const filler = args[4] ? jsonElementSql(args[4]) : sql`'null'`;
  const gaps = sql`arrayDifference(arrayPushFront(arrayMap(p -> p.1, ${sorted}), toInt64(-1)))`;
  const pieces = sql`arrayMap((p, gap) -> arrayPushBack(arrayWithConstant(toUInt64(greatest(gap - 1, 0)), ${filler}), p.2), ${sorted}, arrayPopFront(${gaps}))`;
  const count = sql`toUInt64(least(greatest(ifNull(${arg(args, 3)}, 0), 0), ${MOST_BINS}))`;
  return arrayJsonSql(sql`arrayResize(arrayFlatten(${pieces}), ${count}, ${filler})`);
};

const seriesAxis: Builder = (args) => {
  const [first] = args;
  if (!first) return sql`NULL`;
  const at: Sql = sql`(${first.sql} + i * ${arg(args, 1)})`;
  const element = jsonElementSql({ ...first, sql: at });
  return arrayJsonSql(
    sql`arrayMap(i -> ${element}, range(toInt64(0), toInt64(least(greatest(ifNull(${arg(args, 2)}, 0), 0), ${MOST_BINS}))))`,
  );
};

export const ROW_BUILDERS: Readonly<Record<string, Builder>> = {
  row_id: () => sql`toInt64(rowNumberInAllBlocks())`,
  series_values: seriesValues,
  series_axis: seriesAxis,
  series_bin: (args) =>
    args[0]?.type === 'real'
      ? sql`accurateCastOrNull(floor(${arg(args, 0)} / ${arg(args, 1)}), 'Int64')`
      : sql`intDiv(${arg(args, 0)} - positiveModulo(${arg(args, 0)}, ${arg(args, 1)}), ${arg(args, 1)})`,
  series_at: (args) => sql`(${arg(args, 0)} + ${arg(args, 1)} * ${arg(args, 2)})`,
};
