import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';

// Points in time in PostgreSQL. The program counts epoch milliseconds and the tables hold timestamptz; the two meet here:
// a row gives milliseconds, and a statement takes them through `timestamp`, which makes one parameter with its type.

declare const stored: unique symbol;

/** Type of a column `timestamptz`: read as epoch milliseconds, written and compared with `timestamp(ms)` alone. */
export type Timestamp = number & { readonly [stored]: true };

/** A row outside its store: its times are plain epoch milliseconds. */
export type Row<T> = { [K in keyof T]: Timestamp extends T[K] ? Exclude<T[K], Timestamp> | number : T[K] };

/** PostgreSQL knows no day before this one, JavaScript does: 24 November 4714 BC, epoch milliseconds. */
const FIRST_DAY_MS = -210_866_803_200_000;
/** JavaScript ends a day later, but in time zones to the east it could not read that day's text. */
const LAST_DAY_MS = 8_639_999_913_600_000;

// Text of parameters is written in UTC, whatever the time zone of the process.
pg.defaults.parseInputDatesAsUTC = true;

const dateOf = (ms: number): Date => new Date(Math.min(Math.max(ms, FIRST_DAY_MS), LAST_DAY_MS));

/** Epoch milliseconds as a value of a statement. What lies beyond the days of both becomes the first or the last. */
export function timestamp(ms: number): RawBuilder<Timestamp>;
export function timestamp(ms: number | null): RawBuilder<Timestamp | null>;
export function timestamp(ms: number | null): RawBuilder<Timestamp | null> {
  return sql<Timestamp | null>`${ms === null ? null : dateOf(ms)}::timestamptz`;
}

/** A list of epoch milliseconds as one value of a statement, for `unnest` and `any`. */
export function timestampList(list: readonly number[]): RawBuilder<Timestamp[]> {
  return sql<Timestamp[]>`${list.map(dateOf)}::timestamptz[]`;
}

/** A column of points in time as epoch milliseconds, for what calculates with them or compares them as text. */
export const epochOf = (column: string): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;

type Stored<Value> = Value extends number ? RawBuilder<Timestamp> : Value;

/** The row with the named columns as values of a statement; what is null or absent stays so. */
export function withTimestamps<T extends object, K extends keyof T>(
  row: T,
  ...columns: readonly K[]
): { [P in keyof T]: P extends K ? Stored<T[P]> : T[P] } {
  const stored = columns.flatMap((column) => {
    const value = row[column];
    return typeof value === 'number' ? [[column, timestamp(value)]] : [];
  });
  return { ...row, ...Object.fromEntries(stored) };
}

const { TIMESTAMPTZ } = pg.types.builtins;
const parseDate: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ);

function readTimestamp(text: string): number {
  const date = parseDate(text);
  if (date instanceof Date) return date.getTime();
  throw new Error(`PostgreSQL gave a time that cannot be read: ${text}`);
}

/** Parsers of the connections of this program; those of the job queue have the library's own. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary' ? readTimestamp : pg.types.getTypeParser(oid, format),
};
