import { type Sql, sql, textParameter } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg } from './builder.ts';
import { named } from './series-sql.ts';
import { calendar } from './time-sql.ts';
import { TIME_ZONE_NAMES } from './time-zone-names.ts';

// Moments in a time zone. A zone that the query names is a type of the engine; one that stands in a row is only taken by
// the function that writes a moment as text, so there the offset is read off that text. A local time that comes twice
// is the earlier moment; one that is left out counts with the offset before the clocks were changed.

/** The ticks of a moment as the clock of a zone shows it, or of what such a clock shows as a moment. */
export function zonedSql(args: readonly SqlValue[], toLocal: boolean): Sql {
  const ticks = arg(args, 0);
  const zone = arg(args, 1);
  if (args[1]?.constant === undefined) return inRowsZone(ticks, zone, toLocal);
  const { moment } = calendar(ticks);
  if (toLocal) return sql`(${ticks} + ${offsetOf(sql`toTimeZone(${moment}, ${zone})`)})`;
  const local = sql`toDateTime64(formatDateTime(${moment}, '%Y-%m-%d %H:%i:%S'), 3, ${zone})`;
  return sql`(${ticks} - ${offsetOf(local)})`;
}

/** The offset of a moment with a zone, in ticks. The engine is a whole day off for some years before 1970. */
function offsetOf(moment: Sql): Sql {
  const seconds = sql`arrayMap(zs -> zs - 86400 * (toInt64(zs > 50400) - toInt64(zs < -50400)), [toInt64(timeZoneOffset(${moment}))])[1]`;
  return sql`(${seconds} * 10000000)`;
}

/** The ticks by which a zone is ahead at a moment; `tz` is the zone. */
function offsetAt(ticks: Sql): Sql {
  const { moment } = calendar(ticks);
  const shown = sql`toUnixTimestamp64Milli(toDateTime64OrNull(formatDateTime(${moment}, '%Y-%m-%d %H:%i:%S', tz), 3, 'UTC'))`;
  const whole = sql`toUnixTimestamp64Milli(toStartOfSecond(${moment}))`;
  return sql`((${shown} - ${whole}) * 10000)`;
}

const DAY = sql`toInt64(864000000000)`;

function inRowsZone(ticks: Sql, zone: Sql, toLocal: boolean): Sql {
  const known = sql`has(splitByChar(' ', ${textParameter(TIME_ZONE_NAMES.join(' '))}), ${zone})`;
  const early = sql`(tl - tb)`;
  const late = sql`(tl - tn)`;
  const isLate = sql`${offsetAt(early)} != tb AND ${offsetAt(late)} = tn`;
  const utc = named(
    { tb: offsetAt(sql`(tl - ${DAY})`), tn: offsetAt(sql`(tl + ${DAY})`) },
    sql`if(${isLate}, ${late}, ${early})`,
  );
  const value = named(
    { tl: ticks, tz: sql`if(${known}, ${zone}, 'UTC')` },
    toLocal ? sql`(tl + ${offsetAt(sql`tl`)})` : utc,
  );
  return sql`if(${known}, ${value}, NULL)`;
}
