import { parseEventTime } from '../../normalise/event-time.ts';
import { compilePattern, PatternError } from '../pattern/compile-pattern.ts';

// Formats of times, in letters: `yyyy-MM-dd HH:mm:ss.SSS Z`. Text in single quotes stands for itself.

export type ReadTime = (value: unknown, nowMs: number) => number | undefined;

const TOKENS: Readonly<Record<string, string>> = {
  yyyy: '(?<y>\\d{4})',
  yy: '(?<yy>\\d{2})',
  MMM: '(?<mon>[A-Za-z]{3})',
  MM: '(?<m>\\d{2})',
  M: '(?<m>\\d{1,2})',
  dd: '(?<d>\\d{2})',
  d: '(?<d>\\d{1,2})',
  HH: '(?<h>\\d{2})',
  H: '(?<h>\\d{1,2})',
  hh: '(?<h>\\d{2})',
  h: '(?<h>\\d{1,2})',
  mm: '(?<min>\\d{2})',
  ss: '(?<s>\\d{2})',
  SSSSSSSSS: '(?<f>\\d{1,9})',
  SSSSSS: '(?<f>\\d{1,6})',
  SSS: '(?<f>\\d{1,3})',
  S: '(?<f>\\d{1,9})',
  a: '(?<half>[AaPp][Mm])',
  Z: '(?<z>Z|UTC|GMT|[+-]\\d{2}:?\\d{2})',
};
const PART = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g;

/** How a format reads times; throws PatternError with the reason when it is none. */
export function timeReader(format: string, zoneMinutes: number): ReadTime {
  const shift = zoneMinutes * 60_000;
  if (format === 'auto') {
    // Only a text without a zone is moved.
    return (value, nowMs) => {
      const at = parseEventTime(value, nowMs);
      if (at === undefined || shift === 0 || typeof value !== 'string') return at;
      return /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test(value.trim()) || /^\d+(?:\.\d+)?$/.test(value)
        ? at
        : at - shift;
    };
  }
  let source = '^\\s*';
  const groups = new Set<string>();
  for (const [part, quoted] of format.matchAll(PART)) {
    if (quoted !== undefined || !/[A-Za-z]/.test(part)) {
      source += (quoted ?? part).replaceAll(/[^A-Za-z0-9 ]/g, '\\$&').replaceAll(/ +/g, ' +');
      continue;
    }
    const token = TOKENS[part];
    if (token === undefined) throw new PatternError(`the letters "${part}" mean nothing`);
    const group = token.slice(3, token.indexOf('>'));
    if (groups.has(group)) throw new PatternError(`"${part}" stands twice`);
    groups.add(group);
    source += token;
  }
  if (!groups.has('d') || !(groups.has('m') || groups.has('mon')) || !groups.has('h'))
    throw new PatternError('it needs at least a month, a day and an hour');
  const compiled = compilePattern(`${source}\\s*$`);
  const names = compiled.groups;
  return (value, nowMs) => {
    const found = typeof value === 'string' && value.length <= 80 ? compiled.match(value) : null;
    if (found === null) return undefined;
    const parts = Object.fromEntries(names.map((name, at) => [name, found[at]]));
    const at = parseEventTime(isoOf(parts), nowMs);
    return at === undefined || parts.z !== undefined ? at : at - shift;
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const two = (value: string | number | undefined) => String(value ?? 0).padStart(2, '0');

/** The parts as ISO 8601, which the shared reader checks; without a year as syslog writes it, so that it finds the year. */
function isoOf(parts: Readonly<Record<string, string | undefined>>): string {
  const month = parts.mon === undefined ? Number(parts.m) : MONTHS.indexOf(parts.mon.toLowerCase()) + 1;
  let hour = Number(parts.h);
  if (parts.half !== undefined) hour = (hour % 12) + (/p/i.test(parts.half) ? 12 : 0);
  const clock = `${two(hour)}:${two(parts.min)}:${two(parts.s)}${parts.f === undefined ? '' : `.${parts.f}`}`;
  const zone = parts.z === 'GMT' ? 'UTC' : (parts.z ?? '');
  const year = parts.y ?? (parts.yy === undefined ? undefined : `20${parts.yy}`);
  if (year !== undefined) return `${year}-${two(month)}-${two(parts.d)} ${clock}${zone}`;
  const name = MONTHS[month - 1] ?? 'xxx';
  return `${name} ${two(parts.d)} ${clock}${zone === '' ? '' : ` ${zone}`}`;
}

/** Minutes of an offset such as `+02:00` or `Z`; undefined when the text is none. */
export function zoneMinutesOf(text: string): number | undefined {
  if (/^(?:Z|UTC)$/i.test(text)) return 0;
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (found === null) return undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
}
