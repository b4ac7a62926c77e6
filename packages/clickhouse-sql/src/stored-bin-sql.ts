import { parameter, sql } from './sql.ts';
import { plainValue, type SqlValue } from './sql-value.ts';

/** Before every moment that DateTime64 holds (1900-01-01), so that a difference to it is never negative. */
const BEFORE_ALL_MS = -2_208_988_800_000n;
const TICKS_PER_MS = 10_000n;

/**
 * `bin` of a stored moment by whole milliseconds, counted in them: the value is not null and is cheap to group by.
 * `fixed` is the point that steps are counted from. Null for any other step or point: then the ticks decide.
 */
export function storedBinSql(args: readonly SqlValue[]): SqlValue | null {
  const [moment, step, fixed] = args;
  if (moment?.form !== 'milliseconds' || moment.nullable) return null;
  const [stepMs, fixedMs] = [wholeMilliseconds(step), wholeMilliseconds(fixed)];
  if (stepMs === null || fixedMs === null || stepMs <= 0n || fixedMs > BEFORE_ALL_MS) return null;
  const whole = (value: bigint) => parameter('Int64', value.toString());
  const steps = sql`intDiv(toUnixTimestamp64Milli(${moment.sql}) - ${whole(fixedMs)}, ${whole(stepMs)})`;
  const ticks = sql`(${steps} * ${whole(stepMs * TICKS_PER_MS)} + ${whole(fixedMs * TICKS_PER_MS)})`;
  return plainValue('datetime', ticks, false);
}

function wholeMilliseconds(value: SqlValue | undefined): bigint | null {
  if (typeof value?.constant !== 'string') return null;
  const ticks = BigInt(value.constant);
  return ticks % TICKS_PER_MS === 0n ? ticks / TICKS_PER_MS : null;
}
