import { type Call, rewriteScalar, type Scalar, type ScanColumn, visitScalar } from '@tyrian/plan';
import { allNeeds, type Literal, type Need, oneOfNeeds, type ProbedText } from './literal-need.ts';
import { ignoresCase, regexNeed, SHORTEST_LITERAL } from './regex-needs.ts';

// What a condition of a compiled rule needs an event to hold. Whatever the engine counts as a match must hold the
// literal: where letters are compared beyond ASCII, those that others fold to (the Kelvin sign is a k) are left out.

/** Longer literals are cut: fewer characters tell as much. */
const LONGEST_LITERAL = 60;

/** Searches whose text holds what is looked for. */
const SEARCHES: ReadonlySet<string> = new Set(
  ['contains', 'startswith', 'endswith', 'has', 'hasprefix', 'hassuffix'].flatMap((fn) => [fn, `${fn}_cs`]),
);

const isAscii = (text: string): boolean => /^[\t-~]*$/.test(text);
/** Beyond ASCII, signs such as emoji and what they are put together with: none has a case. */
const SIGN = '(?![\\0-~]|\\p{Cased})[\\p{S}\\p{P}\\p{Nd}\\p{M}\\p{Cf}]';
/** Characters that compare the same in every way of ignoring case. */
const PLAIN = new RegExp(`(?:[ -~]|${SIGN})+`, 'gu');
const FOLDED_BY_NONE = new RegExp(`(?:[ -HJLM-RT-Zabc-hjlm-rt-z[-\`{-~]|${SIGN})+`, 'gu');

type Columns = ReadonlyMap<number, ScanColumn>;

/** What a condition over the columns of a scan needs; null when that is nothing, or not known. */
export function needOf(condition: Scalar, columns: Columns): Need | null {
  if (condition.kind !== 'call') return null;
  const { fn, args } = condition;
  if (fn === 'and') return allNeeds(args.map((arg) => needOf(arg, columns)));
  if (fn === 'or') return oneOfNeeds(args.map((arg) => needOf(arg, columns)));
  // `coalesce(x, false)` is true only where x is.
  if (fn === 'coalesce') return isFalse(args.at(-1)) && args[0] ? needOf(args[0], columns) : null;
  if (fn === 'equal' || fn === 'equal_ci' || fn === 'in' || fn === 'in_ci')
    return equalityNeed(condition, columns);
  const [text, needle] = args;
  if (!text || needle?.kind !== 'constant' || typeof needle.value !== 'string') return null;
  if (SEARCHES.has(fn)) return searchNeed(fn, text, needle.value, columns);
  return fn === 'matches_regex' ? patternNeed(text, needle.value, columns) : null;
}

const isFalse = (scalar: Scalar | undefined): boolean =>
  scalar?.kind === 'constant' && scalar.value === false;

function searchNeed(fn: string, text: Scalar, needle: string, columns: Columns): Need | null {
  const probed = probedText(text, columns);
  // Terms may be looked for by an expression that ignores case in all of Unicode.
  const folds = !fn.endsWith('_cs') && (fn.startsWith('has') || !isAscii(needle));
  return probed && textNeed(probed, needle, folds);
}

/** How much of an event a piece tells: signs beyond ASCII are rare. */
const tells = (piece: string): number => Buffer.byteLength(piece);

/** The longest piece of a text that compares the same in every way. */
function textNeed(text: ProbedText, needle: string, folds: boolean): Need | null {
  const pieces = needle.match(folds ? FOLDED_BY_NONE : PLAIN) ?? [];
  const longest = pieces.reduce((one, other) => (tells(other) > tells(one) ? other : one), '');
  if (longest.length < SHORTEST_LITERAL && isAscii(longest)) return null;
  const value = [...longest].slice(0, LONGEST_LITERAL).join('').toLowerCase();
  return { kind: 'literals', literals: [literalOf(text, false, value)] };
}

function patternNeed(text: Scalar, pattern: string, columns: Columns): Need | null {
  const probed = probedText(text, columns);
  if (!probed) return null;
  const folds = ignoresCase(pattern);
  return regexNeed(pattern, (one) => textNeed(probed, one, folds));
}

/** Whole numbers, and texts, as texts. */
function equalityNeed({ fn, args }: Call, columns: Columns): Need | null {
  const [left, ...rest] = args;
  if (!left) return null;
  const [one, others] = left.kind === 'constant' && rest[0] ? [rest[0], [left]] : [left, rest];
  const ignoresCase = fn.endsWith('_ci');
  const values: string[] = [];
  const isWhole = one.type === 'int' || one.type === 'long';
  for (const other of others) {
    if (other.kind !== 'constant' || other.value === null) return null;
    if (isWhole && (other.type === 'int' || other.type === 'long')) values.push(String(other.value));
    else if (one.type === 'string' && other.type === 'string' && typeof other.value === 'string') {
      // An empty text is what a text without a value has; and letters beyond ASCII have no one lower case.
      if (other.value === '' || (!ignoresCase && !isAscii(other.value))) return null;
      values.push(other.value.toLowerCase());
    } else return null;
  }
  const probed = probedText(isWhole ? withoutConversion(one) : one, columns);
  if (!probed || values.length === 0) return null;
  return { kind: 'literals', literals: [...new Set(values)].map((value) => literalOf(probed, true, value)) };
}

const withoutConversion = (scalar: Scalar): Scalar => {
  const [inner] = scalar.kind === 'call' && scalar.fn === 'tolong' ? scalar.args : [];
  return inner && (inner.type === 'int' || inner.type === 'long') ? inner : scalar;
};

const literalOf = (text: ProbedText, isWhole: boolean, value: string): Literal => ({
  text,
  isWhole,
  value,
  key: `${isWhole} ${JSON.stringify(value)} ${text.key}`,
});

/** A text with more parts than this is not looked at. */
const MOST_PARTS = 12;

function probedText(expression: Scalar, columns: Columns): ProbedText | null {
  let parts = 0;
  const read = new Set<number>();
  visitScalar(expression, (part) => {
    parts += 1;
    if (part.kind === 'column') read.add(part.id);
    if (part.kind === 'subquery' || part.kind === 'in-subquery') parts = Number.POSITIVE_INFINITY;
  });
  const scanned = [...read].flatMap((id) => columns.get(id) ?? []);
  if (parts > MOST_PARTS || read.size === 0 || scanned.length < read.size) return null;
  const named = rewriteScalar(expression, (part) => {
    const column = part.kind === 'column' ? columns.get(part.id) : undefined;
    return column
      ? { kind: 'constant', type: column.type, value: `column ${JSON.stringify(column.source)}` }
      : part;
  });
  return { key: JSON.stringify(named), expression, columns: scanned };
}
