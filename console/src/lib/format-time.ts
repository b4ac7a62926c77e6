// Times as section 9 of the specification writes them, plus the sortable form that event tables use.
// A time is a number: under 11 digits it counts seconds, else milliseconds.

import type { Locale } from '@tyrian/contract';
import { readSettings } from './settings.ts';

export type TimeForm = 'longDate' | 'dateTime' | 'monthDayYear' | 'iso' | 'seconds' | 'clock';

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly monthName: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly ms: string;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds since 1970 from a stamp in seconds (under 11 digits) or milliseconds. */
export function toEpochMs(stamp: number): number {
  return Math.abs(stamp) < 1e10 ? stamp * 1000 : stamp;
}

/**
 * The time in a zone (IANA name or `local`).
 * longDate `4 Mar 2026, 3:07:09 PM`; dateTime `4/3/2026 15:07:09`; monthDayYear `Mar 4, 2026`;
 * iso `2026-03-04 15:07:09.123`; seconds `2026-03-04 15:07:09`; clock `15:07:09.123`. Pages show iso for events and
 * seconds for everything else; the first three are for where the specification asks for them.
 */
export function formatTime(stamp: number, form: TimeForm, zone = 'local', locale = 'en-US'): string {
  if (!Number.isFinite(stamp)) return '';
  const time = toEpochMs(stamp);
  const p = partsOf(time, zone, locale);
  switch (form) {
    case 'longDate':
      return `${Number(p.day)} ${p.monthName} ${p.year}, ${Number(p.hour) % 12 || 12}:${p.minute}:${p.second} ${Number(p.hour) < 12 ? 'AM' : 'PM'}`;
    case 'dateTime':
      return `${Number(p.day)}/${Number(p.month)}/${p.year} ${Number(p.hour)}:${p.minute}:${p.second}`;
    case 'monthDayYear':
      return `${p.monthName} ${Number(p.day)}, ${p.year}`;
    case 'iso':
      return `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}.${p.ms}`;
    case 'seconds':
      return `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}`;
    case 'clock':
      return `${p.hour}:${p.minute}:${p.second}.${p.ms}`;
  }
}

/** The IANA name behind `local`. */
export function resolveZone(zone: string): string {
  return zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}

/** `UTC+02:00` for a zone at a time. */
export function zoneOffset(zone: string, at: number): string {
  const minutes = offsetMinutes(zone, at);
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${pad(size / 60)}:${pad(size % 60)}`;
}

/** Minutes that the zone is ahead of UTC at a time. */
export function offsetMinutes(zone: string, at: number): number {
  const p = partsOf(at, zone, 'en-US');
  const wall = Date.UTC(+p.year, +p.month - 1, +p.day, +p.hour, +p.minute, +p.second);
  return Math.round((wall - Math.floor(at / 1000) * 1000) / 60_000);
}

const DURATION_MS = [86_400_000, 3_600_000, 60_000, 1000, 1] as const;

/** What the units of `DURATION_MS` are called. */
const DURATION_UNITS: Readonly<Record<Locale, readonly string[]>> = {
  'en-US': ['d', 'h', 'min', 's', 'ms'],
  'fr-FR': ['j', 'h', 'min', 's', 'ms'],
  'ru-RU': ['д', 'ч', 'мин', 'с', 'мс'],
  'zh-CN': ['天', '小时', '分', '秒', '毫秒'],
};

/** `3 d 4 h`, `12 min`, `45 s`: a length of time in its two largest units, in the words of the locale. */
export function formatDuration(ms: number, locale = readSettings().locale): string {
  const names = DURATION_UNITS[locale];
  const found = DURATION_MS.findIndex((size) => Math.abs(ms) >= size);
  const first = found < 0 ? DURATION_MS.length - 1 : found;
  const size = DURATION_MS[first]!;
  // Parts of a second are no unit of their own beside seconds.
  const next = first < 3 ? DURATION_MS[first + 1] : undefined;
  const whole = size === 1 ? Math.round(ms) : Math.floor(ms / size);
  const rest = next ? Math.floor((ms - whole * size) / next) : 0;
  return `${whole} ${names[first]}${rest > 0 ? ` ${rest} ${names[first + 1]}` : ''}`;
}

/** The same for what nobody counts in less than seconds, such as how far a rule is behind. */
export function formatWholeDuration(ms: number, locale = readSettings().locale): string {
  return Math.abs(ms) < 1000 ? `0 ${DURATION_UNITS[locale][3]}` : formatDuration(ms, locale);
}

function partsOf(time: number, zone: string, locale: string): Parts {
  const numeric: Record<string, string> = {};
  for (const part of formatter(zone, 'en-US', 'numeric').formatToParts(time)) numeric[part.type] = part.value;
  return {
    year: numeric.year ?? '',
    month: numeric.month ?? '',
    monthName: formatter(zone, locale, 'name').format(time).replace('.', ''),
    day: numeric.day ?? '',
    hour: numeric.hour ?? '',
    minute: numeric.minute ?? '',
    second: numeric.second ?? '',
    ms: String((((time % 1000) + 1000) % 1000) | 0).padStart(3, '0'),
  };
}

function formatter(zone: string, locale: string, kind: 'numeric' | 'name'): Intl.DateTimeFormat {
  const key = `${zone}|${locale}|${kind}`;
  const known = formatters.get(key);
  if (known) return known;
  const timeZone = zone === 'local' ? undefined : zone;
  const made =
    kind === 'name'
      ? new Intl.DateTimeFormat(locale, { timeZone, month: 'short' })
      : new Intl.DateTimeFormat(locale, {
          timeZone,
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          hourCycle: 'h23',
        });
  formatters.set(key, made);
  return made;
}
