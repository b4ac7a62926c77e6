import { offsetMinutes } from './format-time.ts';

// A time range is two expressions: `now`, `now-15m`, `now-1d/d` (rounded down in `from`, up in `to`), an ISO
// time, or epoch milliseconds. The expressions stand in the link; only resolving them needs a clock and a zone.

export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

export interface ResolvedRange {
  /** Milliseconds since 1970; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

export const QUICK_RANGES = ['5m', '15m', '30m', '1h', '6h', '12h', '24h', '2d', '7d', '30d', '90d'] as const;

const UNIT_MS: Record<string, number> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };
const RELATIVE = /^now(?:([+-]\d+)([smhdwMQy]))?(?:\/([smhdwMQy]))?$/;

/** The last `span` until now, e.g. `24h`. */
export function lastRange(span: string): TimeRange {
  return { from: `now-${span}`, to: 'now' };
}

/** The span of `now-24h … now`, else null. */
export function quickSpan(range: TimeRange): string | null {
  return range.to === 'now' ? (/^now-(\d+[smhdwMQy])$/.exec(range.from)?.[1] ?? null) : null;
}

export function absoluteRange(from: number, to: number): TimeRange {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** The range in milliseconds; null when an end can't be read or the range is empty. */
export function resolveRange(range: TimeRange, now: number, zone = 'local'): ResolvedRange | null {
  const from = resolveTime(range.from, now, zone, 'down');
  const to = resolveTime(range.to, now, zone, 'up');
  return from === null || to === null || from >= to ? null : { from, to };
}

/** One end in milliseconds, or null when it can't be read. Wall times without offset are of the zone. */
export function resolveTime(text: string, now: number, zone: string, round: 'down' | 'up'): number | null {
  const trimmed = text.trim();
  const relative = RELATIVE.exec(trimmed);
  if (relative) return resolveRelative(relative, now, zone, round);
  if (/^\d{9,14}$/.test(trimmed)) return trimmed.length < 11 ? Number(trimmed) * 1000 : Number(trimmed);
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return null;
  const bare = trimmed.replace(' ', 'T');
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(bare)) return finite(Date.parse(bare));
  const wall = finite(Date.parse(bare.includes('T') ? `${bare}Z` : `${bare}T00:00:00Z`));
  return wall === null ? null : fromWall(wall, zone);
}

/** `last 3 hours`, `15m`, `now-1d` as a range; null when it means nothing. */
export function readRange(text: string): TimeRange | null {
  const words =
    /^(?:last\s+)?(\d+)\s*(s|m|h|d|w|M|Q|y|sec|second|min|minute|hour|day|week|month|year)s?$/.exec(
      text.trim(),
    );
  if (words) return lastRange(`${words[1]}${unitOf(words[2]!)}`);
  const [from, to] = text.split(/\s+to\s+/);
  if (from && RELATIVE.test(from.trim())) return { from: from.trim(), to: to?.trim() ?? 'now' };
  return null;
}

/** The range of a link's query, or the one given when the link names none. */
export function rangeOfParams(params: URLSearchParams, otherwise: TimeRange): TimeRange {
  const from = params.get('from');
  const to = params.get('to');
  return from && to ? { from, to } : otherwise;
}

/** A copy of the query with the range in it. */
export function paramsWithRange(params: URLSearchParams, range: TimeRange): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set('from', range.from);
  next.set('to', range.to);
  return next;
}

/** The range moved by a share of its own length (-1: one length earlier), or widened around its middle. */
export function moveRange(range: ResolvedRange, by: number): ResolvedRange {
  const shift = Math.round((range.to - range.from) * by);
  return { from: range.from + shift, to: range.to + shift };
}

export function widenRange(range: ResolvedRange, factor = 2): ResolvedRange {
  const middle = (range.from + range.to) / 2;
  const half = ((range.to - range.from) / 2) * factor;
  return { from: Math.round(middle - half), to: Math.round(middle + half) };
}

function resolveRelative(match: RegExpExecArray, now: number, zone: string, round: 'down' | 'up'): number {
  const [, amount, unit, rounding] = match;
  const moved = amount && unit ? shift(now, Number(amount), unit, zone) : now;
  if (!rounding) return moved;
  const floor = startOf(moved, rounding, zone);
  return round === 'down' ? floor : shift(floor, 1, rounding, zone);
}

function shift(time: number, amount: number, unit: string, zone: string): number {
  const fixed = UNIT_MS[unit];
  if (fixed && unit !== 'd' && unit !== 'w') return time + amount * fixed;
  const wall = new Date(toWall(time, zone));
  if (unit === 'd') wall.setUTCDate(wall.getUTCDate() + amount);
  if (unit === 'w') wall.setUTCDate(wall.getUTCDate() + 7 * amount);
  if (unit === 'M') wall.setUTCMonth(wall.getUTCMonth() + amount);
  if (unit === 'Q') wall.setUTCMonth(wall.getUTCMonth() + 3 * amount);
  if (unit === 'y') wall.setUTCFullYear(wall.getUTCFullYear() + amount);
  return fromWall(wall.getTime(), zone);
}

function startOf(time: number, unit: string, zone: string): number {
  const wall = new Date(toWall(time, zone));
  if (unit === 's' || unit === 'm' || unit === 'h') {
    const size = UNIT_MS[unit]!;
    return fromWall(Math.floor(wall.getTime() / size) * size, zone);
  }
  wall.setUTCHours(0, 0, 0, 0);
  if (unit === 'w') wall.setUTCDate(wall.getUTCDate() - ((wall.getUTCDay() + 6) % 7));
  if (unit === 'M' || unit === 'Q' || unit === 'y') wall.setUTCDate(1);
  if (unit === 'Q') wall.setUTCMonth(Math.floor(wall.getUTCMonth() / 3) * 3);
  if (unit === 'y') wall.setUTCMonth(0);
  return fromWall(wall.getTime(), zone);
}

/** A UTC stamp whose UTC fields are the wall clock of the zone. */
function toWall(time: number, zone: string): number {
  return time + offsetMinutes(zone, time) * 60_000;
}

/** Back from wall clock; asks twice because the offset may change between the two. */
function fromWall(wall: number, zone: string): number {
  const guess = wall - offsetMinutes(zone, wall) * 60_000;
  return wall - offsetMinutes(zone, guess) * 60_000;
}

function unitOf(word: string): string {
  if (word.length === 1) return word;
  if (word === 'month') return 'M';
  return word[0]!;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
