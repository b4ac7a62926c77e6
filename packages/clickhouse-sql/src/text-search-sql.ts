import { withoutOpenEnds } from './open-regex-ends.ts';
import { regexSql } from './regex-sql.ts';
import { joined, parameter, type Sql, sql, textParameter } from './sql.ts';
import type { SqlValue } from './sql-value.ts';
import { textOnlySql } from './stored-text.ts';

// Search in text. A term is a run of ASCII letters and digits and of every character beyond ASCII, which is also how
// the text index on lower(Raw) cuts; so `has` gives the same rows with and without the index. On the indexed column a
// search asks the index for the lower-cased terms first and then checks the text itself where the terms do not settle it.

const SEARCHES = [
  'contains',
  'contains_cs',
  'startswith',
  'startswith_cs',
  'endswith',
  'endswith_cs',
  'has',
  'has_cs',
  'hasprefix',
  'hasprefix_cs',
  'hassuffix',
  'hassuffix_cs',
  'equal_ci',
  'matches_regex',
] as const;

type TextSearch = (typeof SEARCHES)[number];

export const isTextSearch = (fn: string): fn is TextSearch => (SEARCHES as readonly string[]).includes(fn);

const TERM = '[0-9A-Za-z\\x{80}-\\x{10FFFF}]';
const EDGE = '[^0-9A-Za-z\\x{80}-\\x{10FFFF}]';
export const isAscii = (text: string): boolean => !/[^\t-~]/.test(text);
const isTerm = (text: string): boolean => /^[0-9A-Za-z]+$/.test(text);
const startsTerm = (text: string): boolean => /^[0-9A-Za-z\u0080-\uffff]/.test(text);
const endsTerm = (text: string): boolean => /[0-9A-Za-z\u0080-\uffff]$/.test(text);
const quoteRegex = (text: string): string =>
  text.replace(/[\\.+*?()|[\]{}^$\-/]/g, '\\$&').replace(/\0/g, '\\x00');

/** The condition of a text search; both sides are strings and so never null. */
export function textSearchSql(fn: TextSearch, text: SqlValue, needle: SqlValue): Sql {
  const value = typeof needle.constant === 'string' ? needle.constant : null;
  if (value === null) return withRuntimeNeedle(fn, text.sql, needle.sql);
  const only = fn === 'equal_ci' ? textOnlySql(text, [needle]) : null;
  if (only) return sql`ifNull(${withConstant(fn, only, value)}, false)`;
  const exact = withConstant(fn, text.sql, value);
  const hints = text.indexed ? indexHints(fn, text.sql, value) : [];
  if (!text.indexed || hints.length === 0) return exact;
  return fn === 'has' && isTerm(value) ? joined(hints, ' AND ') : joined([...hints, exact], ' AND ');
}

/** What is searched and what for, as they are and folded to lower case. */
interface Sides {
  readonly text: Sql;
  readonly needle: Sql;
  readonly folded: Sql;
  readonly lower: Sql;
}

/** The searches that need no more than the two sides; null for the others. */
function plainSearch(fn: TextSearch, { text, needle, folded, lower }: Sides): Sql | null {
  switch (fn) {
    case 'contains':
      return sql`(position(${folded}, ${lower}) > 0)`;
    case 'contains_cs':
      return sql`(position(${text}, ${needle}) > 0)`;
    case 'startswith':
      return sql`startsWith(${folded}, ${lower})`;
    case 'startswith_cs':
      return sql`startsWith(${text}, ${needle})`;
    case 'endswith':
      return sql`endsWith(${folded}, ${lower})`;
    case 'endswith_cs':
      return sql`endsWith(${text}, ${needle})`;
    case 'equal_ci':
      return sql`(${folded} = ${lower})`;
    default:
      return null;
  }
}

function withConstant(fn: TextSearch, text: Sql, value: string): Sql {
  const needle = textParameter(value);
  const ascii = isAscii(value);
  if (fn === 'contains')
    return ascii
      ? sql`(positionCaseInsensitive(${text}, ${needle}) > 0)`
      : sql`(positionCaseInsensitiveUTF8(${text}, ${needle}) > 0)`;
  const folded = ascii ? sql`lower(${text})` : sql`lowerUTF8(${text})`;
  const plain = plainSearch(fn, { text, needle, folded, lower: textParameter(value.toLowerCase()) });
  if (plain) return plain;
  switch (fn) {
    case 'matches_regex':
      return sql`match(${text}, ${regexSql(needle, withoutOpenEnds(value))})`;
    case 'has':
      return isTerm(value)
        ? sql`hasTokenCaseInsensitive(${text}, ${needle})`
        : regexSearch(text, termRegex(value, true, true), fn);
    case 'has_cs':
      return isTerm(value)
        ? sql`hasToken(${text}, ${needle})`
        : regexSearch(text, termRegex(value, true, true), fn);
    case 'hasprefix':
    case 'hasprefix_cs':
      return regexSearch(text, termRegex(value, true, false), fn);
    default:
      return regexSearch(text, termRegex(value, false, true), fn);
  }
}

function regexSearch(text: Sql, regex: string, fn: TextSearch): Sql {
  return sql`match(${text}, ${textParameter(`${fn.endsWith('_cs') ? '(?s)' : '(?is)'}${regex}`)})`;
}

function termRegex(value: string, before: boolean, after: boolean): string {
  const start = before && startsTerm(value) ? `(?:^|${EDGE})` : '';
  const end = after && endsTerm(value) ? `(?:$|${EDGE})` : '';
  return `${start}${quoteRegex(value)}${end}`;
}

/** Conditions that the text index answers and that every match fulfils. */
function indexHints(fn: TextSearch, text: Sql, value: string): readonly Sql[] {
  const lower = value.toLowerCase();
  if (fn === 'has' || fn === 'has_cs') {
    const terms = lower.split(/[^0-9a-z\u0080-\uffff]+/).filter((term) => isTerm(term));
    return terms.length === 0
      ? []
      : [sql`hasAllTokens(lower(${text}), ${parameter('Array(String)', terms)})`];
  }
  if (fn === 'matches_regex') return [];
  const fragments = lower.split(/[^0-9a-z]+/).filter((fragment) => fragment.length >= 4);
  return fragments.map((fragment) => sql`(lower(${text}) LIKE ${textParameter(`%${fragment}%`)})`);
}

function withRuntimeNeedle(fn: TextSearch, text: Sql, needle: Sql): Sql {
  const sides = { text, needle, folded: sql`lowerUTF8(${text})`, lower: sql`lowerUTF8(${needle})` };
  const plain = plainSearch(fn, sides);
  if (plain) return plain;
  if (fn === 'matches_regex') return sql`match(${text}, ${regexSql(needle, null)})`;
  return runtimeTerm(
    text,
    needle,
    !fn.endsWith('_cs'),
    !fn.startsWith('hassuffix'),
    !fn.startsWith('hasprefix'),
  );
}

function runtimeTerm(text: Sql, needle: Sql, fold: boolean, before: boolean, after: boolean): Sql {
  const edge = textParameter(EDGE);
  const start = before
    ? sql`if(match(${needle}, ${textParameter(`^${TERM}`)}), concat('(?:^|', ${edge}, ')'), '')`
    : sql`''`;
  const end = after
    ? sql`if(match(${needle}, ${textParameter(`${TERM}$`)}), concat('(?:$|', ${edge}, ')'), '')`
    : sql`''`;
  const flags = fold ? sql`'(?is)'` : sql`'(?s)'`;
  return sql`match(${text}, concat(${flags}, ${start}, regexpQuoteMeta(${needle}), ${end}))`;
}
