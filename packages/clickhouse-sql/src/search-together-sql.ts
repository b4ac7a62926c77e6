import type { Call, Scalar } from '@tyrian/plan';
import { joined, parameter, type Sql, sql } from './sql.ts';
import type { SqlValue } from './sql-value.ts';
import { isAscii } from './text-search-sql.ts';

// `t contains "a" or t contains "b" or …`: each search goes through the text once more, and many rules look for dozens or
// hundreds of texts. The engine has searches for many texts at once, which give the same rows.

/** The engine searches for so many texts at once. */
export const MOST_AT_ONCE = 255;

/** Fewer searches of one text stay as they are: preparing one for several costs more than it saves. */
const FEWEST_TOGETHER = 6;

const ENGINE_SEARCHES = {
  contains: sql`multiSearchAnyCaseInsensitive`,
  contains_cs: sql`multiSearchAny`,
} as const;
type Search = keyof typeof ENGINE_SEARCHES;

/** Conditions of an `or` that look for texts in the same one. */
interface Together {
  readonly kind: 'search';
  readonly text: Scalar;
  readonly search: Search;
  readonly needles: readonly string[];
  /** One search each. */
  readonly conditions: readonly Scalar[];
}

/** Conditions that are asked together, or one that stands alone. */
type OrPart = Together | { readonly kind: 'one'; readonly condition: Scalar };

/** Parts the conditions of an `or` into searches for many texts at once, and the rest. */
export function searchesTogether(conditions: readonly Scalar[]): readonly OrPart[] {
  if (conditions.length < FEWEST_TOGETHER) return conditions.map(alone);
  const found = new Map<string, Together & { readonly needles: string[]; readonly conditions: Scalar[] }>();
  for (const condition of conditions) {
    const searched = searchedBy(condition);
    if (!searched) continue;
    const { text, search, needle } = searched;
    const key = `${search} ${JSON.stringify(text)}`;
    const known = found.get(key) ?? { kind: 'search', text, search, needles: [], conditions: [] };
    known.needles.push(needle);
    known.conditions.push(condition);
    found.set(key, known);
  }
  const together = [...found.values()].filter((one) => one.conditions.length >= FEWEST_TOGETHER);
  const taken = new Set(together.flatMap((one) => one.conditions));
  return [...together, ...conditions.filter((one) => !taken.has(one)).map(alone)];
}

const alone = (condition: Scalar): OrPart => ({ kind: 'one', condition });

interface Searched {
  readonly text: Scalar;
  readonly search: Search;
  readonly needle: string;
}

/** What a condition looks for and where; null for any other condition. */
function searchedBy(condition: Scalar): Searched | null {
  if (condition.kind !== 'call' || !isSearch(condition)) return null;
  const [text, needle] = condition.args;
  if (!text || needle?.kind !== 'constant' || typeof needle.value !== 'string' || needle.value === '')
    return null;
  const { value } = needle;
  if (condition.fn === 'contains_cs') return { text, search: 'contains_cs', needle: value };
  if (isAscii(value)) return { text, search: 'contains', needle: value };
  return isCaseless(value) ? { text, search: 'contains_cs', needle: value } : null;
}

const isSearch = ({ fn }: Call): boolean => fn === 'contains' || fn === 'contains_cs';
/** Signs, emoji and digits: no other text is the same but for its case. */
const isCaseless = (text: string): boolean => text.toLowerCase() === text && text.toUpperCase() === text;

/** Whether a text holds one of many. */
export function searchTogetherSql(text: SqlValue, { search, needles }: Together): Sql {
  const searches: Sql[] = [];
  for (let from = 0; from < needles.length; from += MOST_AT_ONCE) {
    const some = parameter('Array(String)', needles.slice(from, from + MOST_AT_ONCE));
    searches.push(sql`(${ENGINE_SEARCHES[search]}(${text.sql}, ${some}) = 1)`);
  }
  return joined(searches, ' OR ');
}
