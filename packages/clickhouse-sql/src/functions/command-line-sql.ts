import { type Sql, sql, textParameter } from '../sql.ts';

// A command line as a program on Windows finds it in its argument list (CommandLineToArgvW). The first argument ends
// at its closing quote or at a blank and knows no escapes. In the others 2n backslashes before a quote stand for n,
// 2n+1 for n and the quote itself; two quotes inside a quoted stretch are one quote and end the stretch.

const ESCAPED = String.raw`(?:\\\\)*\\"`;
const QUOTED = String.raw`(?:\\\\)*"(?:[^"\\]|(?:\\\\)*\\"|\\+[^"\\])*(?:(?:\\\\)*""?|\\*$)`;
const PIECE = `${ESCAPED}|${QUOTED}|[^ \\t"]`;

const REGEX = {
  words: textParameter(`(?s)(?:${PIECE})+`),
  pieces: textParameter(`(?s)${PIECE}`),
  escaped: textParameter(`^${ESCAPED}$`),
  opening: textParameter(String.raw`^\\*"`),
  inside: textParameter(String.raw`(?s)(?:\\\\)*\\"|(?:\\\\)*""?|\\+|[^"\\]+`),
  slashes: textParameter(String.raw`^(\\*)`),
  twoQuotes: textParameter('""$'),
};

/** Half of the backslashes that a piece begins with. */
const halved = (piece: Sql): Sql =>
  sql`repeat(char(92), toUInt64(intDiv(length(extract(${piece}, ${REGEX.slashes})), 2)))`;

/** The arguments as a dynamic array. */
export function commandLineSql(text: Sql): Sql {
  const quotedFirst = sql`startsWith(${text}, '"')`;
  const head = sql`if(${quotedFirst}, extract(${text}, '^"([^"]*)'), extract(${text}, '^[^ \\t]*'))`;
  const tail = sql`if(${quotedFirst}, replaceRegexpOne(${text}, '^"[^"]*"?', ''), replaceRegexpOne(${text}, '^[^ \\t]*', ''))`;
  const inside = sql`multiIf(NOT endsWith(p, '"'), p, match(p, ${REGEX.escaped}) OR match(p, ${REGEX.twoQuotes}), concat(${halved(sql`p`)}, '"'), ${halved(sql`p`)})`;
  const stretch = sql`concat(${halved(sql`q`)}, arrayStringConcat(arrayMap(p -> ${inside}, extractAll(replaceRegexpOne(q, ${REGEX.opening}, ''), ${REGEX.inside}))))`;
  const plain = sql`multiIf(match(q, ${REGEX.escaped}), concat(${halved(sql`q`)}, '"'), position(q, '"') > 0, ${stretch}, q)`;
  const word = sql`arrayStringConcat(arrayMap(q -> ${plain}, extractAll(w, ${REGEX.pieces})))`;
  return sql`if(${text} = '', NULL, toJSONString(arrayConcat([${head}], arrayMap(w -> ${word}, extractAll(${tail}, ${REGEX.words})))))`;
}
