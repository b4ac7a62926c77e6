import { RE2JS, RE2JSException } from 're2js';
import { includesCode } from './char-set.ts';
import { firstLetters, linearPattern, requiredText } from './linear-pattern.ts';
import { parsePattern } from './parse-pattern.ts';

// Patterns that people write, run in time linear in the text whatever they are: by V8 where that is certain, else by
// RE2. The text that every match holds is looked for first, which costs next to nothing. docs/decisions/0036-linear-patterns.md.

/** RE2 reads so much of a text; it costs about a microsecond a letter. */
const LONGEST_MATCHED = 16 * 1024;
/** Letters of a pattern. */
const LONGEST_PATTERN = 4_096;

export interface CompiledPattern {
  /** Names of the capturing groups by position; the empty text for one without a name. */
  readonly groups: readonly string[];
  /** Whether V8 runs it; else RE2. */
  readonly isFast: boolean;
  /** False when no text that begins with this code unit matches. */
  mayBeginWith(code: number): boolean;
  /** The texts of the groups, in their order; null when the pattern does not match. */
  match(text: string): readonly (string | undefined)[] | null;
  test(text: string): boolean;
}

/** Why a pattern is none, in RE2's words. */
export class PatternError extends Error {}

function parsedByRe2(source: string): RE2JS {
  if (source.length > LONGEST_PATTERN) throw new PatternError(`longer than ${LONGEST_PATTERN} characters`);
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    throw error;
  }
}

function groupNames(compiled: RE2JS): string[] {
  const names = new Array<string>(compiled.groupCount()).fill('');
  for (const [name, at] of Object.entries(compiled.namedGroups())) names[Number(at) - 1] = name;
  return names;
}

/** Compiles a pattern in RE2's syntax. Throws PatternError when it is none. */
export function compilePattern(source: string): CompiledPattern {
  const compiled = parsedByRe2(source);
  const parsed = parsePattern(source);
  const fast = parsed === undefined ? undefined : linearPattern(parsed);
  const needed = parsed === undefined ? { text: '', isFirst: false } : requiredText(parsed);
  const isPossible = needed.isFirst
    ? (text: string) => text.startsWith(needed.text)
    : (text: string) => text.includes(needed.text);
  const first = parsed === undefined ? undefined : firstLetters(parsed);
  const mayBeginWith = (code: number) => first === undefined || includesCode(first, code);
  const groups = groupNames(compiled);
  if (fast !== undefined) {
    return {
      groups,
      isFast: true,
      mayBeginWith,
      match: (text) => (isPossible(text) ? (fast.exec(text)?.slice(1) ?? null) : null),
      test: (text) => isPossible(text) && fast.test(text),
    };
  }
  const read = (text: string) => (text.length > LONGEST_MATCHED ? text.slice(0, LONGEST_MATCHED) : text);
  return {
    groups,
    isFast: false,
    mayBeginWith,
    match(text) {
      if (!isPossible(text)) return null;
      const matcher = compiled.matcher(read(text));
      if (!matcher.find()) return null;
      return groups.map((_, at) => matcher.group(at + 1) ?? undefined);
    },
    test: (text) => isPossible(text) && compiled.test(read(text)),
  };
}

/** Puts a text in the place of everything that a pattern matches. Throws PatternError when it is none. */
export function compileReplacement(source: string, to: string): (text: string) => string {
  const compiled = parsedByRe2(source);
  const replacement = RE2JS.quoteReplacement(to);
  return (text) => {
    if (text.length <= LONGEST_MATCHED) return compiled.matcher(text).replaceAll(replacement);
    return (
      compiled.matcher(text.slice(0, LONGEST_MATCHED)).replaceAll(replacement) + text.slice(LONGEST_MATCHED)
    );
  };
}
