import { byCharacters, captureGroups, extractSql, regexSql } from '../regex-sql.ts';
import { commaList, parameter, type Sql, sql, textParameter } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder, constantNumber, constantText } from './builder.ts';
import { textSql } from './conversion-builders.ts';
import { ENCODING_BUILDERS } from './encoding-builders.ts';
import { jsonArraySql, jsonTextSql } from './json-sql.ts';

// Strings count in characters, not bytes.

const regexOf = (pattern: SqlValue | undefined): Sql =>
  regexSql(pattern?.sql ?? sql`''`, typeof pattern?.constant === 'string' ? pattern.constant : null);

/** What a constant pattern makes of a text, or a pattern of the row. */
const withPattern = (text: Sql, pattern: SqlValue | undefined, build: (pattern: Sql) => Sql): Sql =>
  typeof pattern?.constant === 'string'
    ? byCharacters(text, pattern.constant, build)
    : build(regexOf(pattern));

const cutAt = (text: Sql, before: string, pattern: Sql, after: string): Sql =>
  sql`replaceRegexpOne(${text}, concat(${textParameter(before)}, ${pattern}, ${textParameter(after)}), '')`;

const anchored =
  (before: string, after: string): Builder =>
  (args) =>
    withPattern(arg(args, 1), args[0], (pattern) => cutAt(arg(args, 1), before, pattern, after));

const extract: Builder = (args) =>
  extractSql(arg(args, 2), constantText(args, 0), constantNumber(args, 1, 0));

/** The numbers of the groups that an array names by number or by name. */
function wantedGroups(pattern: string, list: unknown): number[] {
  const names = [...pattern.matchAll(/\\[\s\S]|\((?!\?)|\(\?P?<(\w+)>/g)].filter(
    (one) => !one[0].startsWith('\\'),
  );
  const parsed: unknown = typeof list === 'string' ? JSON.parse(list) : [];
  const wanted = Array.isArray(parsed) ? parsed : [parsed];
  return wanted.map((one) =>
    typeof one === 'number' ? one : names.findIndex((name) => name[1] === one) + 1,
  );
}

const extractAll: Builder = (args) => {
  const given = constantText(args, 0);
  const count = captureGroups(given);
  const wanted = args[2] ? wantedGroups(given, args[2].constant) : null;
  const positions = wanted ?? Array.from({ length: Math.max(count, 1) }, (_, index) => index + 1);
  if (positions.length === 0 || positions.some((position) => position < 1 || position > Math.max(count, 1)))
    return sql`NULL`;
  const found = byCharacters(
    arg(args, 1),
    count === 0 ? `(${given})` : given,
    (pattern) => sql`extractAllGroupsVertical(${arg(args, 1)}, ${pattern})`,
  );
  const group = (position: number): Sql => sql`g[${parameter('Int64', String(position))}]`;
  const [first] = positions;
  const cells = positions.length === 1 && first ? group(first) : sql`[${commaList(positions.map(group))}]`;
  return sql`if(empty(${found}), NULL, toJSONString(arrayMap(g -> ${cells}, ${found})))`;
};

/** Zero-based start, counted from the end when negative. */
const substring: Builder = (args) => {
  const start = arg(args, 1);
  const from = sql`if(${start} >= 0, ${start} + 1, greatest(${start} + toInt64(lengthUTF8(${arg(args, 0)})) + 1, 1))`;
  if (!args[2]) return sql`substringUTF8(${arg(args, 0)}, ${from})`;
  return sql`if(${arg(args, 2)} <= 0, '', substringUTF8(${arg(args, 0)}, ${from}, greatest(${arg(args, 2)}, 0)))`;
};

/**
 * The parts of a text between delimiters. The engine cuts at a constant only: a delimiter of the row becomes a byte
 * that no text holds first.
 */
const cutBy = (delimiter: SqlValue | undefined, text: Sql): Sql =>
  typeof delimiter?.constant === 'string'
    ? sql`splitByString(${delimiter.sql}, ${text})`
    : sql`splitByString(char(255), replaceAll(${text}, ${delimiter?.sql ?? sql`''`}, char(255)))`;

/** Texts joined by a delimiter, of which the engine takes constants only. */
const joinedBy = (delimiter: SqlValue | undefined, texts: Sql): Sql => {
  if (!delimiter) return sql`arrayStringConcat(${texts}, '')`;
  return typeof delimiter.constant === 'string'
    ? sql`arrayStringConcat(${texts}, ${delimiter.sql})`
    : sql`substring(arrayStringConcat(arrayMap(j -> concat(${delimiter.sql}, j), ${texts})), length(${delimiter.sql}) + 1)`;
};

/** The position of an occurrence after a start, within a length; -1 when there is none, null for a bad argument. */
const indexOf: Builder = (args) => {
  const [text, needle] = [arg(args, 0), arg(args, 1)];
  if (args.length === 2) return sql`(toInt64(positionUTF8(${text}, ${needle})) - 1)`;
  const given = arg(args, 2);
  const start = sql`if(${given} < 0, greatest(${given} + toInt64(lengthUTF8(${text})), 0), ${given})`;
  const length = args[3]?.sql ?? sql`-1`;
  const rest = sql`if(${length} < 0, substringUTF8(${text}, ${start} + 1), substringUTF8(${text}, ${start} + 1, greatest(${length}, 0)))`;
  const occurrence = args[4]?.sql ?? sql`1`;
  const parts = cutBy(args[1], rest);
  const before = sql`(toInt64(arraySum(p -> lengthUTF8(p), arraySlice(${parts}, 1, ${occurrence}))) + (${occurrence} - 1) * toInt64(lengthUTF8(${needle})))`;
  const found = sql`if(toInt64(length(${parts})) > ${occurrence}, ${before} + ${start}, -1)`;
  const nothing = sql`if(${start} <= toInt64(lengthUTF8(${text})), ${start}, -1)`;
  return sql`multiIf(${length} < -1 OR ${occurrence} < 1, NULL, ${needle} = '', ${nothing}, ${found})`;
};

/** Like `indexof`, by a regular expression whose matches do not overlap. */
const indexOfRegex: Builder = (args) => {
  const [text, pattern] = [arg(args, 0), regexOf(args[1])];
  const start = args[2]?.sql ?? sql`0`;
  const length = args[3]?.sql ?? sql`-1`;
  const occurrence = args[4]?.sql ?? sql`1`;
  const rest = sql`if(${length} < 0, substringUTF8(${text}, ${start} + 1), substringUTF8(${text}, ${start} + 1, greatest(${length}, 0)))`;
  // The position of match n: what stands before it, with a mark that no text holds in its stead.
  const marked = sql`splitByString(char(0, 1, 0), replaceRegexpAll(${rest}, concat('(', ${pattern}, ')'), concat(char(0, 1, 0), '\\\\1', char(0, 2, 0))))`;
  const before = sql`arrayStringConcat(arrayMap(x -> replaceOne(x, char(0, 2, 0), ''), arraySlice(${marked}, 1, ${occurrence})))`;
  const found = sql`if(toInt64(length(${marked})) > ${occurrence}, toInt64(lengthUTF8(${before})) + ${start}, -1)`;
  return sql`if(${start} < 0 OR ${length} < -1 OR ${occurrence} < 1, NULL, ${found})`;
};

/** Each match of a lookup in its place, the earlier lookup first; what it became is not looked at again. */
const replaceStrings: Builder = (args) => {
  const text = arg(args, 0);
  const [lookups, rewrites] = [jsonArraySql(arg(args, 1)), jsonArraySql(arg(args, 2))];
  const words = sql`arrayMap(l -> if(startsWith(l, '"'), JSONExtractString(l), ''), ${lookups})`;
  const pattern = sql`concat('(?s)(', arrayStringConcat(arrayMap(w -> regexpQuoteMeta(w), arrayFilter(f -> f != '', ${words})), '|'), ')')`;
  const pieces = sql`splitByChar(char(1), replaceRegexpAll(replaceAll(replaceAll(${text}, char(2), char(2, 3)), char(1), char(2, 4)), ${pattern}, concat(char(1), '\\\\1', char(1))))`;
  const rewrite = sql`${rewrites}[indexOf(${words}, p)]`;
  const kept = sql`replaceAll(replaceAll(p, char(2, 4), char(1)), char(2, 3), char(2))`;
  const changed = sql`if(modulo(i, 2) = 1, ${kept}, if(startsWith(${rewrite}, '"'), JSONExtractString(${rewrite}), p))`;
  return sql`if(arrayExists(e -> e != '', ${words}), arrayStringConcat(arrayMap((p, i) -> ${changed}, ${pieces}, arrayEnumerate(${pieces}))), ${text})`;
};

const codePoint = (code: Sql): Sql =>
  sql`multiIf(${code} < 128, char(${code}), ${code} < 2048, char(192 + intDiv(${code}, 64), 128 + modulo(${code}, 64)), ${code} < 65536, char(224 + intDiv(${code}, 4096), 128 + modulo(intDiv(${code}, 64), 64), 128 + modulo(${code}, 64)), char(240 + intDiv(${code}, 262144), 128 + modulo(intDiv(${code}, 4096), 64), 128 + modulo(intDiv(${code}, 64), 64), 128 + modulo(${code}, 64)))`;

/** A text from code points, given one by one or in arrays. */
const fromCodePoints: Builder = (args) => {
  const lists = args.map(
    (one): Sql =>
      one.type === 'dynamic'
        ? sql`if(startsWith(ifNull(${one.sql}, ''), '['), ${jsonArraySql(one.sql)}, [ifNull(${one.sql}, '')])`
        : sql`[ifNull(toString(${one.sql}), '')]`,
  );
  const all = lists.reduce((one, other): Sql => sql`arrayConcat(${one}, ${other})`);
  return sql`arrayStringConcat(arrayMap(c -> ${codePoint(sql`toUInt32OrZero(c)`)}, arrayFilter(d -> toUInt32OrZero(d) BETWEEN 1 AND 1114111, ${all})))`;
};

/** Plain occurrences may overlap, those of an expression do not. */
const countOf: Builder = (args) => {
  const [text, needle] = [arg(args, 0), arg(args, 1)];
  if (constantText(args, 2) === 'regex') return sql`countMatches(${text}, ${regexOf(args[1])})`;
  const places = sql`range(1, toUInt64(greatest(toInt64(length(${text})) - toInt64(length(${needle})) + 2, 1)))`;
  return sql`if(${needle} = '', 0, arrayCount(i -> substring(${text}, i, length(${needle})) = ${needle}, ${places}))`;
};

const split: Builder = (args) => {
  const [text, delimiter] = [arg(args, 0), arg(args, 1)];
  const parts = sql`if(${text} = '', [''], if(${delimiter} = '', [${text}], ${cutBy(args[1], text)}))`;
  if (!args[2]) return sql`toJSONString(${parts})`;
  const place = arg(args, 2);
  return sql`if(${place} BETWEEN 0 AND toInt64(length(${parts})) - 1, toJSONString([${parts}[${place} + 1]]), NULL)`;
};

/** Characters one for one; when the second list is shorter its last character stands for the rest. */
const translate: Builder = (args) => {
  const from = [...new Set([...constantText(args, 0)])];
  const to = [...constantText(args, 1)];
  const last = to.at(-1) ?? '';
  const places = [...constantText(args, 0)];
  const targets = from.map((one) => to[places.indexOf(one)] ?? last);
  if (from.length === 0) return arg(args, 2);
  return sql`arrayStringConcat(arrayMap(c -> transform(c, ${parameter('Array(String)', from)}, ${parameter('Array(String)', targets)}, c), extractAll(${arg(args, 2)}, '(?s).')))`;
};

const concatenated = (args: readonly SqlValue[]): Sql => {
  const [first, ...rest] = args.map((one) => one.sql);
  return rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ${other})`, first ?? sql`''`);
};

const between = (args: readonly SqlValue[]): Sql => {
  const [delimiter, first, ...rest] = args.map((one) => one.sql);
  const glue = delimiter ?? sql`''`;
  return rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ${glue}, ${other})`, first ?? sql`''`);
};

const BYTE_UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

const formatBytes: Builder = (args) => {
  const size = arg(args, 0);
  const digits = parameter('UInt8', Math.max(0, constantNumber(args, 1, 0)));
  const wanted = BYTE_UNITS.findIndex((unit) => unit.toLowerCase() === constantText(args, 2).toLowerCase());
  const power =
    wanted >= 0
      ? parameter('UInt8', wanted)
      : sql`toUInt8(if(abs(${size}) < 1024, 0, least(6, floor(log2(abs(${size})) / 10))))`;
  const units = sql`['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'][${power} + 1]`;
  return sql`concat(toString(round(${size} / pow(1024, ${power}), ${digits})), ' ', ${units})`;
};

/** Strings, regular expressions and encodings. */
export const STRING_BUILDERS: Readonly<Record<string, Builder>> = {
  ...ENCODING_BUILDERS,
  strlen: (args) => sql`lengthUTF8(${arg(args, 0)})`,
  string_size: (args) => sql`length(${arg(args, 0)})`,
  tolower: (args) => sql`lowerUTF8(${arg(args, 0)})`,
  toupper: (args) => sql`upperUTF8(${arg(args, 0)})`,
  strcat: concatenated,
  strcat_delim: between,
  strcat_array: (args) =>
    joinedBy(
      args[1],
      sql`arrayMap(x -> if(x = 'null', '', ${jsonTextSql(sql`x`)}), ${jsonArraySql(arg(args, 0))})`,
    ),
  strcmp: (args) =>
    sql`if(${arg(args, 0)} = ${arg(args, 1)}, 0, if(${arg(args, 0)} < ${arg(args, 1)}, -1, 1))`,
  strrep: (args) => {
    const value = args[0] ? textSql(args[0]) : sql`''`;
    const times = sql`toUInt64(least(greatest(${arg(args, 1)}, 0), 1024))`;
    return joinedBy(args[2], sql`arrayWithConstant(${times}, ifNull(toString(${value}), ''))`);
  },
  substring,
  indexof: indexOf,
  indexof_regex: indexOfRegex,
  countof: countOf,
  reverse: (args) => sql`reverseUTF8(${arg(args, 0)})`,
  replace_string: (args) =>
    sql`if(${arg(args, 1)} = '', ${arg(args, 0)}, replaceAll(${arg(args, 0)}, ${arg(args, 1)}, ${arg(args, 2)}))`,
  replace_regex: (args) =>
    withPattern(
      arg(args, 0),
      args[1],
      (pattern) => sql`replaceRegexpAll(${arg(args, 0)}, ${pattern}, ${arg(args, 2)})`,
    ),
  replace_strings: replaceStrings,
  unicode_codepoints_to_string: fromCodePoints,
  split,
  trim: (args) =>
    withPattern(arg(args, 1), args[0], (pattern) =>
      cutAt(cutAt(arg(args, 1), '^(?:', pattern, ')'), '(?:', pattern, ')$'),
    ),
  trim_start: anchored('^(?:', ')'),
  trim_end: anchored('(?:', ')$'),
  extract,
  extract_all: extractAll,
  parse_capture: (args) => {
    const whole = constantText(args, 1);
    return sql`extractGroups(${arg(args, 0)}, ${textParameter(whole)})[${parameter('Int64', String(constantNumber(args, 2, 1)))}]`;
  },
  regex_quote: (args) => sql`regexpQuoteMeta(${arg(args, 0)})`,
  translate,
  isempty: (args) => emptiness(args, true),
  isnotempty: (args) => emptiness(args, false),
  isascii: (args) => sql`NOT match(${arg(args, 0)}, '[^\\\\x00-\\\\x7F]')`,
  isutf8: (args) => sql`isValidUTF8(${arg(args, 0)})`,
  to_utf8: (args) =>
    sql`toJSONString(arrayMap(c -> reinterpretAsUInt32(reverse(reverse(convertCharset(c, 'utf-8', 'utf-32le')))), extractAll(${arg(args, 0)}, '(?s).')))`,
  has_any_index: (args) =>
    sql`(toInt64(arrayFirstIndex(x -> match(${arg(args, 0)}, concat('(?is)(?:^|[^0-9A-Za-z\\\\x{80}-\\\\x{10FFFF}])', regexpQuoteMeta(${jsonTextSql(sql`x`)}), '(?:$|[^0-9A-Za-z\\\\x{80}-\\\\x{10FFFF}])')), ${jsonArraySql(arg(args, 1))})) - 1)`,
  format_bytes: formatBytes,
  parse_csv: (args) => {
    const record = sql`extract(${arg(args, 0)}, '^(?:"(?:[^"]|"")*"|[^"\\r\\n])*')`;
    return sql`toJSONString(arrayMap(f -> if(startsWith(f, '"'), replaceAll(substring(f, 2, length(f) - 2), '""', '"'), f), extractAll(${record}, '(?:^|,)("(?:[^"]|"")*"|[^,]*)')))`;
  },
  parse_version: (args) => {
    const parts = sql`splitByChar('.', ${arg(args, 0)})`;
    const part = (index: Sql): Sql => sql`leftPad(toString(toUInt32OrZero(${parts}[${index}])), 8, '0')`;
    const text = sql`concat(toString(toUInt32OrZero(${parts}[1])), ${part(sql`2`)}, ${part(sql`3`)}, ${part(sql`4`)})`;
    return sql`if(match(${arg(args, 0)}, '^[0-9]{1,8}([.][0-9]{1,8}){0,3}$'), toDecimal256OrNull(${text}, 20), NULL)`;
  },
};

/** Only text can be empty; of other types the null counts as empty. */
function emptiness(args: readonly SqlValue[], wanted: boolean): Sql {
  const [value] = args;
  if (!value) return sql`false`;
  const empty =
    value.type === 'string'
      ? sql`(${value.sql} = '')`
      : value.type === 'dynamic'
        ? sql`(ifNull(${value.sql}, '""') IN ('""', ''))`
        : sql`isNull(${value.sql})`;
  return wanted ? empty : sql`NOT ${empty}`;
}
