import { parameter, type Sql, sql, textParameter } from './sql.ts';
import { unicodeClasses } from './unicode-classes.ts';

// Regular expressions are RE2 on both sides, but in Kusto's `.` stops at a line end, where ClickHouse lets it pass:
// `(?-s)` stands before. With the flag the engine no longer looks for the literal part of a pattern first, which
// doubles the time, so it stands only where there is a dot.

const keepsLines = (pattern: string): string => (pattern.includes('.') ? `(?-s)${pattern}` : pattern);

/** A pattern for ClickHouse: `known` is the text of a constant one, null when only the rows tell it. */
export const regexSql = (pattern: Sql, known: string | null): Sql =>
  known === null ? sql`concat('(?-s)', ${pattern})` : textParameter(keepsLines(unicodeClasses(known)));

/**
 * What a pattern finds or changes in a text. Finding groups in classes of Unicode takes many times as long, so a text
 * of ASCII alone is read with those of ASCII.
 */
export function byCharacters(text: Sql, pattern: string, build: (pattern: Sql) => Sql): Sql {
  const plain = build(textParameter(keepsLines(pattern)));
  const unicode = unicodeClasses(pattern);
  if (unicode === pattern) return plain;
  const other = build(textParameter(keepsLines(unicode)));
  return sql`if(length(${text}) = lengthUTF8(${text}), ${plain}, ${other})`;
}

/** The groups that a pattern captures. */
export function captureGroups(pattern: string): number {
  const plain = pattern.replace(/\\[\s\S]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '');
  return (plain.match(/\((?!\?)|\(\?P?<(?![=!])/g) ?? []).length;
}

/** The text of one group of the first match, of all of it for group 0; empty where there is none. */
export function extractSql(text: Sql, pattern: string, group: number): Sql {
  const count = captureGroups(pattern);
  if (group < 0 || group > count) return sql`''`;
  // `extract` gives the first group, or the match of a pattern without any; quoting and named classes may hide one.
  const isFirst = group === Math.min(1, count) && !/\\Q|\[:/.test(pattern);
  if (isFirst) return byCharacters(text, pattern, (known) => sql`extract(${text}, ${known})`);
  const place = parameter('Int64', String(group + 1));
  return byCharacters(text, `(${pattern})`, (known) => sql`extractGroups(${text}, ${known})[${place}]`);
}
