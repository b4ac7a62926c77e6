// Reads the many ways in which logs write a time. Text without a zone is UTC, save where a caller names an offset.

/** Times outside of 1980-2200 are taken for a broken clock or for another number. */
const EARLIEST_MS = Date.UTC(1980, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

const MONTHS: Readonly<Record<string, number>> = {
  jan: 0,
  feb: 1,
  mar: 2,
  apr: 3,
  may: 4,
  jun: 5,
  jul: 6,
  aug: 7,
  sep: 8,
  oct: 9,
  nov: 10,
  dec: 11,
};

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/;
const SLASHED =
  /^(\d{4})\/(\d\d)\/(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/;
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))?\s*(AM|PM)?$/i;
const APACHE = /^\[?(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d)\s*([+-]\d{4})?\]?$/;
const BSD =
  /^(?:[A-Za-z]{3},?\s+)?([A-Za-z]{3})\s+(\d{1,2})(?:\s+(\d{4}))?\s+(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:\s+(\d{4}))?(?:\s+(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/;
const EPOCH = /^\d{9,19}(\.\d+)?$/;

function plausible(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : undefined;
}

function fractionMs(digits: string | undefined): number {
  return digits === undefined ? 0 : Math.floor(Number(`0.${digits}`) * 1000 + 1e-9);
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || !/^[+-]/.test(zone)) return 0;
  const digits = zone.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return (digits[0] === '-' ? -minutes : minutes) * 60_000;
}

type Parts = readonly (string | undefined)[];

/** `month` from 0. Undefined for a day or a time of day that is none; second 60 is one, for leap seconds. */
function momentOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (month > 11 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day > 28 && new Date(Date.UTC(year, month, day)).getUTCDate() !== day) return undefined;
  return Date.UTC(year, month, day, hour, minute, second);
}

function shifted(
  moment: number | undefined,
  fraction: string | undefined,
  zone?: string,
): number | undefined {
  return moment === undefined ? undefined : moment + fractionMs(fraction) - zoneMs(zone);
}

function fromIsoParts([, year, month, day, hour, minute, second, fraction, zone]: Parts) {
  const at = momentOf(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  );
  return shifted(at, fraction, zone);
}

function fromAmericanParts([, month, day, year, hour, minute, second, fraction, half]: Parts) {
  const twelve = half === undefined ? Number(hour) : Number(hour) % 12;
  const hours = half?.toUpperCase() === 'PM' ? twelve + 12 : twelve;
  const at = momentOf(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second));
  return shifted(at, fraction);
}

function fromApacheParts([, day, name, year, hour, minute, second, zone]: Parts) {
  const month = MONTHS[(name ?? '').toLowerCase()];
  if (month === undefined) return undefined;
  const at = momentOf(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  return shifted(at, undefined, zone);
}

/** Reads seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size. */
function epochToMs(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (value < 1e11) return plausible(Math.round(value * 1000));
  if (value < 1e14) return plausible(Math.round(value));
  if (value < 1e17) return plausible(Math.floor(value / 1000));
  return plausible(Math.floor(value / 1e6));
}

/** A clock without a zone may be ahead of ours by so much. */
const AHEAD_MS = 24 * 60 * 60 * 1000;
/** Years that are tried for a time without one; the 29th of February has to be found. */
const YEARS_BACK = 8;

function fromBsd(parts: Parts, nowMs: number): number | undefined {
  const [, name, day, yearBefore, hour, minute, second, fraction, yearAfter, zone] = parts;
  const month = MONTHS[(name ?? '').toLowerCase()];
  if (month === undefined) return undefined;
  const at = (year: number) =>
    shifted(momentOf(year, month, Number(day), Number(hour), Number(minute), Number(second)), fraction, zone);
  const written = yearBefore ?? yearAfter;
  if (written !== undefined) return at(Number(written));
  // RFC 3164 names no year: the latest in which the event does not lie in the future.
  const thisYear = new Date(nowMs + AHEAD_MS).getUTCFullYear();
  for (let year = thisYear; year > thisYear - YEARS_BACK; year -= 1) {
    const moment = at(year);
    if (moment !== undefined && moment <= nowMs + AHEAD_MS) return moment;
  }
  return undefined;
}

/**
 * Milliseconds since 1970 of a time as sources write it: ISO 8601 and its relatives, syslog, Apache, American,
 * or a count since 1970. `nowMs` gives the year to forms without one. Undefined when it is no plausible time.
 */
export function parseEventTime(value: unknown, nowMs: number): number | undefined {
  if (typeof value === 'number') return epochToMs(value);
  if (typeof value !== 'string' || value.length < 9 || value.length > 64) return undefined;
  const text = value.trim();
  const iso = ISO.exec(text) ?? SLASHED.exec(text);
  if (iso) return plausible(fromIsoParts(iso));
  if (EPOCH.test(text)) return epochToMs(Number(text));
  const bsd = BSD.exec(text);
  if (bsd) return plausible(fromBsd(bsd, nowMs));
  const american = AMERICAN.exec(text);
  if (american) return plausible(fromAmericanParts(american));
  const apache = APACHE.exec(text);
  return apache ? plausible(fromApacheParts(apache)) : undefined;
}

const LEADING = [
  /^[[*(]?(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?)(?=[\s,;|\])]|$)/,
  /^[[*(.]?((?:[A-Z][a-z]{2},?\s+)?[A-Z][a-z]{2}\s+\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?)(?=[\s,;:|\])]|$)/,
  /^(\d{10}(?:\.\d{1,9})?)(?=[\s,;|])/,
  /^\[?(\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\s[+-]\d{4})?)(?=[\s,\]])/,
] as const;

/** The time that a line of text begins with, as `parseEventTime` reads it; undefined when it begins with none. */
export function leadingTime(text: string, nowMs: number): number | undefined {
  for (const form of LEADING) {
    const found = form.exec(text);
    if (found) return parseEventTime(found[1], nowMs);
  }
  return undefined;
}
