import { parameter, type Sql, sql, textParameter } from '../sql.ts';
import { plainValue, type SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { jsonArraySql, jsonTextSql } from './json-sql.ts';

// Addresses. A prefix in the text (`10.1.2.3/24`) masks the address; an address that is none gives null.

const addressPart = (text: Sql): Sql => sql`trimBoth(splitByChar('/', ${text})[1])`;

/** The length of the prefix in the text: 32 without one, NULL for one that is none. */
function prefixOf(text: Sql, longest: Sql): Sql {
  const given = sql`toUInt8OrNull(splitByChar('/', ${text})[2])`;
  return sql`if(position(${text}, '/') = 0, ${longest}, if(${given} <= ${longest}, ${given}, NULL))`;
}

const masked = (number: Sql, prefix: Sql): Sql =>
  sql`bitAnd(${number}, bitShiftLeft(toInt64(4294967295), toUInt8(32 - ${prefix})))`;

const number4 = (text: Sql): Sql => sql`toInt64(toUInt32(toIPv4OrNull(${addressPart(text)})))`;

/** The shorter of two prefixes; null when one of them is. */
const shorter = (one: Sql, other: Sql): Sql =>
  sql`if(isNull(${one}) OR isNull(${other}), NULL, least(${one}, ${other}))`;

/** A prefix given as an argument; null outside its range. */
const prefixArgument = (args: readonly SqlValue[], index: number, longest: Sql): Sql =>
  sql`if(${arg(args, index)} BETWEEN 0 AND ${longest}, toUInt8(${arg(args, index)}), NULL)`;

/** An IPv4 address as a number, masked by its own prefix. */
const network4 = (text: Sql): Sql =>
  sql`bitAnd(${masked(number4(text), prefixOf(text, sql`32`))}, 4294967295)`;

/** Both addresses under the shortest of all prefixes. */
function compared(args: readonly SqlValue[]): { readonly one: Sql; readonly other: Sql } {
  const [left, right] = [arg(args, 0), arg(args, 1)];
  const own = shorter(prefixOf(left, sql`32`), prefixOf(right, sql`32`));
  const prefix = args[2] ? shorter(own, prefixArgument(args, 2, sql`32`)) : own;
  const under = (text: Sql): Sql => sql`bitAnd(${masked(number4(text), prefix)}, 4294967295)`;
  return { one: under(left), other: under(right) };
}

const inRange = (address: Sql, range: Sql): Sql => {
  const prefix = prefixOf(range, sql`32`);
  const under = (text: Sql): Sql => sql`bitAnd(${masked(number4(text), prefix)}, 4294967295)`;
  return sql`(${under(address)} = ${under(range)})`;
};

const RANGE = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\/(0|[1-9]\d?)$/;

type Bounds = readonly [first: number, last: number];

/** The first and last number of a range that is written in the query; null for one that the engine has to read. */
function boundsOf(constant: SqlValue['constant']): Bounds | null {
  const [, ...written] = (typeof constant === 'string' && RANGE.exec(constant)) || [];
  const [a = 256, b = 256, c = 256, d = 256, prefix = 33] = written.map(Number);
  if (Math.max(a, b, c, d) > 255 || prefix > 32) return null;
  const size = 2 ** (32 - prefix);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = address - (address % size);
  return [first, first + size - 1];
}

/** A range that is written in the query is compared by its bounds. */
function inKnownRange(address: Sql, range: SqlValue | undefined): Sql {
  const bounds = boundsOf(range?.constant);
  if (!bounds) return inRange(address, range?.sql ?? sql`''`);
  const [first, last] = bounds.map((bound) => parameter('Int64', String(bound)));
  return sql`(${number4(address)} BETWEEN ${first ?? sql`0`} AND ${last ?? sql`0`})`;
}

/** The first and last of what a range holds. */
type Range = readonly [first: number | string, last: number | string];

/** The bounds of all arguments after the first, at least so many; null where one of them is for the engine to read. */
function boundsOfAll<T extends Range>(
  args: readonly SqlValue[],
  boundsOfOne: (constant: SqlValue['constant']) => T | null,
  least: number,
): readonly T[] | null {
  const bounds = args.slice(1).map(({ constant }) => boundsOfOne(constant));
  const known = bounds.filter((one) => one !== null);
  return known.length >= least && known.length === bounds.length ? known : null;
}

/** Ranges that are written in the query by one test, so that the text of the query stays short. */
function inKnownRanges(value: Sql, type: 'Int64' | 'IPv6', ranges: readonly Range[]): Sql {
  const bounds = (at: 0 | 1): Sql =>
    parameter(
      `Array(${type})`,
      ranges.map((range) => range[at]),
    );
  return sql`if(isNull(${value}), NULL, arrayExists((first, last) -> assumeNotNull(${value}) BETWEEN first AND last, ${bounds(0)}, ${bounds(1)}))`;
}

const PRIVATE: readonly Sql[] = [
  sql`BETWEEN 167772160 AND 184549375`,
  sql`BETWEEN 2886729728 AND 2887778303`,
  sql`BETWEEN 3232235520 AND 3232301055`,
];

const isPrivate: Builder = (args) => {
  const first = network4(arg(args, 0));
  const tests = PRIVATE.map((range): Sql => sql`(${first} ${range})`);
  return tests.reduce((one, other): Sql => sql`(${one} OR ${other})`);
};

/** The sixteen bytes of an address of either kind. */
const bytes6 = (text: Sql): Sql => {
  const address = addressPart(text);
  return sql`if(position(${address}, ':') > 0, toIPv6OrNull(${address}), toIPv6OrNull(concat('::ffff:', ${address})))`;
};

const groups6 = (bytes: Sql): Sql =>
  sql`lower(arrayStringConcat(arrayMap(i -> substring(hex(${bytes}), i * 4 + 1, 4), range(8)), ':'))`;

const RANGE6 = /^([0-9a-f:.]+)\/(\d{1,3})$/i;

type Bounds6 = readonly [first: string, last: string];

/** The number of an address of IPv6; null for a text that is none. */
function number6(text: string): bigint | null {
  // A host in brackets is an address of IPv6 by the standard of URLs, or none at all.
  if (!URL.canParse(`http://[${text}]/`)) return null;
  const [front = '', back] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const [left, right] = [front, back ?? ''].map((part) => part.split(':').filter(Boolean));
  const groups = [...(left ?? []), ...Array<string>(8).fill('0')].slice(0, 8 - (right?.length ?? 0));
  return BigInt(`0x${[...groups, ...(right ?? [])].map((group) => group.padStart(4, '0')).join('')}`);
}

const address6 = (number: bigint): string =>
  (number.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');

/** The first and last address of a range that is written in the query; null for one that the engine has to read. */
function boundsOf6(constant: SqlValue['constant']): Bounds6 | null {
  const [, written = '', prefix = '129'] = (typeof constant === 'string' && RANGE6.exec(constant)) || [];
  const address = number6(written);
  if (address === null || Number(prefix) > 128) return null;
  const size = 1n << BigInt(128 - Number(prefix));
  const first = address - (address % size);
  return [address6(first), address6(first + size - 1n)];
}

/** A range that is written in the query is compared by its bounds; null for one that the engine has to read. */
function inKnownRange6(address: Sql, range: SqlValue['constant']): Sql | null {
  const bounds = boundsOf6(range);
  if (!bounds) return null;
  const [first, last] = bounds.map((bound) => sql`toIPv6(${textParameter(bound)})`);
  return sql`(${bytes6(address)} BETWEEN ${first ?? sql`''`} AND ${last ?? sql`''`})`;
}

/** A prefix of an IPv4 address counts from bit 96 of the whole. */
const prefix6 = (text: Sql): Sql => {
  const given = sql`toUInt8OrNull(splitByChar('/', ${text})[2])`;
  const counted = sql`if(position(${text}, ':') > 0, ${given}, if(${given} <= 32, ${given} + 96, NULL))`;
  return sql`if(position(${text}, '/') = 0, 128, if(${counted} <= 128, ${counted}, NULL))`;
};

const network6 = (text: Sql, prefix: Sql): Sql =>
  sql`tupleElement(IPv6CIDRToRange(assumeNotNull(ifNull(${bytes6(text)}, toIPv6('::'))), toUInt8(ifNull(${prefix}, 128))), 1)`;

const parsed6 = (text: Sql, prefix: Sql): Sql =>
  sql`if(isNull(${bytes6(text)}) OR isNull(${prefix}), '', ${groups6(network6(text, prefix))})`;

function compared6(args: readonly SqlValue[]): {
  readonly valid: Sql;
  readonly one: Sql;
  readonly other: Sql;
} {
  const [left, right] = [arg(args, 0), arg(args, 1)];
  const own = shorter(prefix6(left), prefix6(right));
  const prefix = args[2] ? shorter(own, prefixArgument(args, 2, sql`128`)) : own;
  return {
    valid: sql`(isNotNull(${bytes6(left)}) AND isNotNull(${bytes6(right)}) AND isNotNull(${own}))`,
    one: network6(left, prefix),
    other: network6(right, prefix),
  };
}

/** An address from text or a number, under a prefix. */
function formatted(args: readonly SqlValue[], withPrefix: boolean): Sql {
  const [value] = args;
  const isText = value?.type === 'string' || value?.type === 'dynamic';
  const text = value?.type === 'dynamic' ? jsonTextSql(arg(args, 0)) : arg(args, 0);
  const number = isText
    ? number4(text)
    : sql`if(${arg(args, 0)} BETWEEN 0 AND 4294967295, ${arg(args, 0)}, NULL)`;
  const own = isText ? prefixOf(text, sql`32`) : sql`32`;
  const prefix = args[1] ? shorter(own, prefixArgument(args, 1, sql`32`)) : own;
  const address = sql`IPv4NumToString(toUInt32(bitAnd(${masked(number, prefix)}, 4294967295)))`;
  return withPrefix ? sql`concat(${address}, '/', toString(${prefix}))` : address;
}

/** A list of texts given one by one or as one dynamic array. */
const listed = (args: readonly SqlValue[]): Sql => {
  const lists = args.map(
    (one): Sql =>
      one.type === 'dynamic'
        ? sql`arrayMap(x -> ${jsonTextSql(sql`x`)}, if(startsWith(ifNull(${one.sql}, ''), '['), ${jsonArraySql(one.sql)}, [ifNull(${one.sql}, '')]))`
        : sql`[${one.sql}]`,
  );
  return lists.reduce(
    (one, other): Sql => sql`arrayConcat(${one}, ${other})`,
    sql`CAST([], 'Array(String)')`,
  );
};

/** An address stands in the text between characters that are neither letters nor digits. */
const hasAddress = (text: Sql, address: Sql): Sql =>
  sql`(isIPv4String(${address}) AND match(${text}, concat('(?:^|[^0-9A-Za-z])', regexpQuoteMeta(${address}), '(?:$|[^0-9A-Za-z])')))`;

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const PREFIX4 = textParameter(`^${OCTET}[.](?:${OCTET}[.](?:${OCTET}[.]?)?)?$`);
const ENDINGS = [`${OCTET}`, `${OCTET}[.]${OCTET}`, `${OCTET}[.]${OCTET}[.]${OCTET}`].map(textParameter);

/** A prefix ends with a dot or is a whole address; the rest of the address follows it in the text. */
const hasPrefix = (text: Sql, prefix: Sql): Sql => {
  const dots = sql`countSubstrings(${prefix}, '.')`;
  const rest = sql`multiIf(${dots} = 3, ${ENDINGS[0] ?? sql`''`}, ${dots} = 2, ${ENDINGS[1] ?? sql`''`}, ${ENDINGS[2] ?? sql`''`})`;
  const found = sql`match(${text}, concat('(?:^|[^0-9A-Za-z])', regexpQuoteMeta(${prefix}), ${rest}, '(?:$|[^0-9A-Za-z])'))`;
  return sql`if(endsWith(${prefix}, '.'), match(${prefix}, ${PREFIX4}) AND ${found}, ${hasAddress(text, prefix)})`;
};

/** The largest aligned blocks that make up a range, from its start. */
const rangeBlocks: Builder = (args) => {
  const [from, to] = [number4(arg(args, 0)), number4(arg(args, 1))];
  const bits = sql`arrayMax(arrayFilter(k -> bitAnd(s.1, bitShiftLeft(toInt64(1), k) - 1) = 0 AND s.1 + bitShiftLeft(toInt64(1), k) - 1 <= s.2, range(33)))`;
  const block = sql`concat(IPv4NumToString(toUInt32(s.1)), '/', toString(32 - ${bits}))`;
  const step = sql`if(s.1 > s.2, s, (s.1 + bitShiftLeft(toInt64(1), ${bits}), s.2, arrayPushBack(s.3, ${block})))`;
  const start = sql`(ifNull(${from}, toInt64(1)), ifNull(${to}, toInt64(0)), CAST([], 'Array(String)'))`;
  const folded = sql`arrayFold((s, i) -> ${step}, range(64), ${start})`;
  return sql`if(isNull(${from}) OR isNull(${to}) OR ${from} > ${to}, NULL, toJSONString(${folded}.3))`;
};

/** Addresses and networks. */
export const NETWORK_BUILDERS: Readonly<Record<string, Builder>> = {
  parse_ipv4: (args) => network4(arg(args, 0)),
  parse_ipv4_mask: (args) =>
    sql`bitAnd(${masked(number4(arg(args, 0)), shorter(prefixOf(arg(args, 0), sql`32`), prefixArgument(args, 1, sql`32`)))}, 4294967295)`,
  parse_ipv6: (args) => parsed6(arg(args, 0), prefix6(arg(args, 0))),
  parse_ipv6_mask: (args) =>
    parsed6(arg(args, 0), shorter(prefix6(arg(args, 0)), prefixArgument(args, 1, sql`128`))),
  format_ipv4: (args) => formatted(args, false),
  format_ipv4_mask: (args) => formatted(args, true),
  ipv4_compare: (args) => {
    const { one, other } = compared(args);
    return sql`multiIf(isNull(${one}) OR isNull(${other}), NULL, ${one} < ${other}, -1, ${one} > ${other}, 1, 0)`;
  },
  ipv4_is_match: (args) => {
    const { one, other } = compared(args);
    return sql`(${one} = ${other})`;
  },
  ipv4_is_private: isPrivate,
  ipv4_is_in_range: (args) => inKnownRange(arg(args, 0), args[1]),
  ipv4_is_in_any_range: (args) => {
    const address = arg(args, 0);
    const known = boundsOfAll(args, boundsOf, 2);
    if (known) return inKnownRanges(number4(address), 'Int64', known);
    const tests = args
      .slice(1)
      .map(
        (one): Sql =>
          one.type === 'dynamic'
            ? sql`arrayExists(r -> ifNull(${inRange(address, jsonTextSql(sql`r`))}, false), ${jsonArraySql(one.sql)})`
            : sql`ifNull(${inKnownRange(address, one)}, false)`,
      );
    const any = tests.reduce((one, other): Sql => sql`(${one} OR ${other})`);
    return sql`if(isNull(${number4(address)}), NULL, ${any})`;
  },
  ipv4_netmask_suffix: (args) =>
    sql`if(isNull(${number4(arg(args, 0))}), NULL, toInt64(${prefixOf(arg(args, 0), sql`32`)}))`,
  ipv6_compare: (args) => {
    const { valid, one, other } = compared6(args);
    return sql`if(${valid}, multiIf(${one} < ${other}, -1, ${one} > ${other}, 1, 0), NULL)`;
  },
  ipv6_is_match: (args) => {
    const { valid, one, other } = compared6(args);
    return sql`if(${valid}, ${one} = ${other}, NULL)`;
  },
  ipv6_is_in_range: (args) => {
    const known = inKnownRange6(arg(args, 0), args[1]?.constant);
    if (known) return known;
    const { valid, one, other } = compared6(args.slice(0, 2));
    return sql`if(${valid}, ${one} = ${other}, NULL)`;
  },
  ipv6_is_in_any_range: (args) => {
    const address = arg(args, 0);
    const known = boundsOfAll(args, boundsOf6, 1);
    if (known) return inKnownRanges(bytes6(address), 'IPv6', known);
    const { valid, one, other } = compared6([
      plainValue('string', address, false),
      plainValue('string', sql`r`, false),
    ]);
    const any = sql`arrayExists(r -> ifNull(${valid} AND ${one} = ${other}, false), ${listed(args.slice(1))})`;
    return sql`if(isNull(${bytes6(address)}), NULL, ${any})`;
  },
  ipv4_range_to_cidr_list: rangeBlocks,
  has_ipv4: (args) => hasAddress(arg(args, 0), arg(args, 1)),
  has_any_ipv4: (args) =>
    sql`arrayExists(a -> ${hasAddress(arg(args, 0), sql`a`)}, ${listed(args.slice(1))})`,
  has_ipv4_prefix: (args) => hasPrefix(arg(args, 0), arg(args, 1)),
  has_any_ipv4_prefix: (args) =>
    sql`arrayExists(a -> ${hasPrefix(arg(args, 0), sql`a`)}, ${listed(args.slice(1))})`,
};
