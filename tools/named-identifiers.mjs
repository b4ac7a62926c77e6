// Which identifiers the titles of tests name: `it('[S4-11][C078] …')`. They stand in brackets at the beginning of a title,
// several behind each other or divided by commas. docs/requirements.md has a line for each.

/** `S4-11` and `C078` of the specification, `S07` an attack, `R-…` and `T-…` of our own, `signals.list` a call. */
const IDENTIFIER = String.raw`(?:S\d+-\d+|C\d{3}|S\d\d|[RT]-[\w-]+|[a-z][A-Za-z]*\.[a-z][A-Za-z]*)`;
const OPENING = new RegExp(String.raw`['"\x60]((?:\[${IDENTIFIER}(?:\s*,\s*${IDENTIFIER})*\]\s*)+)`, 'g');
const ONE = new RegExp(IDENTIFIER, 'g');

/** The identifiers that titles in this text begin with, once each. */
export function identifiersNamed(text) {
  const found = [...text.matchAll(OPENING)].flatMap(([, opening]) => opening.match(ONE) ?? []);
  return [...new Set(found)];
}

/** How many lines each identifier has in docs/requirements.md: `- **S4-11** …`. */
export function requirementLines(page) {
  const lines = new Map();
  for (const [, id] of page.matchAll(/^- \*\*([\w-]+)\*\* \S/gm)) lines.set(id, (lines.get(id) ?? 0) + 1);
  return lines;
}
