// Where only a match counts, not what it spans, the repetition at either end of a pattern changes nothing: `foo.*` matches
// where `foo` does, `\w{2,64}:` where `\w{2}:` does. Without it a pattern compiles faster (a class of Unicode in dozens of
// copies takes a tenth of a second each time) and more often has a literal part that the engine looks for first.

// Each rule looks no further than a text's next sign that it does not take: hostile patterns are read in linear time.

/** An escape, with all of its characters. */
const ESCAPE = /\\(?:x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[pP](?:\{\^?\w+\}|.)|[0-7]{1,3}|[^Q])/y;
const CLASS = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[\s\S]|[^\]\\])*\]/y;
const REPETITION = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const FLAGS = /\(\?[imsU]*(?:-[imsU]+)?\)/y;
const GROUP = /\((?:\?[imsU]*(?:-[imsU]+)?:|\?P?<\w+>|(?!\?))/y;

/** Something that may be repeated, and how. */
interface Part {
  readonly atom: string;
  readonly repetition: string;
  /** Fewest times that it occurs. */
  readonly least: number;
}

/** What the pattern of `rule` reads at a place; '' when that is something else. */
function at(rule: RegExp, pattern: string, from: number): string {
  rule.lastIndex = from;
  return rule.exec(pattern)?.[0] ?? '';
}

/** What ends parts that stand one after the other. */
const CHOICE_ENDS = ')|';

/** The parts of a pattern that stand one after the other, and where they end; null where it cannot be read. */
function partsOf(
  pattern: string,
  from: number,
): { readonly parts: readonly Part[]; readonly end: number } | null {
  const parts: Part[] = [];
  let place = from;
  while (place < pattern.length && !CHOICE_ENDS.includes(pattern.charAt(place))) {
    const atom = atomAt(pattern, place);
    if (atom === null) return null;
    place += atom.length;
    const repetition = at(REPETITION, pattern, place);
    place += repetition.length;
    // One repetition upon another is refused by the engine, in its own words.
    if (at(REPETITION, pattern, place) !== '') return null;
    parts.push({ atom, repetition, least: leastOf(repetition) });
  }
  return { parts, end: place };
}

function leastOf(repetition: string): number {
  if (repetition === '' || repetition.startsWith('+')) return 1;
  return Number(/^\{(\d+)/.exec(repetition)?.[1] ?? 0);
}

function atomAt(pattern: string, from: number): string | null {
  const first = pattern.charAt(from);
  if (first === '\\') return at(ESCAPE, pattern, from) || null;
  if (first === '[') return at(CLASS, pattern, from) || null;
  if (first === '(') return at(FLAGS, pattern, from) || groupAt(pattern, from);
  if ('*+?'.includes(first) || at(REPETITION, pattern, from) !== '') return null;
  return String.fromCodePoint(pattern.codePointAt(from) ?? 0);
}

/** A group with all that is in it. */
function groupAt(pattern: string, from: number): string | null {
  let end = from + at(GROUP, pattern, from).length;
  if (end === from) return null;
  while (pattern[end] !== ')') {
    const choice = partsOf(pattern, pattern[end] === '|' ? end + 1 : end);
    if (choice === null || choice.end >= pattern.length) return null;
    end = choice.end;
  }
  return pattern.slice(from, end + 1);
}

const isFlags = ({ atom, repetition }: Part): boolean => repetition === '' && at(FLAGS, atom, 0) === atom;

/** As many times as the part must occur. */
const shortened = ({ atom, least }: Part): string => (least === 1 ? atom : `${atom}{${least}}`);

/** More brackets are not looked into: each is read within the one around it. */
const MAX_BRACKETS = 200;

/** A pattern that matches the same texts, without what may follow or precede each of its matches. */
export function withoutOpenEnds(pattern: string): string {
  if (pattern.split('(').length > MAX_BRACKETS) return pattern;
  const read = partsOf(pattern, 0);
  if (read === null || read.end < pattern.length) return pattern;
  const { parts } = read;
  const flags = Math.max(
    0,
    parts.findIndex((part) => !isFlags(part)),
  );
  const isNeeded = ({ least }: Part, n: number): boolean => n >= flags && least > 0;
  const [first, last] = [parts.findIndex(isNeeded), parts.findLastIndex(isNeeded)];
  const kept = parts.map((part, n) => {
    if (n < flags) return part.atom;
    if (n < first || n > last) return '';
    return n === first || n === last ? shortened(part) : part.atom + part.repetition;
  });
  return kept.join('');
}
