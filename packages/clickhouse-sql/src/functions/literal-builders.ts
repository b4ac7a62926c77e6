import { commaList, joined, parameter, type Sql, sql, wholeNumbers } from '../sql.ts';
import { plainValue, type SqlValue } from '../sql-value.ts';
import type { Builder } from './builder.ts';
import { arrayJsonSql } from './json-sql.ts';

// Many literals at once, whose case does not count: first tests of detections, never the last word. Letters are folded as
// `contains` and `==` with ASCII fold them. Literals of the kind `equals` are whole texts and are looked up; any other kind is
// found within the text: few of them by one search, many by a machine that the engine keeps as long as they are the same.

interface Literals {
  readonly isWhole: boolean;
  readonly text: Sql;
  readonly values: readonly string[];
  /** How many stand before these. */
  readonly before: number;
}

function listOf({ constant }: SqlValue): readonly string[] {
  const list: unknown = typeof constant === 'string' ? JSON.parse(constant) : [];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function literalsOf(args: readonly SqlValue[]): readonly Literals[] {
  const all: Literals[] = [];
  let before = 0;
  for (let at = 0; at + 2 < args.length; at += 3) {
    const [kind, text, list] = args.slice(at, at + 3);
    if (!kind || !text || !list) continue;
    const values = listOf(list);
    if (values.length > 0) all.push({ isWhole: kind.constant === 'equals', text: text.sql, values, before });
    before += values.length;
  }
  return all;
}

/** The engine searches for so many texts at once. */
const MOST_AT_ONCE = 255;
/** Fewer texts than this are searched for without building a machine. */
const FEW = 24;

const texts = (values: readonly string[]): Sql => parameter('Array(String)', values);

/** A literal as a regular expression: each character that is no letter or digit by its code. */
const asPattern = (literal: string): string =>
  [...Buffer.from(literal)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[0-9A-Za-z]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** The numbers of the literals within the text. */
function numbersWithin({ text, values, before }: Literals): Sql {
  const offset = parameter('UInt64', String(before));
  if (values.length > FEW) {
    const patterns = texts(values.map((value) => asPattern(value.toLowerCase())));
    return sql`arrayMap(n -> n + ${offset}, multiMatchAllIndices(lower(${text}), ${patterns}))`;
  }
  const places = sql`multiSearchAllPositionsCaseInsensitive(${text}, ${texts(values)})`;
  return sql`arrayMap(n -> n + ${offset}, arrayFilter((n, p) -> p > 0, arrayEnumerate(${places}), ${places}))`;
}

/** The number of the literal that the text is; 0 for none. */
function numberOfWhole({ text, values, before }: Literals): Sql {
  const numbers = wholeNumbers(
    'Array(UInt64)',
    values.map((_, at) => before + at + 1),
  );
  const keys = texts(values.map((value) => value.toLowerCase()));
  return sql`transform(lowerUTF8(${text}), ${keys}, ${numbers}, toUInt64(0))`;
}

/** The numbers of the literals that the texts hold, as a dynamic array. */
export function literalsHeld(args: readonly SqlValue[]): SqlValue {
  const all = literalsOf(args);
  const wholes = all.filter(({ isWhole }) => isWhole).map(numberOfWhole);
  const arrays = all.filter(({ isWhole }) => !isWhole).map(numbersWithin);
  if (wholes.length > 0) arrays.push(sql`arrayFilter(n -> n > 0, [${commaList(wholes)}])`);
  const numbers = arrays.length > 0 ? sql`arrayConcat(${commaList(arrays)})` : sql`CAST([], 'Array(UInt64)')`;
  const elements = sql`arrayMap(n -> toString(n), ${numbers})`;
  return { ...plainValue('dynamic', arrayJsonSql(elements), false), elements };
}

/** Whether a text holds one of the literals. */
const holdsAnyLiteral: Builder = (args) => {
  const tests = literalsOf(args).flatMap(({ isWhole, text, values }): Sql[] => {
    if (isWhole) return [sql`(lowerUTF8(${text}) IN ${texts(values.map((value) => value.toLowerCase()))})`];
    const parts: Sql[] = [];
    for (let at = 0; at < values.length; at += MOST_AT_ONCE)
      parts.push(
        sql`(multiSearchAnyCaseInsensitive(${text}, ${texts(values.slice(at, at + MOST_AT_ONCE))}) = 1)`,
      );
    return parts;
  });
  return tests.length > 0 ? joined(tests, ' OR ') : sql`false`;
};

/** Many literals at once. */
export const LITERAL_BUILDERS: Readonly<Record<string, Builder>> = {
  literals_held: (args) => literalsHeld(args).sql,
  holds_any_literal: holdsAnyLiteral,
};
