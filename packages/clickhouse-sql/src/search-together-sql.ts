import { type Call, call, constant, type Scalar } from '@tyrian/plan';
import { joined, parameter, type Sql, sql, textParameter } from './sql.ts';
import type { SqlValue } from './sql-value.ts';
import { isAscii } from './text-search-sql.ts';

// `t contains "a" or t contains "b" or …`: each search goes through the text once more, and many rules look for dozens or
// hundreds of texts. The engine has searches for many texts at once, which give the same rows. `t endswith "\a.exe" or …`
// asks what stands behind the last backslash, which is then looked up in a list.

/** The engine searches for so many texts at once. */
export const MOST_AT_ONCE = 255;

/** Fewer searches of one text stay as they are: preparing one for several costs more than it saves. */
const FEWEST_TOGETHER = { search: 6, name: 3 } as const;

const ENGINE_SEARCHES = {
  contains: sql`multiSearchAnyCaseInsensitive`,
  contains_cs: sql`multiSearchAny`,
} as const;
type Search = keyof typeof ENGINE_SEARCHES;
type EndSearch = 'endswith' | 'endswith_cs';

/** How several texts are looked for: anywhere, or behind the last sign of a kind. */
type Way =
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'name'; readonly search: EndSearch; readonly sign: string };

/** Conditions of an `or` that look for texts in the same one. */
type Together = Way & {
  readonly text: Scalar;
  readonly needles: readonly string[];
  /** One search each. */
  readonly conditions: readonly Scalar[];
};

/** Conditions that are asked together, or one that stands alone. */
type OrPart = Together | { readonly kind: 'one'; readonly condition: Scalar };

/** Parts the conditions of an `or` into searches for many texts at once, and the rest. */
export function searchesTogether(conditions: readonly Scalar[]): readonly OrPart[] {
  if (conditions.length < 2) return conditions.map(alone);
  const found = new Map<string, Together & { readonly needles: string[]; readonly conditions: Scalar[] }>();
  for (const condition of conditions) {
    const searched = searchedBy(condition);
    if (!searched) continue;
    const { text, way, needle } = searched;
    const key = JSON.stringify([way, text]);
    const known = found.get(key) ?? { ...way, text, needles: [], conditions: [] };
    known.needles.push(needle);
    known.conditions.push(condition);
    found.set(key, known);
  }
  const together = [...found.values()].filter((one) => one.conditions.length >= FEWEST_TOGETHER[one.kind]);
  const taken = new Set(together.flatMap((one) => one.conditions));
  const rest = conditions.filter((one) => !taken.has(one));
  return [...together, ...patternsTogether(rest).map(alone)];
}

/** A joined pattern is no longer than this, so that the engine does not refuse it. */
const LONGEST_PATTERN = 2_000;
/** Patterns that match at the beginning alone, without a repetition that is counted: one for many costs as much as each. */
const SIMPLE_PATTERN = /^(?:\(\?[is]+\))?\^[^{]*$/;

/** Conditions of an `or`, with patterns of one text joined into one. */
function patternsTogether(conditions: readonly Scalar[]): readonly Scalar[] {
  const byText = new Map<string, { readonly text: Scalar; readonly patterns: string[] }>();
  const rest: Scalar[] = [];
  for (const condition of conditions) {
    const [text, pattern] =
      condition.kind === 'call' && condition.fn === 'matches_regex' ? condition.args : [];
    const known = pattern?.kind === 'constant' ? pattern.value : null;
    if (!text || typeof known !== 'string' || !SIMPLE_PATTERN.test(known)) rest.push(condition);
    else {
      const key = JSON.stringify(text);
      const one = byText.get(key) ?? { text, patterns: [] };
      one.patterns.push(known);
      byText.set(key, one);
    }
  }
  const joinedPatterns = [...byText.values()].flatMap(({ text, patterns }) =>
    joinedTo(LONGEST_PATTERN, patterns).map((one) =>
      call('bool', 'matches_regex', text, constant('string', one)),
    ),
  );
  return [...joinedPatterns, ...rest];
}

/** Patterns joined into as few as may be, none longer than that; one that stands alone stays as it is. */
function joinedTo(longest: number, patterns: readonly string[]): readonly string[] {
  const groups: string[][] = [];
  let room = 0;
  for (const pattern of patterns) {
    if (pattern.length > room) {
      groups.push([]);
      room = longest;
    }
    room -= pattern.length;
    groups.at(-1)?.push(pattern);
  }
  return groups.map((group) =>
    group.length === 1 ? (group[0] ?? '') : group.map((one) => `(?:${one})`).join('|'),
  );
}

const alone = (condition: Scalar): OrPart => ({ kind: 'one', condition });

interface Searched {
  readonly text: Scalar;
  readonly way: Way;
  readonly needle: string;
}

/** What a condition looks for and where; null for any other condition. */
function searchedBy(condition: Scalar): Searched | null {
  if (condition.kind !== 'call' || !isSearch(condition.fn)) return null;
  const [text, needle] = condition.args;
  if (!text || needle?.kind !== 'constant' || typeof needle.value !== 'string' || needle.value === '')
    return null;
  const found = searchOf(condition.fn, needle.value);
  return found && { text, ...found };
}

type SearchFn = Search | EndSearch;

const isSearch = (fn: Call['fn']): fn is SearchFn =>
  Object.hasOwn(ENGINE_SEARCHES, fn) || /^endswith(_cs)?$/.test(fn);

function searchOf(fn: SearchFn, needle: string): Omit<Searched, 'text'> | null {
  if (fn === 'endswith' || fn === 'endswith_cs') {
    const [sign = '', ...rest] = fn === 'endswith' ? needle.toLowerCase() : needle;
    // What ends so has the sign there for the last time.
    if (!isAscii(needle) || rest.includes(sign)) return null;
    return { way: { kind: 'name', search: fn, sign }, needle: rest.join('') };
  }
  if (fn === 'contains_cs') return { way: { kind: 'search', search: fn }, needle };
  if (isAscii(needle)) return { way: { kind: 'search', search: 'contains' }, needle };
  return isCaseless(needle) ? { way: { kind: 'search', search: 'contains_cs' }, needle } : null;
}

/** Signs, emoji and digits: no other text is the same but for its case. */
const isCaseless = (text: string): boolean => text.toLowerCase() === text && text.toUpperCase() === text;

/** Whether a text holds one of many, or ends with one. */
export function searchTogetherSql(text: SqlValue, together: Together): Sql {
  const { needles } = together;
  if (together.kind === 'name') return nameInSql(text, together);
  const searches: Sql[] = [];
  for (let from = 0; from < needles.length; from += MOST_AT_ONCE) {
    const some = parameter('Array(String)', needles.slice(from, from + MOST_AT_ONCE));
    searches.push(sql`(${ENGINE_SEARCHES[together.search]}(${text.sql}, ${some}) = 1)`);
  }
  return joined(searches, ' OR ');
}

/** What stands behind the last sign is in the list, and there is such a sign. */
function nameInSql(
  text: SqlValue,
  { search, sign, needles }: Extract<Together, { readonly kind: 'name' }>,
): Sql {
  const folded = search === 'endswith' ? sql`lower(${text.sql})` : text.sql;
  const of = textParameter(sign);
  const names = parameter('Array(String)', needles);
  return sql`((substringIndex(${folded}, ${of}, -1) IN ${names}) AND (position(${folded}, ${of}) > 0))`;
}
