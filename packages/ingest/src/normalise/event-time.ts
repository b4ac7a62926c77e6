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

function plausible(ms: number): number | undefined {
  return ms >= EARLIEST_MS && ms < LATEST_MS ? ms : undefined;
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

function fromIsoParts([, year, month, day, hour, minute, second, fraction, zone]: Parts): number {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  return at + Number(second ?? 0) * 1000 + fractionMs(fraction) - zoneMs(zone);
}

function fromAmericanParts([, month, day, year, hour, minute, second, fraction, half]: Parts): number {
  const twelve = half === undefined ? Number(hour) : Number(hour) % 12;
  const hours = half?.toUpperCase() === 'PM' ? twelve + 12 : twelve;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second));
  return at + fractionMs(fraction);
}

/** Reads seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size. */
function epochToMs(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (value < 1e11) return plausible(Math.round(value * 1000));
  if (value < 1e14) return plausible(Math.round(value));
  if (value < 1e17) return plausible(Math.floor(value / 1000));
  return plausible(Math.floor(value / 1e6));
}

function fromBsd(parts: Parts, nowMs: number): number | undefined {
  const [, name, day, yearBefore, hour, minute, second, fraction, yearAfter, zone] = parts;
  const month = MONTHS[(name ?? '').toLowerCase()];
  if (month === undefined) return undefined;
  const at = (year: number) =>
    Date.UTC(year, month, Number(day), Number(hour), Number(minute), Number(second)) +
    fractionMs(fraction) -
    zoneMs(zone);
  const written = yearBefore ?? yearAfter;
  if (written !== undefined) return at(Number(written));
  // RFC 3164 names no year: the one that puts the event nearest to now, so that December read in January is last year's.
  const year = new Date(nowMs).getUTCFullYear();
  const candidates = [at(year - 1), at(year), at(year + 1)];
  return candidates.reduce((best, ms) => (Math.abs(ms - nowMs) < Math.abs(best - nowMs) ? ms : best));
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
  if (bsd) {
    const at = fromBsd(bsd, nowMs);
    return at === undefined ? undefined : plausible(at);
  }
  const american = AMERICAN.exec(text);
  if (american) return plausible(fromAmericanParts(american));
  const apache = APACHE.exec(text);
  if (apache) {
    const [, day, name, year, hour, minute, second, zone] = apache;
    const month = MONTHS[(name ?? '').toLowerCase()];
    if (month === undefined) return undefined;
    const at = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
    return plausible(at - zoneMs(zone));
  }
  return undefined;
}
