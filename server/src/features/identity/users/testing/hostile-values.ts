import { gzipSync } from 'node:zlib';
import type { Json } from './valid-sample.ts';

// What a hostile caller sends. `raw()` is text that stands in the JSON as it is, for what JSON.stringify cannot write.

const MARK = '@@raw@@';

/** A value that is written into the body as this text. */
const raw = (text: string): string => `${MARK}${text}${MARK}`;

/** The body of a value, raw parts as they are. */
export function bodyText(value: unknown): string {
  return JSON.stringify(value ?? null).replace(
    new RegExp(`"${MARK}(.*?)${MARK}"`, 'gs'),
    (_all, text: string) => text.replaceAll('\\"', '"'),
  );
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const manyFields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;

/** Texts that some store, parser, page or spreadsheet behind the calls may trip over. */
export const HOSTILE_TEXTS: readonly string[] = [
  '\ud800',
  'a\udc00b',
  '\0',
  'x\0y',
  '',
  ' ',
  '\t\r\nSet-Cookie: a=b',
  `'; drop table person; --`,
  `" or 1=1 \\ %_%`,
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
  '((((((((((',
  '(a+)+$',
  '[^',
  '=1+1',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../../etc/passwd',
  '{{7*7}}{p0:String}',
  '\u202Eabc\u200b\u2066',
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(20),
  'İıſK',
  'NaN',
  'Infinity',
  '1e999',
  '-0',
  '9223372036854775808',
  'null',
  '*',
  'all',
  'admin',
  '.show tables',
  '0001-01-01T00:00:00Z',
  '\u{10FFFF}',
  '\uFEFFa',
];

export const HOSTILE_NUMBERS: readonly unknown[] = [
  raw('1e308'),
  raw('1e400'),
  raw('-0'),
  raw('9223372036854775808'),
  raw('-9223372036854775809'),
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  2 ** 32,
  -(2 ** 31) - 1,
  8_640_000_000_000_000,
  8_640_000_000_000_001,
  253_402_300_800_000,
  2_147_483_647,
  -1,
  0,
  0.1,
];

/** Values of a shape that was not asked for. */
export const HOSTILE_SHAPES: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [null],
  [[]],
  { a: {} },
  raw('{"__proto__":{"isRoot":true}}'),
  raw('{"constructor":{"prototype":{"isRoot":true}}}'),
  raw('{"toString":1,"hasOwnProperty":2,"length":3}'),
  raw('{"a":1,"a":{"a":2}}'),
  raw('{"\\ud800":1}'),
  raw('{"a\\u0000b":1}'),
  raw(nested(40)),
  ['a', 1, null, {}],
];

/** Large ones: each is sent once to every call. */
export const HUGE_VALUES: readonly unknown[] = [
  raw(nested(100_000)),
  raw(manyFields(100_000)),
  'x'.repeat(1_000_000),
];

/** A text exactly as long as a field allows, of characters that take the most bytes, and one that is longer by one. */
export function longestTexts(schema: Json): readonly string[] {
  const most = Number(schema.maxLength ?? 0);
  return most > 0 && most <= 70_000 ? ['\u{FFFD}'.repeat(most), 'x'.repeat(most + 1)] : [];
}

export interface HostileBody {
  readonly name: string;
  readonly payload: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Whole bodies that are not what the call takes, whatever it takes; made from one that is. */
export function hostileBodies(valid: string): readonly HostileBody[] {
  const body = (
    name: string,
    payload: string | Buffer,
    headers: Readonly<Record<string, string>> = JSON_TYPE,
  ) => ({
    name,
    payload,
    headers,
  });
  return [
    body('no body', ''),
    body('truncated', valid.slice(0, -1)),
    body('null', 'null'),
    body('a list', '[]'),
    body('a text', '"text"'),
    body('a number', '1e400'),
    body('invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    body('prototype', '{"__proto__":{"isRoot":true}}'),
    body('XML', '<a/>', { 'content-type': 'application/xml' }),
    body('a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    body('no type', valid, { 'content-type': '' }),
    body('gzip as JSON', gzipSync(valid)),
    body('JSON as gzip', valid, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    body('another charset', valid, { 'content-type': 'application/json; charset=utf-16' }),
  ];
}
