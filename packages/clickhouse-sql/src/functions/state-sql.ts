import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arrayJsonSql, jsonSql } from './json-sql.ts';
import { named } from './series-sql.ts';

// States are exact: that of `hll` holds the hashes of all values, `{"hll":[…]}`; that of `tdigest` every value with how
// often it occurs, `{"tdigest":[[values],[counts]]}`. So what is read from them is exact too.

/** The hash of a value in a state of `hll`; NULL for null. */
export const stateHash = (value: SqlValue): Sql => sql`hex(xxh3(toString(${value.sql})))`;

/** An array of hashes as a state. */
export const hllState = (hashes: Sql): Sql =>
  sql`concat('{"hll":', ${arrayJsonSql(sql`arrayMap(h -> toJSONString(h), ${hashes})`)}, '}')`;

/** The hashes of a state; none for what is no state. */
export const hllHashes = (state: Sql): Sql => sql`JSONExtract(ifNull(${state}, ''), 'hll', 'Array(String)')`;

export const isHll = (state: Sql): Sql => sql`JSONHas(ifNull(${state}, ''), 'hll')`;

/** A value as it stands in a state of `tdigest`. */
export const digestText = (value: SqlValue): Sql => sql`ifNull(${jsonSql(value)}, '')`;

/** (values, counts) as a state. */
export const digestState = (pair: Sql): Sql =>
  named(
    { td: pair },
    sql`concat('{"tdigest":[', ${arrayJsonSql(sql`td.1`)}, ',', ${arrayJsonSql(sql`arrayMap(n -> toString(n), td.2)`)}, ']}')`,
  );

export const digestTexts = (state: Sql): Sql => sql`JSONExtractArrayRaw(ifNull(${state}, ''), 'tdigest', 1)`;

export const digestCounts = (state: Sql): Sql =>
  sql`JSONExtract(ifNull(${state}, ''), 'tdigest', 2, 'Array(UInt64)')`;

export const isDigest = (state: Sql): Sql => sql`JSONHas(ifNull(${state}, ''), 'tdigest')`;

/** What orders the values of a state: numbers by size, moments by their text. */
export const digestOrder = (text: Sql): Sql =>
  sql`(multiIf(${text} = '"Infinity"', inf, ${text} = '"-Infinity"', -inf, toFloat64OrZero(${text})), ${text})`;

/** Whether a value of a state is a moment. */
export const isMoment = (text: Sql): Sql => sql`match(${text}, '^"[0-9]')`;
