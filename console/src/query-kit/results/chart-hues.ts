// Which of the eight hues a value has. A value that the histogram above shows has the same hue in the chart below.

/** Hues of the palette; the place after the last is for all the rest. */
const HUES = 8;

/** The place in the palette of each name; `rest` and what finds no free hue share the last place. */
export function huesOf(
  names: readonly string[],
  known: ReadonlyMap<string, number>,
  rest: ReadonlySet<string> = new Set(),
): readonly number[] {
  const taken = new Set(names.flatMap((name) => (rest.has(name) ? [] : (known.get(name) ?? []))));
  const free = Array.from({ length: HUES }, (_, hue) => hue).filter((hue) => !taken.has(hue));
  return names.map((name) => (rest.has(name) ? HUES : (known.get(name) ?? free.shift() ?? HUES)));
}
