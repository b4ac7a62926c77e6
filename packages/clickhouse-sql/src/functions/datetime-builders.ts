import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder, constantText } from './builder.ts';
import { formatDatetimeSql, formatTimespanSql } from './format-time-sql.ts';
import { calendar, periodStart, yearSql } from './time-sql.ts';
import { zonedSql } from './time-zone-sql.ts';

// Periods are half-open: the end of a day is the last tick before the next one starts. Weeks begin on Sunday.

// Beyond 32 bits a literal is unsigned, and the remainder of a negative number by it would be taken as unsigned.
const DAY = sql`toInt64(864000000000)`;

/** Down to a multiple of a step counted from a fixed point; null for a step that is not positive. */
const binned: Builder = (args) => {
  const [value, step, fixed] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  const size = sql`if(${step} > 0, ${step}, NULL)`;
  return sql`(${value} - positiveModuloOrNull(${value} - ${fixed}, ${size}))`;
};

const binnedReal: Builder = (args) => {
  const [value, step, fixed] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  return sql`if(${step} > 0, floor((${value} - ${fixed}) / ${step}) * ${step} + ${fixed}, NULL)`;
};

const day = (ticks: Sql): Sql => sql`(${ticks} - positiveModulo(${ticks}, toInt64(864000000000)))`;

/** Day 0 of 1970 was a Thursday: three days before it a week began, counted from Sunday. */
const week = (ticks: Sql): Sql =>
  sql`(${ticks} - positiveModulo(${ticks} + 3456000000000, toInt64(6048000000000)))`;

/** The start of the month, some months on. */
function month(ticks: Sql, offset: Sql): Sql {
  return periodStart(
    ticks,
    (moment) => sql`addMonths(subtractDays(toDate32(${moment}), toDayOfMonth(${moment}) - 1), ${offset})`,
  );
}

function year(ticks: Sql, offset: Sql): Sql {
  return periodStart(
    ticks,
    (moment) => sql`addYears(subtractDays(toDate32(${moment}), toDayOfYear(${moment}) - 1), ${offset})`,
  );
}

const offsetOf = (args: readonly SqlValue[]): Sql => args[1]?.sql ?? sql`0`;

const DATE_PARTS: Readonly<Record<string, (ticks: Sql) => Sql>> = {
  year: yearSql,
  quarter: (ticks) => sql`toQuarter(${calendar(ticks).moment})`,
  month: (ticks) => sql`toMonth(${calendar(ticks).moment})`,
  week_of_year: (ticks) => sql`toISOWeek(${calendar(ticks).moment})`,
  weekofyear: (ticks) => sql`toISOWeek(${calendar(ticks).moment})`,
  day: (ticks) => sql`toDayOfMonth(${calendar(ticks).moment})`,
  dayofyear: (ticks) => sql`toDayOfYear(${calendar(ticks).moment})`,
  hour: (ticks) => sql`intDiv(positiveModulo(${ticks}, toInt64(864000000000)), toInt64(36000000000))`,
  minute: (ticks) => sql`intDiv(positiveModulo(${ticks}, toInt64(36000000000)), 600000000)`,
  second: (ticks) => sql`intDiv(positiveModulo(${ticks}, 600000000), 10000000)`,
  millisecond: (ticks) => sql`intDiv(positiveModulo(${ticks}, 10000000), 10000)`,
  microsecond: (ticks) => sql`intDiv(positiveModulo(${ticks}, 10000000), 10)`,
  nanosecond: (ticks) => sql`(positiveModulo(${ticks}, 10000000) * 100)`,
};

const UNITS: Readonly<Record<string, Sql>> = {
  week: sql`toInt64(6048000000000)`,
  day: DAY,
  hour: sql`toInt64(36000000000)`,
  minute: sql`600000000`,
  second: sql`10000000`,
  millisecond: sql`10000`,
  microsecond: sql`10`,
};

const datePart: Builder = (args) => {
  const part = DATE_PARTS[constantText(args, 0).toLowerCase()];
  return part ? part(arg(args, 1)) : sql`NULL`;
};

const added: Builder = (args) => {
  const period = constantText(args, 0).toLowerCase();
  const [amount, ticks] = [arg(args, 1), arg(args, 2)];
  const unit = UNITS[period];
  if (unit) return sql`(${ticks} + ${amount} * ${unit})`;
  if (period === 'nanosecond') return sql`(${ticks} + intDiv(${amount}, 100))`;
  const months = period === 'year' ? sql`${amount} * 12` : period === 'quarter' ? sql`${amount} * 3` : amount;
  if (!['year', 'quarter', 'month'].includes(period)) return sql`NULL`;
  const moved = periodStart(ticks, (moment) => sql`addMonths(toDate32(${moment}), ${months})`);
  const target = sql`(${yearSql(ticks)} * 12 + toMonth(${calendar(ticks).moment}) - 1 + ${months})`;
  const sum = sql`${moved} + positiveModulo(${ticks}, toInt64(864000000000))`;
  return sql`if(${target} BETWEEN 12 AND 119999, ${sum}, NULL)`;
};

/** Borders that lie between two moments. */
const difference: Builder = (args) => {
  const period = constantText(args, 0).toLowerCase();
  const [left, right] = [arg(args, 1), arg(args, 2)];
  const unit = UNITS[period];
  const floored = (ticks: Sql, size: Sql): Sql =>
    sql`intDiv(${ticks} - positiveModulo(${ticks}, ${size}), ${size})`;
  const months = (ticks: Sql): Sql => sql`(${yearSql(ticks)} * 12 + toMonth(${calendar(ticks).moment}) - 1)`;
  if (period === 'week') return sql`intDiv(${week(left)} - ${week(right)}, 6048000000000)`;
  if (unit) return sql`(${floored(left, unit)} - ${floored(right, unit)})`;
  switch (period) {
    case 'nanosecond':
      return sql`((${left} - ${right}) * 100)`;
    case 'year':
      return sql`(${yearSql(left)} - ${yearSql(right)})`;
    case 'quarter':
      return sql`(intDiv(${months(left)}, 3) - intDiv(${months(right)}, 3))`;
    case 'month':
      return sql`(${months(left)} - ${months(right)})`;
    default:
      return sql`NULL`;
  }
};

const madeDatetime: Builder = (args) => {
  const part = (index: number, otherwise: Sql): Sql => args[index]?.sql ?? otherwise;
  const [years, months, days] = [part(0, sql`1`), part(1, sql`1`), part(2, sql`1`)];
  const hours = sql`${part(3, sql`0`)} * 36000000000 + ${part(4, sql`0`)} * 600000000`;
  const seconds = sql`toInt64(round(${part(5, sql`0`)} * 10000000))`;
  const date = sql`makeDate32(1970 + positiveModulo(${years} - 1970, 400) - if(positiveModulo(${years} - 1970, 400) >= 330, 400, 0), ${months}, ${days})`;
  const shift = sql`intDiv(${years} - toInt64(toYear(${date})), 400)`;
  const valid = sql`(${years} BETWEEN 1 AND 9999 AND ${months} BETWEEN 1 AND 12 AND ${days} BETWEEN 1 AND 31 AND toMonth(${date}) = ${months} AND ${part(3, sql`0`)} BETWEEN 0 AND 23 AND ${part(4, sql`0`)} BETWEEN 0 AND 59 AND ${part(5, sql`0`)} >= 0 AND ${part(5, sql`0`)} < 60)`;
  return sql`if(${valid}, toInt64(toInt32(${date})) * 864000000000 + ${shift} * 126227808000000000 + ${hours} + ${seconds}, NULL)`;
};

const madeTimespan: Builder = (args) => {
  const part = (index: number): Sql => args[index]?.sql ?? sql`0`;
  const total = (days: Sql, hours: Sql, minutes: Sql, seconds: Sql): Sql => {
    const valid = sql`(${days} >= 0 AND ${hours} BETWEEN 0 AND 23 AND ${minutes} BETWEEN 0 AND 59 AND ${seconds} >= 0 AND ${seconds} < 60)`;
    return sql`if(${valid}, (${days} * 24 + ${hours}) * 36000000000 + ${minutes} * 600000000 + toInt64(round(toFloat64(${seconds}) * 10000000)), NULL)`;
  };
  switch (args.length) {
    case 2:
      return total(sql`0`, part(0), part(1), sql`0`);
    case 3:
      return total(sql`0`, part(0), part(1), part(2));
    default:
      return total(part(0), part(1), part(2), part(3));
  }
};

/** Ticks that a datetime can hold, from year 1 to 9999; null for any other. */
const inCalendar = (ticks: Sql): Sql =>
  sql`if(${ticks} BETWEEN -621355968000000000 AND 2534023007999999999, ${ticks}, NULL)`;

/** Whole numbers are counted exactly, fractions to the nearest tick; `size` is the ticks of a unit or units of a tick. */
const fromUnix =
  (size: Sql, isPart = false): Builder =>
  (args) => {
    const [value] = args;
    const count = arg(args, 0);
    const limit = isPart ? sql`${count} / ${size}` : sql`${count} * ${size}`;
    const inReach = sql`(abs(toFloat64(${limit})) < 3e18)`;
    if (value?.type === 'int' || value?.type === 'long') {
      const far = isPart ? sql`true` : sql`(abs(toFloat64(${count}) * ${size}) < 3e18)`;
      const exact = isPart
        ? sql`intDiv(${count} - positiveModulo(${count}, ${size}), ${size})`
        : sql`toInt64(${count}) * ${size}`;
      return sql`if(${far}, ${inCalendar(exact)}, NULL)`;
    }
    return sql`if(${inReach}, ${inCalendar(sql`toInt64(round(${limit}))`)}, NULL)`;
  };

/** Dates and spans of time. */
export const DATETIME_BUILDERS: Readonly<Record<string, Builder>> = {
  bin_datetime: binned,
  bin_timespan: binned,
  bin_long: binned,
  bin_real: binnedReal,
  startofday: (args) => sql`(${day(arg(args, 0))} + ${offsetOf(args)} * 864000000000)`,
  startofweek: (args) => sql`(${week(arg(args, 0))} + ${offsetOf(args)} * 6048000000000)`,
  startofmonth: (args) => month(arg(args, 0), offsetOf(args)),
  startofyear: (args) => year(arg(args, 0), offsetOf(args)),
  endofday: (args) => sql`(${day(arg(args, 0))} + (${offsetOf(args)} + 1) * 864000000000 - 1)`,
  endofweek: (args) => sql`(${week(arg(args, 0))} + (${offsetOf(args)} + 1) * 6048000000000 - 1)`,
  endofmonth: (args) => sql`(${month(arg(args, 0), sql`${offsetOf(args)} + 1`)} - 1)`,
  endofyear: (args) => sql`(${year(arg(args, 0), sql`${offsetOf(args)} + 1`)} - 1)`,
  dayofweek: (args) => sql`(${day(arg(args, 0))} - ${week(arg(args, 0))})`,
  dayofmonth: (args) => sql`toDayOfMonth(${calendar(arg(args, 0)).moment})`,
  dayofyear: (args) => sql`toDayOfYear(${calendar(arg(args, 0)).moment})`,
  hourofday: (args) =>
    sql`intDiv(positiveModulo(${arg(args, 0)}, toInt64(864000000000)), toInt64(36000000000))`,
  monthofyear: (args) => sql`toMonth(${calendar(arg(args, 0)).moment})`,
  getyear: (args) => yearSql(arg(args, 0)),
  week_of_year: (args) => sql`toISOWeek(${calendar(arg(args, 0)).moment})`,
  datetime_part: datePart,
  datetime_add: added,
  datetime_diff: difference,
  format_datetime: (args) => formatDatetimeSql(arg(args, 0), constantText(args, 1)),
  format_timespan: (args) => formatTimespanSql(arg(args, 0), constantText(args, 1)),
  make_datetime: madeDatetime,
  make_timespan: madeTimespan,
  datetime_utc_to_local: (args) => zonedSql(args, true),
  datetime_local_to_utc: (args) => zonedSql(args, false),
  unixtime_seconds_todatetime: fromUnix(sql`10000000`),
  unixtime_milliseconds_todatetime: fromUnix(sql`10000`),
  unixtime_microseconds_todatetime: fromUnix(sql`10`),
  unixtime_nanoseconds_todatetime: fromUnix(sql`100`, true),
};
