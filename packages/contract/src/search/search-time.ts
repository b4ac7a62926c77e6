import { z } from 'zod';
import { reason } from '../messages/input-messages.ts';

// The time grammar of searches and pickers: epoch milliseconds, ISO 8601, or text relative to now such as
// `now-15m`, `now/d`, `now-1d/d`. A rounded `from` goes down, a rounded `to` goes up to the end of its unit.

/** `s` second, `m` minute, `h` hour, `d` day, `w` week from Monday, `M` month, `Q` quarter, `y` year. */
export const TIME_UNITS = ['s', 'm', 'h', 'd', 'w', 'M', 'Q', 'y'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

const RELATIVE = /^now(?:([+-]\d{1,6})([smhdwMQy]))?(?:\/([smhdwMQy]))?$/;
const FIXED_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const MIN_MS = 0;
const MAX_MS = Date.UTC(2299, 11, 31);

/** Epoch milliseconds, ISO 8601 text, or relative text. */
export const timeTextSchema = z.union([z.number().int().min(MIN_MS).max(MAX_MS), z.string().min(1).max(64)]);
export type TimeText = z.output<typeof timeTextSchema>;

/** An IANA zone name that this runtime knows, e.g. `Asia/Kolkata`. */
export const timezoneSchema = z
  .string()
  .max(64)
  .refine(isTimezone, { message: reason('timeZone') });

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** How far the zone's wall clock is ahead of UTC at an instant, in milliseconds. */
export function zoneOffsetMs(zone: string, epochMs: number): number {
  if (zone === 'UTC') return 0;
  const wall = wallClock(zone, epochMs);
  return wall - Math.floor(epochMs / 1000) * 1000;
}

/**
 * Resolves a bound of a time range to epoch milliseconds, or null when the text is none of the three forms.
 * `edge` says which way a rounded time goes; `zone` is where days, weeks and months begin, and where ISO text
 * without an offset is read.
 */
export function resolveTime(
  text: TimeText,
  options: { readonly nowMs: number; readonly zone: string; readonly edge: 'from' | 'to' },
): number | null {
  if (typeof text === 'number') return text;
  const trimmed = text.trim();
  if (/^\d{9,14}$/.test(trimmed)) {
    const value = Number(trimmed);
    return trimmed.length <= 10 ? value * 1000 : value;
  }
  const relative = RELATIVE.exec(trimmed);
  if (relative) return resolveRelative(relative, options);
  return resolveIso(trimmed, options.zone);
}

function resolveRelative(
  match: RegExpExecArray,
  { nowMs, zone, edge }: { readonly nowMs: number; readonly zone: string; readonly edge: 'from' | 'to' },
): number | null {
  const [, amount, unit, round] = match;
  let at = nowMs;
  if (amount !== undefined && unit !== undefined) at = addUnits(at, Number(amount), unit as TimeUnit, zone);
  if (round !== undefined) {
    at = startOfUnit(at, round as TimeUnit, zone);
    if (edge === 'to') at = addUnits(at, 1, round as TimeUnit, zone);
  }
  return at < MIN_MS || at > MAX_MS ? null : at;
}

function resolveIso(text: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?( ?(Z|[+-]\d{2}:?\d{2}))?$/.test(text))
    return null;
  const named = /(Z|[+-]\d{2}:?\d{2})$/.test(text) && text.length > 10;
  const normal = text.replace(' ', 'T').replace(/ (?=Z|[+-])/, '');
  const read = Date.parse(named ? normal : normal.length === 10 ? `${normal}T00:00:00Z` : `${normal}Z`);
  if (Number.isNaN(read) || read < MIN_MS || read > MAX_MS) return null;
  return named ? read : fromWall(read, zone);
}

/** Moves an instant by calendar units of the zone; days keep the wall clock across a change of offset. */
export function addUnits(epochMs: number, amount: number, unit: TimeUnit, zone: string): number {
  if (unit === 's' || unit === 'm' || unit === 'h') return epochMs + amount * FIXED_MS[unit];
  const wall = new Date(epochMs + zoneOffsetMs(zone, epochMs));
  if (unit === 'd') wall.setUTCDate(wall.getUTCDate() + amount);
  else if (unit === 'w') wall.setUTCDate(wall.getUTCDate() + 7 * amount);
  else addMonths(wall, amount * (unit === 'y' ? 12 : unit === 'Q' ? 3 : 1));
  return fromWall(wall.getTime(), zone);
}

function addMonths(wall: Date, months: number): void {
  const day = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + months);
  const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  wall.setUTCDate(Math.min(day, last));
}

/** The start of the unit that holds the instant, by the wall clock of the zone. */
export function startOfUnit(epochMs: number, unit: TimeUnit, zone: string): number {
  const wall = new Date(epochMs + zoneOffsetMs(zone, epochMs));
  if (unit === 's') wall.setUTCMilliseconds(0);
  else if (unit === 'm') wall.setUTCSeconds(0, 0);
  else if (unit === 'h') wall.setUTCMinutes(0, 0, 0);
  else wall.setUTCHours(0, 0, 0, 0);
  if (unit === 'w') wall.setUTCDate(wall.getUTCDate() - ((wall.getUTCDay() + 6) % 7));
  if (unit === 'M') wall.setUTCDate(1);
  if (unit === 'Q') wall.setUTCMonth(wall.getUTCMonth() - (wall.getUTCMonth() % 3), 1);
  if (unit === 'y') wall.setUTCMonth(0, 1);
  return fromWall(wall.getTime(), zone);
}

/** Epoch milliseconds of a wall-clock time; a time that a change of offset skips lands after the gap. */
function fromWall(wallMs: number, zone: string): number {
  const guess = wallMs - zoneOffsetMs(zone, wallMs);
  return wallMs - zoneOffsetMs(zone, guess);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function wallClock(zone: string, epochMs: number): number {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, formatter);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of formatter.formatToParts(epochMs)) part[type] = Number(value);
  return Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  );
}
