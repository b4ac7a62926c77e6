import { type Sql, sql, textParameter } from '../sql.ts';
import { bagJsonSql } from './json-sql.ts';

// XML as JSON: an element is a property of its parent, its attributes are properties with an @ before their names, its
// text is #text, and elements of one name are an array. The tags are folded over a stack of open elements. What is
// not well formed, or longer than 1 MiB, is null; comments, processing instructions and CDATA are skipped.

const REGEX = {
  skipped: textParameter(
    String.raw`(?s)<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<![A-Za-z][^>\[]*(?:\[[^\]]*\])?[^>]*>`,
  ),
  tokens: textParameter(`(?s)<(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+|<`),
  attributes: textParameter(String.raw`(?s)([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')`),
  name: textParameter(String.raw`^</?([^\s/>]+)`),
  element: textParameter(
    String.raw`(?s)^<[A-Za-z_:\x{80}-\x{10FFFF}][^\s/>]*(?:\s+[^\s=<>/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*/?>$`,
  ),
  closing: textParameter(String.raw`^</[^\s/>]+\s*>$`),
  number: textParameter(String.raw`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$`),
};

/** Text as a JSON number when it is written like one, as a JSON string else. */
const textJson = (text: Sql): Sql => sql`if(match(${text}, ${REGEX.number}), ${text}, toJSONString(${text}))`;

/** Properties with those of one name gathered in an array. */
const gathered = (pairs: Sql): Sql => {
  const values = sql`arrayMap(v -> v.2, arrayFilter(o -> o.1 = n, ${pairs}))`;
  return bagJsonSql(
    sql`arrayMap(n -> (n, if(length(${values}) = 1, ${values}[1], concat('[', arrayStringConcat(${values}, ','), ']'))), arrayDistinct(arrayMap(m -> m.1, ${pairs})))`,
  );
};

/** The JSON of the element on top of the stack. */
const closed = (): Sql => {
  const text = sql`trimBoth(s.3[1])`;
  const pairs = sql`if(${text} = '', s.2[1], arrayConcat(arrayFilter(a -> startsWith(a.1, '@'), s.2[1]), [('#text', ${textJson(text)})], arrayFilter(b -> NOT startsWith(b.1, '@'), s.2[1])))`;
  return sql`multiIf(empty(s.2[1]) AND ${text} = '', 'null', empty(s.2[1]), ${textJson(text)}, ${gathered(pairs)})`;
};

/** A property added to the list on top of a stack of lists. */
const added = (stack: Sql, key: Sql, value: Sql): Sql =>
  sql`arrayPushFront(arrayPopFront(${stack}), arrayPushBack(${stack}[1], (${key}, ${value})))`;

/** The document as a dynamic bag. */
export function parseXmlSql(text: Sql): Sql {
  const tokens = sql`extractAll(replaceRegexpAll(${text}, ${REGEX.skipped}, ''), ${REGEX.tokens})`;
  const name = sql`extract(t, ${REGEX.name})`;
  const attributes = sql`arrayMap(g -> (concat('@', g[1]), toJSONString(decodeXMLComponent(substring(g[2], 2, length(g[2]) - 2)))), extractAllGroupsVertical(t, ${REGEX.attributes}))`;
  const opened = sql`(arrayPushFront(s.1, ${name}), arrayPushFront(s.2, ${attributes}), arrayPushFront(s.3, ''), s.4)`;
  const empty = sql`if(empty(${attributes}), 'null', ${gathered(attributes)})`;
  const single = sql`(s.1, ${added(sql`s.2`, name, empty)}, s.3, s.4)`;
  const popped = sql`(arrayPopFront(s.1), ${added(sql`arrayPopFront(s.2)`, name, closed())}, arrayPopFront(s.3), s.4)`;
  const spoken = sql`(s.1, s.2, arrayPushFront(arrayPopFront(s.3), concat(s.3[1], decodeXMLComponent(t))), s.4 OR (length(s.1) = 1 AND trimBoth(t) != ''))`;
  const broken = sql`(s.1, s.2, s.3, true)`;
  const step = sql`multiIf(s.4, s, NOT startsWith(t, '<'), ${spoken}, match(t, ${REGEX.closing}), if(length(s.1) > 1 AND s.1[1] = ${name}, ${popped}, ${broken}), NOT match(t, ${REGEX.element}), ${broken}, endsWith(t, '/>'), ${single}, ${opened})`;
  const start = sql`([''], [CAST([], 'Array(Tuple(String, String))')], [''], false)`;
  const folded = sql`arrayFold((s, t) -> ${step}, ${tokens}, ${start})`;
  const valid = sql`(NOT ${folded}.4 AND length(${folded}.1) = 1 AND length(${folded}.2[1]) = 1)`;
  return sql`if(length(${text}) <= 1048576 AND ${valid}, ${bagJsonSql(sql`${folded}.2[1]`)}, NULL)`;
}
