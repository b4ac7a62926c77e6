// Kusto's text forms of moments and spans of time, from ticks of 100 ns.

const TICKS_PER_SECOND = 10_000_000n;
const TICKS_PER_MILLISECOND = 10_000n;
const FIRST_TICK = -621_355_968_000_000_000n;
const LAST_TICK = 2_534_023_007_999_999_999n;

/** ISO text with seven digits from ticks since 1970, or from the text of a stored DateTime64(3). */
export function datetimeText(value: unknown): string | null {
  const text = String(value);
  if (/^-?\d+$/.test(text)) return momentText(BigInt(text));
  const [date = '', time = ''] = text.split(/[ T]/);
  const [whole = '', fraction = ''] = time.replace('Z', '').split('.');
  return `${date}T${whole}.${fraction.padEnd(7, '0')}Z`;
}

/** Null outside of the years 1 to 9999. */
function momentText(ticks: bigint): string | null {
  if (ticks < FIRST_TICK || ticks > LAST_TICK) return null;
  const rest = ((ticks % TICKS_PER_SECOND) + TICKS_PER_SECOND) % TICKS_PER_SECOND;
  const milliseconds = Number((ticks - rest) / TICKS_PER_MILLISECOND);
  const date = new Date(milliseconds);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const head = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${head}T${clock}.${rest.toString().padStart(7, '0')}Z`;
}

/** `[-][d.]hh:mm:ss[.fffffff]` from ticks. */
export function timespanText(ticks: bigint): string {
  const sign = ticks < 0n ? '-' : '';
  const all = ticks < 0n ? -ticks : ticks;
  const fraction = all % TICKS_PER_SECOND;
  const seconds = Number(all / TICKS_PER_SECOND);
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const tail = fraction === 0n ? '' : `.${fraction.toString().padStart(7, '0')}`;
  return `${sign}${days > 0 ? `${days}.` : ''}${clock.map(two).join(':')}${tail}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
