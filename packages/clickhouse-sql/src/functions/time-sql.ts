import { type Sql, sql } from '../sql.ts';

// Calendar arithmetic on ticks since 1970. ClickHouse knows the calendar from 1900 to 2299, which is one whole cycle
// of 400 years (146,097 days); a moment outside is moved by whole cycles, so that the answer is exact from year 1 on.

/** Whole cycles between a moment and the years that ClickHouse knows. */
function cycles(ticks: Sql): Sql {
  return sql`intDiv(${ticks} - positiveModulo(${ticks} - (-22089888000000000), toInt64(126227808000000000)) - (-22089888000000000), toInt64(126227808000000000))`;
}

/** A DateTime64(7) inside ClickHouse's calendar; `shift` is the number of whole cycles that it was moved. */
export function calendar(ticks: Sql): { readonly moment: Sql; readonly shift: Sql } {
  const shift = cycles(ticks);
  const inside = sql`(${ticks} - ${shift} * 126227808000000000)`;
  return { moment: momentSql(inside), shift };
}

/** A DateTime64(3) at the millisecond below ticks that lie in ClickHouse's calendar. */
function momentSql(ticks: Sql): Sql {
  return sql`fromUnixTimestamp64Milli(intDiv(${ticks} - positiveModulo(${ticks}, 10000), 10000), 'UTC')`;
}

/** The first moment of a period, by a ClickHouse function that gives a date. */
export function periodStart(ticks: Sql, start: (moment: Sql) => Sql): Sql {
  const { moment, shift } = calendar(ticks);
  return sql`(toInt64(toDate32(${start(moment)})) * 864000000000 + ${shift} * 126227808000000000)`;
}

/** The year. */
export function yearSql(ticks: Sql): Sql {
  const { moment, shift } = calendar(ticks);
  return sql`(toInt64(toYear(${moment})) + ${shift} * 400)`;
}

/** `2023-01-31T12:00:00.0000000Z`. */
export function datetimeTextSql(ticks: Sql): Sql {
  const { moment } = calendar(ticks);
  const year = sql`leftPad(toString(${yearSql(ticks)}), 4, '0')`;
  const rest = sql`formatDateTime(${moment}, '-%m-%dT%H:%i:%S.')`;
  const fraction = sql`leftPad(toString(positiveModulo(${ticks}, 10000000)), 7, '0')`;
  return sql`concat(${year}, ${rest}, ${fraction}, 'Z')`;
}

/** `[-][d.]hh:mm:ss[.fffffff]`. */
export function timespanTextSql(ticks: Sql): Sql {
  const all = sql`abs(${ticks})`;
  const sign = sql`if(${ticks} < 0, '-', '')`;
  const days = sql`if(${all} >= 864000000000, concat(toString(intDiv(${all}, 864000000000)), '.'), '')`;
  const two = (piece: Sql): Sql => sql`leftPad(toString(${piece}), 2, '0')`;
  const hours = two(sql`modulo(intDiv(${all}, toInt64(36000000000)), 24)`);
  const minutes = two(sql`modulo(intDiv(${all}, 600000000), 60)`);
  const seconds = two(sql`modulo(intDiv(${all}, 10000000), 60)`);
  const rest = sql`modulo(${all}, 10000000)`;
  const fraction = sql`if(${rest} = 0, '', concat('.', leftPad(toString(${rest}), 7, '0')))`;
  return sql`concat(${sign}, ${days}, ${hours}, ':', ${minutes}, ':', ${seconds}, ${fraction})`;
}

/** Ticks from text in the forms that Kusto reads; NULL for anything else. Years of two digits are 1930 to 2029. */
export function parseDatetimeSql(text: Sql): Sql {
  const trimmed = sql`replaceRegexpOne(trimBoth(${text}), '^[A-Za-z]{3,9}, +', '')`;
  const groups = sql`extractGroups(${trimmed}, '^(\\d{1,2})[- ]([A-Za-z]{3})[- ](\\d{2})( .*)?$')`;
  const century = sql`if(${groups}[3] < '30', '20', '19')`;
  const full = sql`if(empty(${groups}), ${trimmed}, concat(${groups}[1], ' ', ${groups}[2], ' ', ${century}, ${groups}[3], ${groups}[4]))`;
  const american = sql`replaceRegexpOne(${full}, '^(\\d{1,2})-(\\d{1,2})-(\\d{4})', '\\\\1/\\\\2/\\\\3')`;
  const onClock = sql`NOT match(${full}, '[T ](?:2[4-9]|[3-9][0-9]):|:[6-9][0-9]')`;
  const looksRight = sql`match(${full}, '^[0-9A-Za-z]+[-/ .:,0-9A-Za-z+]*$')`;
  const parsed = sql`parseDateTime64BestEffortUSOrNull(${american}, 7, 'UTC')`;
  return sql`if(${looksRight} AND ${onClock} AND match(${full}, '[-/ ]') AND match(${full}, '(^|[^0-9.])\\d{4}([^0-9]|$)'), reinterpretAsInt64(${parsed}), NULL)`;
}
