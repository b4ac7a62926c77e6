// Text and JSON as PostgreSQL takes it. Callers' input is refused before it gets here (http/assert-input-allowed.ts);
// this is for what comes from events, from engines, and from texts that were cut: it is kept with U+FFFD in place of
// U+0000 and of half a surrogate pair.

/** The text with U+FFFD in place of what PostgreSQL refuses. */
export const storableText = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\u{FFFD}');

/** JSON.stringify, whose texts and names PostgreSQL takes as jsonb. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one === 'string') return storableText(one);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    const names = Object.keys(one);
    if (names.every((name) => storableText(name) === name)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [storableText(name), inner]));
  });
}
