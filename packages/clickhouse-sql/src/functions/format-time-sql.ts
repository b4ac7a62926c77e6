import { type Sql, sql, textParameter } from '../sql.ts';
import { calendar, yearSql } from './time-sql.ts';

// The patterns of format_datetime and format_timespan. A row of one letter is cut into the longest tokens that there
// are, so `MMM` is `MM` and `M`; what is no token stands as it is.

type Token = (ticks: Sql) => Sql;

/** Never shorter than `width`; a longer number stays whole. */
const padded = (piece: Sql, width: Sql): Sql =>
  sql`leftPad(toString(${piece}), greatest(${width}, length(toString(${piece}))), '0')`;

const hour = (ticks: Sql): Sql =>
  sql`intDiv(positiveModulo(${ticks}, toInt64(864000000000)), toInt64(36000000000))`;
const hour12 = (ticks: Sql): Sql => sql`(modulo(${hour(ticks)} + 11, 12) + 1)`;
const minute = (ticks: Sql): Sql => sql`intDiv(positiveModulo(${ticks}, toInt64(36000000000)), 600000000)`;
const second = (ticks: Sql): Sql => sql`intDiv(positiveModulo(${ticks}, 600000000), 10000000)`;
const month = (ticks: Sql): Sql => sql`toMonth(${calendar(ticks).moment})`;
const dayOfMonth = (ticks: Sql): Sql => sql`toDayOfMonth(${calendar(ticks).moment})`;
const two = sql`2`;

const DATETIME_TOKENS: Readonly<Record<string, Token>> = {
  yyyy: (ticks) => padded(yearSql(ticks), sql`4`),
  y: (ticks) => sql`toString(modulo(${yearSql(ticks)}, 100))`,
  yy: (ticks) => padded(sql`modulo(${yearSql(ticks)}, 100)`, two),
  MM: (ticks) => padded(month(ticks), two),
  M: (ticks) => sql`toString(${month(ticks)})`,
  dd: (ticks) => padded(dayOfMonth(ticks), two),
  d: (ticks) => sql`toString(${dayOfMonth(ticks)})`,
  HH: (ticks) => padded(hour(ticks), two),
  H: (ticks) => sql`toString(${hour(ticks)})`,
  hh: (ticks) => padded(hour12(ticks), two),
  h: (ticks) => sql`toString(${hour12(ticks)})`,
  mm: (ticks) => padded(minute(ticks), two),
  m: (ticks) => sql`toString(${minute(ticks)})`,
  ss: (ticks) => padded(second(ticks), two),
  s: (ticks) => sql`toString(${second(ticks)})`,
  tt: (ticks) => sql`if(${hour(ticks)} < 12, 'AM', 'PM')`,
};

const span = (ticks: Sql): Sql => sql`abs(${ticks})`;

const TIMESPAN_TOKENS: Readonly<Record<string, Token>> = {
  HH: (ticks) => padded(hour(span(ticks)), two),
  H: (ticks) => sql`toString(${hour(span(ticks))})`,
  hh: (ticks) => padded(hour(span(ticks)), two),
  h: (ticks) => sql`toString(${hour(span(ticks))})`,
  mm: (ticks) => padded(minute(span(ticks)), two),
  m: (ticks) => sql`toString(${minute(span(ticks))})`,
  ss: (ticks) => padded(second(span(ticks)), two),
  s: (ticks) => sql`toString(${second(span(ticks))})`,
};

/** The first digits of the fraction of a second; capital F drops zeros at the end. */
function fraction(token: string, ticks: Sql): Sql {
  const digits = sql`substring(leftPad(toString(positiveModulo(${ticks}, 10000000)), 7, '0'), 1, ${textLength(token)})`;
  return token.startsWith('F') ? sql`replaceRegexpOne(${digits}, '0+$', '')` : digits;
}

const DATETIME_PARTS = /yyyy|yy?|MM?|dd?|HH?|hh?|mm?|ss?|f{1,7}|F{1,7}|tt|[^yMdHhmsfF]/g;
const TIMESPAN_PARTS = /d{1,8}|HH?|hh?|mm?|ss?|f{1,7}|F{1,7}|[^dHhmsfF]/g;

const textLength = (token: string): Sql => sql`lengthUTF8(${textParameter(token)})`;

const concatenated = (pieces: readonly Sql[]): Sql => {
  const [first, ...rest] = pieces;
  return rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ${other})`, first ?? sql`''`);
};

function formatted(pattern: string, tokens: RegExp, piece: (token: string) => Sql | null): Sql {
  const parts = pattern.match(tokens) ?? [];
  return concatenated(parts.map((part) => piece(part) ?? textParameter(part)));
}

/** `format_datetime(moment, 'yyyy-MM-dd HH:mm:ss.fff')`. */
export function formatDatetimeSql(ticks: Sql, pattern: string): Sql {
  return formatted(pattern, DATETIME_PARTS, (token) => {
    const known = DATETIME_TOKENS[token];
    if (known) return known(ticks);
    return /^(f|F){1,7}$/.test(token) ? fraction(token, ticks) : null;
  });
}

/** `format_timespan(span, 'd.hh:mm:ss.fff')`; a span below zero begins with its sign. */
export function formatTimespanSql(ticks: Sql, pattern: string): Sql {
  const text = formatted(pattern, TIMESPAN_PARTS, (token) => {
    const known = TIMESPAN_TOKENS[token];
    if (known) return known(ticks);
    if (/^d+$/.test(token)) return padded(sql`intDiv(${span(ticks)}, 864000000000)`, textLength(token));
    return /^(f|F){1,7}$/.test(token) ? fraction(token, span(ticks)) : null;
  });
  return sql`concat(if(${ticks} < 0, '-', ''), ${text})`;
}
