import { type Sentence, say } from '@tyrian/diagnostics';
import { RE2JSException, RE2Set } from 're2js';

// A pattern that is no RE2 expression is refused before it reaches the engine, whatever language it came in.

/** A named group, whose name may be any word and stand twice in the engine's RE2, unlike in the port that checks. */
const NAMED_GROUP = /\(\?P?<[\p{L}\p{M}\p{Nd}\p{Pc}]+>/gu;
/** A single byte, which the port does not know; `\\` before it is a backslash of its own. */
const BYTE = /(^|[^\\])((?:\\\\)*)\\C/g;

/** Characters of a pattern. What is longer costs more time to check than a query may take. */
const LONGEST = 10_000;

/** What RE2 says of an expression, each before the part that it is about. */
const FAULTS = {
  'duplicate capture group name': 'regexDuplicateName',
  'invalid character class range': 'regexCharRange',
  'invalid escape sequence': 'regexEscape',
  'invalid named capture': 'regexNamedCapture',
  'invalid or unsupported Perl syntax': 'regexPerl',
  'invalid nested repetition operator': 'regexNestedRepeat',
  'invalid repeat count': 'regexRepeatCount',
  'missing closing ]': 'regexMissingBracket',
  'missing closing )': 'regexMissingParen',
  'missing argument to repetition operator': 'regexRepeatNothing',
  'unexpected )': 'regexUnexpectedParen',
} as const;

/** What RE2 says of a whole expression. */
const FAULTS_OF_ALL = {
  'expression too large': 'regexLarge',
  'expression nests too deeply': 'regexDeep',
  'trailing backslash at end of expression': 'regexTrailingBackslash',
} as const;

/** A fault of RE2 as a sentence; its own words where they are not known. */
function faultOf(text: string): string | Sentence {
  const [, fault = text, part] = /^(.*?): `(.*)`$/s.exec(text) ?? [];
  if (part !== undefined && isKeyOf(FAULTS, fault)) return say(FAULTS[fault], { part });
  return part === undefined && isKeyOf(FAULTS_OF_ALL, fault) ? say(FAULTS_OF_ALL[fault]) : text;
}

const isKeyOf = <T extends object>(record: T, key: PropertyKey): key is keyof T => Object.hasOwn(record, key);

/** Why a text is no RE2 expression, in the words of RE2; null when it is one. */
export function regexFault(pattern: string): string | Sentence | null {
  if (pattern.length > LONGEST) return say('regexTooLong', { limit: LONGEST });
  try {
    // A set reads its patterns and compiles them only when it is asked to match, which can take a second.
    new RE2Set().add(pattern.replace(NAMED_GROUP, '(').replace(BYTE, '$1$2.'));
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return faultOf(error.message.replace(/^error parsing regexp: /, ''));
  }
}
