import { type Sql, sql } from '../sql.ts';

/** Ticks from `1.02:03:04.5`, `02:03`, `3d`, `1.5h`, `90` (days) and the like; NULL for anything else and out of range. */
export function parseTimespanSql(text: Sql): Sql {
  const groups = sql`extractGroups(${text}, '^(-)?(?:(\\\\d{1,8})\\\\.)?(\\\\d{1,2}):(\\\\d{1,2})(?::(\\\\d{1,2})(?:\\\\.(\\\\d{1,7}))?)?$')`;
  const part = (index: Sql): Sql => sql`ifNull(toInt64OrNull(${groups}[${index}]), 0)`;
  const clock = sql`((((${part(sql`2`)} * 24 + ${part(sql`3`)}) * 60 + ${part(sql`4`)}) * 60 + ${part(sql`5`)}) * 10000000 + ifNull(toInt64OrNull(rightPad(${groups}[6], 7, '0')), 0))`;
  const signed = sql`if(${groups}[1] = '-', negate(${clock}), ${clock})`;
  const valid = sql`(length(${groups}) = 6 AND ${part(sql`3`)} < 24 AND ${part(sql`4`)} < 60 AND ${part(sql`5`)} < 60 AND (${part(sql`2`)} < 10675199 OR (${part(sql`2`)} = 10675199 AND ${clock} > 0)))`;
  const units = sql`extractGroups(${text}, '^(-?\\\\d+(?:\\\\.\\\\d+)?) *(d|days?|h|hours?|hrs?|m|min|minutes?|s|sec|seconds?|ms|milliseconds?|microseconds?|ticks?)$')`;
  const factor = sql`multiIf(startsWith(${units}[2], 'd'), 864000000000, startsWith(${units}[2], 'h'), 36000000000, ${units}[2] IN ('m', 'min', 'minute', 'minutes'), 600000000, startsWith(${units}[2], 'ms') OR startsWith(${units}[2], 'milli'), 10000, startsWith(${units}[2], 'micro'), 10, startsWith(${units}[2], 'tick'), 1, 10000000)`;
  const ticks = sql`round(toFloat64OrZero(${units}[1]) * ${factor})`;
  const spelled = sql`if(abs(${ticks}) < 9223372036854775807, toInt64(${ticks}), NULL)`;
  const days = sql`(toInt64OrZero(${text}) * 864000000000)`;
  return sql`multiIf(${valid}, ${signed}, length(${units}) = 2, ${spelled}, match(${text}, '^-?[0-9]{1,7}$'), ${days}, NULL)`;
}
