import { MOST_AT_ONCE } from '../search-together-sql.ts';
import { commaList, joined, parameter, type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';

// Many literals at once, whose case does not count: first tests of detections, never the last word. Letters are folded as
// `contains` and `==` with ASCII fold them. Literals of the kind `equals` are whole texts and are looked up; any other kind is
// found within the text: few of them by one search, many by a machine that the engine keeps as long as they are the same.

function listOf(list: SqlValue | undefined): readonly unknown[] {
  const values: unknown = typeof list?.constant === 'string' ? JSON.parse(list.constant) : [];
  return Array.isArray(values) ? values : [];
}

const textsOf = (list: SqlValue | undefined): readonly string[] =>
  listOf(list).filter((one) => typeof one === 'string');

const texts = (values: readonly string[]): Sql => parameter('Array(String)', values);
const folded = (values: readonly string[]): Sql => texts(values.map((value) => value.toLowerCase()));

/**
 * A literal as a regular expression: characters of ASCII that are no letter or digit by their code. Those beyond stand for
 * themselves, because the engine reads a code as that of a character and not of a byte.
 */
const asPattern = (literal: string): string =>
  literal.replace(
    /[^0-9A-Za-z\u0080-\u{10FFFF}]/gu,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

const numbersOf = (values: readonly string[], before: number): Sql =>
  parameter(
    'Array(UInt32)',
    values.map((_, at) => before + at + 1),
  );

/** The numbers of the literals of one list that a text holds, as an array; the first literal has the number after `before`. */
function heldOf(kind: unknown, text: Sql, values: readonly string[], before: number): Sql {
  if (kind === 'equals') {
    const numbers = numbersOf(values, before);
    const number = sql`transform(lowerUTF8(${text}), ${folded(values)}, ${numbers}, toUInt32(0))`;
    return sql`arrayResize([${number}], ${number} > 0)`;
  }
  const search = values.length > MOST_ONE_BY_ONE ? heldByMachine : heldOneByOne;
  // Most events have no text in most fields, and searching none costs as much as searching a short one.
  return sql`if(${text} = '', CAST([], 'Array(UInt32)'), ${search(text, values, before)})`;
}

/**
 * So many literals are searched for without a machine. The engine keeps 500 machines, each in the one place that its hash
 * names, so that of many two may drive each other out, and are built again for each block of events.
 */
const MOST_ONE_BY_ONE = 16;

function heldOneByOne(text: Sql, values: readonly string[], before: number): Sql {
  const numbers = numbersOf(values, before);
  return sql`arrayFilter((n, at) -> at > 0, ${numbers}, multiSearchAllPositions(lower(${text}), ${folded(values)}))`;
}

function heldByMachine(text: Sql, values: readonly string[], before: number): Sql {
  const patterns = texts(values.map((value) => asPattern(value.toLowerCase())));
  const found = sql`CAST(multiMatchAllIndices(lower(${text}), ${patterns}), 'Array(UInt32)')`;
  return before === 0 ? found : sql`arrayMap(n -> toUInt32(n + ${parameter('UInt32', before)}), ${found})`;
}

/** The numbers of the literals of all lists that an event holds, counted on from list to list, as JSON. */
const literalsHeld: Builder = (args) => {
  const held: Sql[] = [];
  let before = 0;
  for (let at = 0; at + 2 < args.length; at += 3) {
    const values = textsOf(args[at + 2]);
    if (values.length > 0) held.push(heldOf(args[at]?.constant, arg(args, at + 1), values, before));
    before += values.length;
  }
  if (held.length === 0) return sql`'[]'`;
  return sql`toJSONString(arraySort(arrayConcat(${commaList(held)})))`;
};

/** Whether a text holds one of the literals. */
const holdsAnyLiteral: Builder = (args) => {
  const tests: Sql[] = [];
  for (let at = 0; at + 2 < args.length; at += 3) {
    const text = arg(args, at + 1);
    const values = textsOf(args[at + 2]);
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

/**
 * A number of 32 bits by which an event is found again within a window, from its EventUid. Events may share one: whoever asks
 * for marked events may get some more.
 */
export const eventMark = (uid: Sql): Sql => sql`toUInt32(cityHash64(${uid}))`;

const isMarked: Builder = (args) => {
  const marks = listOf(args[1]).filter((one) => typeof one === 'number');
  return sql`(${eventMark(arg(args, 0))} IN ${parameter('Array(UInt32)', marks)})`;
};

/** Many literals at once, of one event. */
export const LITERAL_BUILDERS: Readonly<Record<string, Builder>> = {
  holds_any_literal: holdsAnyLiteral,
  literals_held: literalsHeld,
  is_marked: isMarked,
};
