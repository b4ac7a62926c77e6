import { joined, parameter, type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';

// Many literals at once, whose case does not count: first tests of detections, never the last word. Letters are folded as
// `contains` and `==` with ASCII fold them. Literals of the kind `equals` are whole texts and are looked up; any other kind is
// found within the text: few of them by one search, many by a machine that the engine keeps as long as they are the same.

function listOf(list: SqlValue | undefined): readonly string[] {
  const values: unknown = typeof list?.constant === 'string' ? JSON.parse(list.constant) : [];
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string') : [];
}

/** The engine searches for so many texts at once. */
const MOST_AT_ONCE = 255;

const texts = (values: readonly string[]): Sql => parameter('Array(String)', values);
const folded = (values: readonly string[]): Sql => texts(values.map((value) => value.toLowerCase()));

/** A literal as a regular expression: each character that is no letter or digit by its code. */
const asPattern = (literal: string): string =>
  [...Buffer.from(literal)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[0-9A-Za-z]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** The numbers of the whole texts that occur; 0 for all others. */
const literalsMet: Builder = (args) => {
  const values = listOf(args[1]);
  const numbers = parameter(
    'Array(UInt32)',
    values.map((_, at) => at + 1),
  );
  if (values.length === 0) return sql`'[]'`;
  const number = sql`transform(lowerUTF8(${arg(args, 0)}), ${folded(values)}, ${numbers}, toUInt32(0))`;
  return sql`toJSONString(groupUniqArray(${number}))`;
};

/** The numbers of the literals within texts, and in how many texts each is. */
const literalsCounted: Builder = (args) => {
  const values = listOf(args[1]);
  if (values.length === 0) return sql`'[[],[]]'`;
  const patterns = texts(values.map((value) => asPattern(value.toLowerCase())));
  const found = sql`CAST(multiMatchAllIndices(lower(${arg(args, 0)}), ${patterns}), 'Array(UInt32)')`;
  // Most texts hold none: they are not even added.
  const ones = sql`arrayResize([toUInt32(1)], length(${found}), toUInt32(1))`;
  return sql`toJSONString(sumMapIf(${found}, ${ones}, notEmpty(${found})))`;
};

/** Whether a text holds one of the literals. */
const holdsAnyLiteral: Builder = (args) => {
  const tests: Sql[] = [];
  for (let at = 0; at + 2 < args.length; at += 3) {
    const text = arg(args, at + 1);
    const values = listOf(args[at + 2]);
    if (values.length > 0 && args[at]?.constant === 'equals')
      tests.push(sql`(lowerUTF8(${text}) IN ${folded(values)})`);
    else
      for (let from = 0; from < values.length; from += MOST_AT_ONCE)
        tests.push(
          sql`(multiSearchAnyCaseInsensitive(${text}, ${texts(values.slice(from, from + MOST_AT_ONCE))}) = 1)`,
        );
  }
  return tests.length > 0 ? joined(tests, ' OR ') : sql`false`;
};

/** Many literals at once, of one event. */
export const LITERAL_BUILDERS: Readonly<Record<string, Builder>> = { holds_any_literal: holdsAnyLiteral };

/** Many literals at once, of all events. */
export const LITERAL_AGGREGATES: Readonly<Record<string, Builder>> = {
  literals_met: literalsMet,
  literals_counted: literalsCounted,
};
