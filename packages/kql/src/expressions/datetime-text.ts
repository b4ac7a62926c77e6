// The documented forms of a moment as text: ISO 8601, RFC 822, RFC 850 and the American order of month, day and year.

const TICKS_PER_MILLISECOND = 10_000n;

const TIME = String.raw`(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,7})\d*)?)?)?\s*(?:(AM|PM)\s*)?(Z|GMT|UTC|[+-]\d{2}:?\d{2})?$`;

type Order = readonly [year: number, month: number, day: number];

/** Where year, month and day stand among the groups of each form. */
const FORMS: readonly (readonly [RegExp, Order])[] = [
  [new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?${TIME}`, 'i'), [1, 3, 4]],
  [new RegExp(String.raw`^(\d{1,2})([-/])(\d{1,2})\2(\d{4})${TIME}`, 'i'), [4, 1, 3]],
  [
    new RegExp(String.raw`^(?:[a-z]{3,9},\s*)?(\d{1,2})([- ])([a-z]{3})\2(\d{4}|\d{2})${TIME}`, 'i'),
    [4, 3, 1],
  ],
];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Ticks since 1970 from the text of a moment; undefined when it is none. */
export function datetimeTicks(text: string): string | undefined {
  const trimmed = text.trim().replace(/^["']|["']$/g, '');
  for (const [pattern, order] of FORMS) {
    const match = pattern.exec(trimmed);
    if (match) return momentOf(match, order);
  }
  return undefined;
}

function momentOf(match: RegExpExecArray, order: Order): string | undefined {
  const [year, month, day] = [
    yearOf(match[order[0]] ?? ''),
    monthOf(match[order[1]] ?? ''),
    Number(match[order[2]] ?? 1),
  ];
  const [hour = '0', minute = '0', second = '0', fraction = '', half, zone] = match.slice(5);
  const clock = half ? halfDay(Number(hour), half) : Number(hour);
  if (clock > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(clock, Number(minute), Number(second));
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds) || year < 1 || date.getUTCMonth() !== month - 1) return undefined;
  const ticks = BigInt(milliseconds) * TICKS_PER_MILLISECOND + BigInt(fraction.padEnd(7, '0'));
  return (ticks - zoneTicks(zone)).toString();
}

/** Years of two digits are 1930 to 2029. */
function yearOf(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

const monthOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.toLowerCase()) + 1;

/** The hour of a clock with two halves; beyond any day when it is none. */
function halfDay(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

function zoneTicks(zone: string | undefined): bigint {
  if (!zone || /^[a-z]/i.test(zone)) return 0n;
  const sign = zone.startsWith('-') ? -1n : 1n;
  const digits = zone.slice(1).replace(':', '');
  const minutes = BigInt(digits.slice(0, 2)) * 60n + BigInt(digits.slice(2));
  return sign * minutes * 600_000_000n;
}
