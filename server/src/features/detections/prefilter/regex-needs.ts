import { allNeeds, type Need, oneOfNeeds } from './literal-need.ts';

// Which texts a regular expression of RE2 cannot match without. In doubt none: a part that is not understood asks for
// nothing, and a whole that is not understood has no need.

/** Texts shorter than this are in too many events to tell anything. */
export const SHORTEST_LITERAL = 3;

type Leaf = (text: string) => Need | null;

interface Reading {
  readonly pattern: string;
  readonly leaf: Leaf;
  at: number;
}

/** Thrown for what is not understood. */
class NotUnderstood extends Error {}

/** What the pattern needs, `leaf` making a need of a text; null when that is nothing, or not known. */
export function regexNeed(pattern: string, leaf: Leaf): Need | null {
  const reading: Reading = { pattern, leaf, at: 0 };
  try {
    const need = readBranches(reading, 0);
    return reading.at === pattern.length ? need : null;
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/** Whether some part of the pattern looks away from the case of letters. */
export const ignoresCase = (pattern: string): boolean => /\(\?[a-zA-Z]*i/.test(pattern);

const DEEPEST = 50;

function readBranches(reading: Reading, depth: number): Need | null {
  if (depth > DEEPEST) throw new NotUnderstood();
  const branches: (Need | null)[] = [readSequence(reading, depth)];
  while (reading.pattern[reading.at] === '|') {
    reading.at += 1;
    branches.push(readSequence(reading, depth));
  }
  return oneOfNeeds(branches);
}

/** One part of a sequence: a character of its own, what a group needs, or something that tells nothing. */
type Part = { readonly character: string } | { readonly need: Need | null };

function readSequence(reading: Reading, depth: number): Need | null {
  const { pattern, leaf } = reading;
  const needs: (Need | null)[] = [];
  let run = '';
  const endRun = (): void => {
    if (run.length >= SHORTEST_LITERAL) needs.push(leaf(run));
    run = '';
  };
  while (reading.at < pattern.length && pattern[reading.at] !== '|' && pattern[reading.at] !== ')') {
    const part = readPart(reading, depth);
    const times = readTimes(reading);
    if ('character' in part && times === 'once') run += part.character;
    else if ('character' in part) {
      if (times === 'repeated') run += part.character;
      endRun();
    } else {
      endRun();
      if (times !== 'maybe') needs.push(part.need);
    }
  }
  endRun();
  return allNeeds(needs);
}

const REPEATED = /\{(\d+)(?:,\d*)?\}/y;

function readTimes(reading: Reading): 'once' | 'repeated' | 'maybe' {
  let times: 'once' | 'repeated' | 'maybe' = 'once';
  for (;;) {
    const next = reading.pattern[reading.at];
    REPEATED.lastIndex = reading.at;
    const counted = next === '{' ? REPEATED.exec(reading.pattern) : null;
    if (next !== '*' && next !== '?' && next !== '+' && !counted) return times;
    const isMaybe = counted ? Number(counted[1]) === 0 : next !== '+';
    // A mark behind another one only says how much is taken, unless it is one of its own: then less is known.
    times =
      isMaybe && (times === 'once' || counted || next === '*')
        ? 'maybe'
        : times === 'maybe'
          ? times
          : 'repeated';
    reading.at += counted ? counted[0].length : 1;
  }
}

const NOTHING: Part = { need: null };

function readPart(reading: Reading, depth: number): Part {
  const { pattern } = reading;
  const character = pattern[reading.at] ?? '';
  if (character === '(') return readGroup(reading, depth);
  if (character === '[') return skipClass(reading);
  if (character === '\\') return readEscape(reading);
  reading.at += 1;
  return '.^$'.includes(character) ? NOTHING : { character };
}

const GROUP = /\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?/y;
const FLAGS = /\(\?[a-zA-Z-]*\)/y;

function readGroup(reading: Reading, depth: number): Part {
  FLAGS.lastIndex = reading.at;
  const flags = FLAGS.exec(reading.pattern);
  if (flags) {
    reading.at += flags[0].length;
    return NOTHING;
  }
  GROUP.lastIndex = reading.at;
  const opened = GROUP.exec(reading.pattern)?.[0] ?? '';
  reading.at += opened.length;
  if (reading.pattern[reading.at] === '?') throw new NotUnderstood();
  const need = readBranches(reading, depth + 1);
  if (reading.pattern[reading.at] !== ')') throw new NotUnderstood();
  reading.at += 1;
  return { need };
}

const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/y;

function skipClass(reading: Reading): Part {
  CLASS.lastIndex = reading.at;
  const found = CLASS.exec(reading.pattern);
  if (!found) throw new NotUnderstood();
  reading.at += found[0].length;
  return NOTHING;
}

/** Escapes that stand for a place, a class or a character that is no letter of a text. */
const TELLS_NOTHING = /\\(?:[AbBzdDsSwWCnrtfva]|[pP](?:\{[^}]*\}|\w)|x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]+\}))/y;

function readEscape(reading: Reading): Part {
  const next = reading.pattern[reading.at + 1] ?? '';
  if (/[!-/:-@[-^`{-~_ ]/.test(next)) {
    reading.at += 2;
    return { character: next };
  }
  TELLS_NOTHING.lastIndex = reading.at;
  const found = TELLS_NOTHING.exec(reading.pattern);
  if (!found) throw new NotUnderstood();
  reading.at += found[0].length;
  return NOTHING;
}
