import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { jsonElementSql } from './json-sql.ts';
import { numberJson, onSeries } from './series-sql.ts';

// Filling the gaps of a series. The elements stay the JSON that they were; a gap is null, or the placeholder.

const elements = (args: readonly SqlValue[]): Sql => sql`JSONExtractArrayRaw(ifNull(${arg(args, 0)}, ''))`;

/** Whether an element is missing: null, or equal to the placeholder as a number. */
function isGap(element: Sql, placeholder: SqlValue | undefined): Sql {
  if (!placeholder || placeholder.constant === null) return sql`(${element} = 'null')`;
  const value = sql`toFloat64OrNull(toString(${placeholder.sql}))`;
  return sql`if(isNull(${value}), ${element} = 'null', ifNull(toFloat64OrNull(${element}) = ${value}, false))`;
}

const joined = (array: Sql): Sql => sql`concat('[', arrayStringConcat(${array}, ','), ']')`;

const json = (value: SqlValue | undefined, otherwise: Sql): Sql =>
  value ? jsonElementSql(value) : otherwise;

const forward = (array: Sql, placeholder: SqlValue | undefined): Sql =>
  sql`arrayFill(fw -> NOT ${isGap(sql`fw`, placeholder)}, ${array})`;

const backward = (array: Sql, placeholder: SqlValue | undefined): Sql =>
  sql`arrayReverseFill(bw -> NOT ${isGap(sql`bw`, placeholder)}, ${array})`;

/** The position of the nearest element that is there, 0 when there is none: before (`arrayFill`) or after. */
function nearest(fn: Sql, array: Sql, placeholder: SqlValue | undefined): Sql {
  const places = sql`arrayMap((le, li) -> if(${isGap(sql`le`, placeholder)}, toInt64(0), toInt64(li)), ${array}, arrayEnumerate(${array}))`;
  return sql`${fn}(lp -> lp > 0, ${places})`;
}

/**
 * Straight lines between the neighbours of a gap, not rounded: JSON does not tell 1.0 from 1. The edges take their
 * nearest value unless `fill_edges` is false; a series of gaps only takes the constant.
 */
const linear: Builder = (args) => {
  const array = elements(args);
  const [, placeholder, edges, constant] = args;
  const at = (place: Sql): Sql => sql`toFloat64OrNull(${array}[${place}])`;
  const between = sql`(${at(sql`pb`)} + (${at(sql`pa`)} - ${at(sql`pb`)}) * (toInt64(pi) - pb) / (pa - pb))`;
  const number = numberJson(between);
  const edge = edges?.sql ?? sql`true`;
  const filled = sql`multiIf(NOT ${isGap(sql`pe`, placeholder)}, pe, pb > 0 AND pa > 0, ${number}, NOT ifNull(${edge}, true), pe, pb > 0, ${array}[pb], pa > 0, ${array}[pa], ${json(constant, sql`'0.0'`)})`;
  return onSeries(
    arg(args, 0),
    joined(
      sql`arrayMap((pe, pi, pb, pa) -> ${filled}, ${array}, arrayEnumerate(${array}), ${nearest(sql`arrayFill`, array, placeholder)}, ${nearest(sql`arrayReverseFill`, array, placeholder)})`,
    ),
  );
};

/** `series_fill_*`. */
export const SERIES_FILL_BUILDERS: Readonly<Record<string, Builder>> = {
  series_fill_const: (args) =>
    onSeries(
      arg(args, 0),
      joined(
        sql`arrayMap(ce -> if(${isGap(sql`ce`, args[2])}, ${json(args[1], sql`'0.0'`)}, ce), ${elements(args)})`,
      ),
    ),
  series_fill_forward: (args) => onSeries(arg(args, 0), joined(forward(elements(args), args[1]))),
  series_fill_backward: (args) => onSeries(arg(args, 0), joined(backward(elements(args), args[1]))),
  series_fill_linear: linear,
};
