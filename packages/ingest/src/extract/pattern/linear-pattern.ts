import { type CharSet, charSetSource, NO_CHARS, overlaps, unionOf } from './char-set.ts';
import type { ParsedPattern, PatternNode } from './parse-pattern.ts';

// Which patterns V8's own engine may run. It tries alternatives one after the other and comes back when one fails, which
// takes exponential time for some patterns. It cannot where at each place the next letter leaves one alternative: coming
// back to a place whose alternatives are disjoint costs one look at a letter. A few places outside of loops may be
// ambiguous; each multiplies the number of ways through the text, and their product is bounded. So the time is at most
// MOST_WAYS times a pass over the text. Everything else runs on RE2 (compile-pattern.ts).

/** Ways through one text that are tried at most. */
const MOST_WAYS = 32;
/** A pattern that may begin anywhere is tried at each place, so what it matches must be this short. */
const LONGEST_FLOATING = 200;

class NotLinear extends Error {}

const refuse = (): never => {
  throw new NotLinear();
};

interface Traits {
  readonly first: CharSet;
  readonly isNullable: boolean;
  readonly ways: number;
  readonly longest: number;
}

const EMPTY: Traits = { first: NO_CHARS, isNullable: true, ways: 1, longest: 0 };

/** `follow`: the letters with which what stands behind the node may begin. `isInLoop`: it may be tried many times. */
function traitsOf(node: PatternNode, follow: CharSet, isInLoop: boolean): Traits {
  switch (node.kind) {
    case 'set':
      return { first: node.set, isNullable: false, ways: 1, longest: 1 };
    case 'group':
      // A group in a loop keeps its last text in RE2 and loses it in JavaScript.
      if (isInLoop) refuse();
      return traitsOf(node.item, follow, isInLoop);
    case 'cat':
      return sequenceTraits(node.items, follow, isInLoop);
    case 'alt':
      return choiceTraits(node.items, follow, isInLoop);
    case 'rep':
      return loopTraits(node, follow, isInLoop);
  }
}

function sequenceTraits(items: readonly PatternNode[], follow: CharSet, isInLoop: boolean): Traits {
  let rest: Traits = EMPTY;
  let behind = follow;
  for (const item of items.toReversed()) {
    const own = traitsOf(item, behind, isInLoop);
    rest = {
      first: own.isNullable ? unionOf(own.first, rest.first) : own.first,
      isNullable: own.isNullable && rest.isNullable,
      ways: own.ways * rest.ways,
      longest: own.longest + rest.longest,
    };
    behind = own.isNullable ? unionOf(own.first, behind) : own.first;
    if (rest.ways > MOST_WAYS) refuse();
  }
  return rest;
}

function choiceTraits(items: readonly PatternNode[], follow: CharSet, isInLoop: boolean): Traits {
  const all = items.map((item) => traitsOf(item, follow, isInLoop));
  let seen: CharSet = NO_CHARS;
  let isAmbiguous = false;
  for (const { first, isNullable } of all) {
    const begins = isNullable ? unionOf(first, follow) : first;
    isAmbiguous ||= isNullable || overlaps(begins, seen);
    seen = unionOf(seen, begins);
  }
  if (isAmbiguous && isInLoop) refuse();
  const ways = all.map((one) => one.ways);
  return {
    first: all.reduce((set, one) => unionOf(set, one.first), NO_CHARS),
    isNullable: all.some((one) => one.isNullable),
    ways: isAmbiguous ? ways.reduce((sum, one) => sum + one, 0) : Math.max(...ways),
    longest: Math.max(...all.map((one) => one.longest)),
  };
}

function loopTraits(node: Extract<PatternNode, { kind: 'rep' }>, follow: CharSet, isInLoop: boolean): Traits {
  const { item, min, max } = node;
  const isRepeated = max > 1;
  // The letters of the body itself may follow it, when it is repeated.
  const alone = traitsOf(item, NO_CHARS, isInLoop || isRepeated);
  const behind = isRepeated ? unionOf(alone.first, follow) : follow;
  const body = traitsOf(item, behind, isInLoop || isRepeated);
  // What an empty turn of a loop leaves in its groups differs between engines.
  if (body.isNullable || (isRepeated && body.ways > 1)) refuse();
  const isAmbiguous = min !== max && overlaps(body.first, follow);
  if (isAmbiguous && isInLoop) refuse();
  const ways = isAmbiguous ? body.ways * (max - min + 1) : body.ways;
  if (ways > MOST_WAYS) refuse();
  return {
    first: body.first,
    isNullable: min === 0,
    ways,
    longest: max === 0 ? 0 : body.longest * max,
  };
}

function sourceOf(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      return charSetSource(node.set);
    case 'group':
      return `(${sourceOf(node.item)})`;
    case 'cat':
      return node.items.map(sourceOf).join('');
    case 'alt':
      return `(?:${node.items.map(sourceOf).join('|')})`;
    case 'rep': {
      const { item, min, max, isLazy } = node;
      const inner = item.kind === 'set' || item.kind === 'group' ? sourceOf(item) : `(?:${sourceOf(item)})`;
      const upTo = max === Number.POSITIVE_INFINITY ? '' : max;
      return `${inner}{${min},${upTo}}${isLazy ? '?' : ''}`;
    }
  }
}

/**
 * JavaScript's regular expression for a pattern that it runs in time linear in the text, groups by position; undefined
 * when that is not certain.
 */
export function linearPattern(parsed: ParsedPattern): RegExp | undefined {
  try {
    const { longest } = traitsOf(parsed.root, NO_CHARS, false);
    if (!parsed.isAnchored && !(longest <= LONGEST_FLOATING)) return undefined;
  } catch (error) {
    if (error instanceof NotLinear) return undefined;
    throw error;
  }
  return new RegExp(`${parsed.isAnchored ? '^' : ''}${sourceOf(parsed.root)}${parsed.isToEnd ? '$' : ''}`);
}

/** The letters with which a text must begin that an anchored pattern matches; undefined for any. */
export function firstLetters({ root, isAnchored }: ParsedPattern): CharSet | undefined {
  if (!isAnchored) return undefined;
  try {
    const { first, isNullable } = traitsOf(root, NO_CHARS, false);
    return isNullable ? undefined : first;
  } catch (error) {
    if (error instanceof NotLinear) return undefined;
    throw error;
  }
}

/** The longest text that stands in everything that the pattern matches, and whether it stands at the beginning. */
export function requiredText({ root, isAnchored }: ParsedPattern): { text: string; isFirst: boolean } {
  const items = root.kind === 'cat' ? root.items : [root];
  let best = { text: '', isFirst: false };
  let text = '';
  let isFirst = isAnchored;
  const end = () => {
    if (text.length > best.text.length) best = { text, isFirst };
    text = '';
    isFirst = false;
  };
  for (const item of items) {
    if (item.kind === 'set' && item.set.length === 2 && item.set[0] === item.set[1])
      text += String.fromCharCode(item.set[0] ?? 0);
    else end();
  }
  end();
  return best;
}
