import { call, constant, type Scalar } from '@tyrian/plan';
import type { MatchValue } from '../detection/match-value.ts';
import { isWildcard, type TextPart } from '../detection/text-pattern.ts';
import { quoteRegex } from './text-tests.ts';

// A field whose value is a list matches when one of its elements does. A list is read as its JSON, so an element is looked
// for there between the signs that part elements; strings of JSON hold no quote that is not escaped.

/** Any characters of a string in JSON. */
const ANY_TEXT = '(?:[^"\\\\]|\\\\.)*';
const ONE_CHARACTER = '(?:[^"\\\\]|\\\\.)';
/** Values that JSON may also write without quotes. */
const BARE = /^(?:-?\d+(?:\.\d+)?|true|false)$/i;

const written = (text: string): string => quoteRegex(JSON.stringify(text).slice(1, -1));

function partPattern(part: TextPart): string {
  if (typeof part === 'string') return written(part);
  if ('wildcard' in part) return part.wildcard === '*' ? ANY_TEXT : ONE_CHARACTER;
  if ('oneOf' in part) return `(?:${part.oneOf.map(written).join('|')})`;
  throw new Error('A list is filled in before a pattern is compiled');
}

/** The value as JSON writes it; null for kinds of values that are not looked for in lists. */
function valuePattern(value: MatchValue): string | null {
  if (value.kind === 'number') return `"?${quoteRegex(value.text)}"?`;
  if (value.kind !== 'text' || value.parts.length === 0) return null;
  const [only, ...more] = value.parts;
  const inner = value.parts.map(partPattern).join('');
  return typeof only === 'string' && more.length === 0 && BARE.test(only) ? `"?${inner}"?` : `"${inner}"`;
}

const flagsOf = (value: MatchValue): string => (value.kind === 'text' && value.cased ? '(?s)' : '(?is)');

const matches = (text: Scalar, pattern: string): Scalar =>
  call('bool', 'matches_regex', text, constant('string', pattern));

/** Whether an element of a list, read as text, is the value; none where the value is found in the text anyway. */
export function elementTests(text: Scalar, value: MatchValue): readonly Scalar[] {
  const pattern = valuePattern(value);
  if (pattern === null || (value.kind === 'text' && isFoundAnywhere(value.parts))) return [];
  return [matches(text, `${flagsOf(value)}^\\[(?:.*[,\\[])?${pattern}[,\\]]`)];
}

/** Text between wildcards that JSON writes as it is. */
function isFoundAnywhere(parts: readonly TextPart[]): boolean {
  const inner = parts.slice(1, -1);
  return (
    isWildcard(parts[0], '*') &&
    isWildcard(parts.at(-1), '*') &&
    inner.every((part) => typeof part === 'string' && JSON.stringify(part).slice(1, -1) === part)
  );
}

/** Columns into which ingest writes the elements of a list with commas between them. */
export const JOINED_COLUMNS: ReadonlySet<string> = new Set([
  'DnsResponseName',
  'HttpContentType',
  'EmailRecipient',
]);

/** Whether one of the texts between commas is the value. */
export function joinedTests(text: Scalar, value: MatchValue): readonly Scalar[] {
  if (value.kind !== 'text' || value.parts.length === 0 || isFoundAnywhere(value.parts)) return [];
  const inner = value.parts.map((part) => {
    if (typeof part === 'string') return quoteRegex(part);
    return 'wildcard' in part && part.wildcard === '*' ? '[^,]*' : '[^,]';
  });
  return [matches(text, `${flagsOf(value)}(?:^|,)${inner.join('')}(?:,|$)`)];
}

const keyPattern = (items: readonly string[]): string => `"${written(items.at(-1) ?? '')}":`;

/** Whether a map of a list, read as text, has the value under a name. */
export function itemTests(text: Scalar, items: readonly string[], value: MatchValue): readonly Scalar[] {
  const pattern = valuePattern(value);
  if (pattern === null) return [];
  return [matches(text, `${flagsOf(value)}^\\[.*${keyPattern(items)}(?:\\[(?:.*,)?)?${pattern}[,\\]}]`)];
}

/** Whether a map of a list has the name. */
export const hasItem = (text: Scalar, items: readonly string[]): Scalar =>
  matches(text, `(?is)^\\[.*${keyPattern(items)}`);
