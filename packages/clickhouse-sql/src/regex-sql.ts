import { parameter, type Sql, sql, textParameter } from './sql.ts';

// Regular expressions are RE2 on both sides, but in Kusto's `.` stops at a line end, where ClickHouse lets it pass:
// `(?-s)` stands before. With the flag the engine no longer looks for the literal part of a pattern first, which
// doubles the time, so it stands only where there is a dot.

const keepsLines = (pattern: string): string => (pattern.includes('.') ? `(?-s)${pattern}` : pattern);

/** A pattern for ClickHouse: `known` is the text of a constant one, null when only the rows tell it. */
export const regexSql = (pattern: Sql, known: string | null): Sql =>
  known === null ? sql`concat('(?-s)', ${pattern})` : textParameter(keepsLines(known));

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
  if (isFirst) return sql`extract(${text}, ${textParameter(keepsLines(pattern))})`;
  const whole = textParameter(keepsLines(`(${pattern})`));
  return sql`extractGroups(${text}, ${whole})[${parameter('Int64', String(group + 1))}]`;
}
