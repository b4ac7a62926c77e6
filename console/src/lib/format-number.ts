// Numbers as section 9 of the specification writes them: K, M, B, T, P from a thousand on; bytes in B to PB;
// two decimals, four when two would show zero. `G` is read as another name of `B`.

const COUNT_UNITS = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `1234567` → `1.23M`; below a thousand as it is, at most two decimals. */
export function formatCount(value: number): string {
  const size = Math.abs(value);
  // What two decimals would round up to a thousand of a unit is one of the next.
  const unit = COUNT_UNITS.find(([factor]) => size >= factor * (factor > 1e3 ? 0.999995 : 1));
  return unit ? `${decimals(value / unit[0])}${unit[1]}` : decimals(value);
}

/** `1536` → `1.5 KB`; steps of 1024. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= (unit > 0 ? 1023.995 : 1024) && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${decimals(value)} ${BYTE_UNITS[unit]}`;
}

/** All digits, grouped as the locale does: `1,284`. */
export function formatInteger(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

function decimals(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const two = value.toFixed(2);
  return Number(two) === 0 ? trim(value.toFixed(4)) : trim(two);
}

function trim(text: string): string {
  return text.replace(/\.?0+$/, '');
}
