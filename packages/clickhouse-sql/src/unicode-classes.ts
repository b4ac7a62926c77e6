// `\d`, `\s` and `\w` mean characters of all scripts in Kusto and ASCII alone in RE2. Their counterparts of Unicode stand
// in their place; `\b` stays ASCII, and so does a negated class inside brackets, which RE2 has no way to write.

const SPACE = String.raw`\s\x0b\x{85}\p{Z}`;
const WORD = String.raw`\p{L}\p{M}\p{Nd}\p{Pc}`;

const OUTSIDE: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: `[${SPACE}]`,
  S: `[^${SPACE}]`,
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
};

const INSIDE: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: SPACE,
  w: WORD,
};

/** An escape, a quoted stretch, a bracket or the class of ASCII in one. */
const PARTS = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[:\^?[a-z]+:\]|\[\^?\]?|\]/g;

/** Copies of a part that a pattern asks for; a class of Unicode in very many of them is too large for the engine. */
const MAX_COPIES = 200;

function copiesOf(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  return counts.reduce((all, count) => all * Math.max(1, count), 1);
}

/** A pattern whose classes are those of Unicode; the same pattern when it has none. */
export function unicodeClasses(pattern: string): string {
  if (!/\\[dDsSwW]/.test(pattern) || copiesOf(pattern) > MAX_COPIES) return pattern;
  let inside = false;
  return pattern.replace(PARTS, (part) => {
    if (part.startsWith('\\'))
      return (part.length === 2 && (inside ? INSIDE : OUTSIDE)[part.charAt(1)]) || part;
    if (part.startsWith('[:')) return part;
    if (!inside && part.startsWith('[')) inside = true;
    else if (inside && part === ']') inside = false;
    return part;
  });
}
