// Sets of UTF-16 code units, as sorted ranges that do not touch. What patterns need to know of letters.

/** `[first, last]` pairs, flat, ascending. */
export type CharSet = readonly number[];

const LAST = 0xffff;

export const NO_CHARS: CharSet = [];
export const DIGITS: CharSet = [48, 57];
export const WORD_CHARS: CharSet = [48, 57, 65, 90, 95, 95, 97, 122];
/** The blanks of RE2: tab, newline, form feed, carriage return, space. */
export const BLANKS: CharSet = [9, 10, 12, 13, 32, 32];
/** What `.` stands for: everything but a newline. */
export const ANY_BUT_NEWLINE: CharSet = [0, 9, 11, LAST];

export const oneChar = (code: number): CharSet => [code, code];

/** True when the set holds the code unit. */
export function includesCode(set: CharSet, code: number): boolean {
  for (let at = 0; at < set.length; at += 2)
    if (code >= (set[at] ?? 0) && code <= (set[at + 1] ?? 0)) return true;
  return false;
}

/** The union of two sets. */
export function unionOf(a: CharSet, b: CharSet): CharSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const ranges: [number, number][] = [];
  for (const set of [a, b])
    for (let at = 0; at < set.length; at += 2) ranges.push([set[at] ?? 0, set[at + 1] ?? 0]);
  ranges.sort((x, y) => x[0] - y[0]);
  const joined: number[] = [];
  for (const [first, last] of ranges) {
    const end = joined.at(-1);
    if (end !== undefined && first <= end + 1) joined[joined.length - 1] = Math.max(end, last);
    else joined.push(first, last);
  }
  return joined;
}

/** Everything that is not in the set. */
export function complementOf(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let at = 0; at < set.length; at += 2) {
    const first = set[at] ?? 0;
    if (first > next) rest.push(next, first - 1);
    next = (set[at + 1] ?? 0) + 1;
  }
  if (next <= LAST) rest.push(next, LAST);
  return rest;
}

/** True when the sets share a code unit. */
export function overlaps(a: CharSet, b: CharSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if ((a[i + 1] ?? 0) < (b[j] ?? 0)) i += 2;
    else if ((b[j + 1] ?? 0) < (a[i] ?? 0)) j += 2;
    else return true;
  }
  return false;
}

/** The letters of both cases for each ASCII letter in the set, and the two letters beyond ASCII that fold to one. */
export function foldCase(set: CharSet): CharSet {
  let folded = set;
  for (let code = 65; code <= 90; code += 1) {
    const both: CharSet = [code, code, code + 32, code + 32];
    if (!overlaps(set, both)) continue;
    folded = unionOf(folded, both);
    if (code === 75) folded = unionOf(folded, oneChar(0x212a));
    if (code === 83) folded = unionOf(folded, oneChar(0x17f));
  }
  return folded;
}

const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** The set as JavaScript's regular expressions write it. */
export function charSetSource(set: CharSet): string {
  if (set.length === 2 && set[0] === set[1]) {
    const char = String.fromCharCode(set[0] ?? 0);
    return /[A-Za-z0-9 ]/.test(char) ? char : escaped(set[0] ?? 0);
  }
  const parts: string[] = [];
  for (let at = 0; at < set.length; at += 2) {
    const [first = 0, last = 0] = [set[at], set[at + 1]];
    parts.push(first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`);
  }
  return `[${parts.join('')}]`;
}
