import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseEventTime } from '../normalise/event-time.ts';
import { parseJsonRecord } from '../normalise/parse-json-record.ts';
import { scanJsonObjects } from './json-values.ts';
import { splitLines, splitUtf8Lines } from './split-lines.ts';
import { SyslogStream } from './syslog-stream.ts';

it('finds every object however the objects are joined, and the text of its event', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const joint = fc.constantFrom('', ' ', '\n', ',', '\r\n\t');
  fc.assert(
    fc.property(
      fc.array(object, { minLength: 1, maxLength: 8 }),
      joint,
      fc.jsonValue(),
      (objects, between, event) => {
        const written = objects.map((one) => JSON.stringify({ ...one, event }));
        const text = written.join(between);
        const { slices, brokenAt } = scanJsonObjects(text);
        expect(brokenAt).toBeUndefined();
        expect(slices.map(({ start, end }) => text.slice(start, end))).toEqual(written);
        for (const slice of slices)
          expect(text.slice(slice.event?.start, slice.event?.end)).toBe(JSON.stringify(event));
        expect(scanJsonObjects(`[${written.join(',')}]`).slices).toHaveLength(objects.length);
      },
    ),
  );
});

it('says where a text stops being objects', () => {
  expect(scanJsonObjects('{"a":1} x').brokenAt).toBe(8);
  expect(scanJsonObjects('{"a":1}{"b":').brokenAt).toBe(7);
  expect(scanJsonObjects('[{"a":1}').brokenAt).toBe(8);
});

it('cuts lines at LF and CR LF, without empty ones and without a byte order mark', () => {
  expect([...splitLines('\ufeffa\r\n\n  \nb\n c')]).toEqual(['a', 'b', ' c']);
});

it('cuts a syslog stream the same way however its bytes arrive', () => {
  const message = fc.stringMatching(/^<\d{1,3}>[ -~é]{0,40}$/);
  const framed = fc.record({ message, counted: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(framed, { maxLength: 8 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(
          messages.map((one) =>
            Buffer.from(
              one.counted ? `${Buffer.byteLength(one.message)} ${one.message}` : `${one.message}\n`,
            ),
          ),
        );
        const stream = new SyslogStream();
        const places = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b);
        const found = [0, ...places].flatMap((from, at) =>
          stream.push(bytes.subarray(from, places[at] ?? bytes.length)),
        );
        const texts = [...found, ...stream.end()].map((one) => Buffer.from(one.bytes).toString());
        expect(texts).toEqual(messages.map((one) => one.message));
      },
    ),
  );
});

it('reads times in the forms of sources', () => {
  const now = Date.UTC(2026, 0, 3);
  const expected = Date.UTC(2025, 11, 31, 23, 59, 58, 123);
  for (const text of [
    '2025-12-31T23:59:58.123Z',
    '2025-12-31 23:59:58.123456',
    '2026-01-01T00:59:58,123+01:00',
    '1767225598.123',
    '1767225598123',
    '1767225598123456',
    '1767225598123456789',
    '2025/12/31 23:59:58.123',
    '12/31/2025 11:59:58.123 PM',
    'Dec 31 23:59:58.123',
    'Wed Dec 31 23:59:58.123 2025',
  ]) {
    expect([text, parseEventTime(text, now)]).toEqual([text, expected]);
  }
  expect(parseEventTime('31/Dec/2025:23:59:58 +0000', now)).toBe(expected - 123);
  for (const wrong of ['never', '0', '', '1601-01-01T00:00:00Z', 12, null])
    expect(parseEventTime(wrong, now)).toBeUndefined();
});

it('cuts bytes into the same lines as their text, whether they are UTF-8 or not', () => {
  const text = fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    '\u00a0',
    'plain',
    '\ufeff',
    '\u00e9',
    '\u6f22',
    '\ud83d\ude00',
    'x'.repeat(90),
  );
  const broken = fc.constantFrom('ff', 'c3', 'e6bc', 'f09f98', 'eda080', 'c0af', '80', 'f4908080');
  const piece = fc.oneof(
    text.map((part) => Buffer.from(part)),
    broken.map((part) => Buffer.from(part, 'hex')),
  );
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const bytes = Buffer.concat(pieces);
      expect([...splitUtf8Lines(bytes)]).toEqual([...splitLines(decoder.decode(bytes))]);
    }),
    { numRuns: 3_000 },
  );
});

it('keeps every digit of long numbers where the same number is written in several ways', () => {
  for (const [text, expected] of [
    ['{"a":9007199254740993,"b":9007199254740992}', { a: '9007199254740993', b: '9007199254740992' }],
    [
      '{"a":9007199254740992,"b":9007199254740993.0,"c":1e22}',
      { a: '9007199254740992', b: 9007199254740992, c: 1e22 },
    ],
    ['{"a":12000000000000000000,"b":1.2e19}', { a: '12000000000000000000', b: 1.2e19 }],
    [
      '{"x\\"K":9007199254740993,"x\\u0022K":1,"\\u004b":9007199254740992}',
      { 'x"K': 1, K: '9007199254740992' },
    ],
    ['{"a":1,"a":12345678901234567890,"a":12345678901234567891}', { a: '12345678901234567891' }],
    [
      '{"t":": 12345678901234567890","n":{"m":[[12345678901234567890]]}}',
      { t: ': 12345678901234567890', n: { m: [['12345678901234567890']] } },
    ],
    [
      '{"__proto__":-9223372036854775808,"safe":1234567890123456}',
      JSON.parse('{"__proto__":"-9223372036854775808","safe":1234567890123456}'),
    ],
  ] as const)
    expect([text, parseJsonRecord(text)]).toEqual([text, expected]);
  expect(() => parseJsonRecord('{"a":12345678901234567890,}')).toThrow(SyntaxError);
});

it('keeps every digit of long numbers', () => {
  expect(
    parseJsonRecord('{"a":12345678901234567890,"b":[-9223372036854775808,1],"c":"x,12345678901234567890,"}'),
  ).toEqual({
    a: '12345678901234567890',
    b: ['-9223372036854775808', 1],
    c: 'x,12345678901234567890,',
  });
});

it('keeps every digit of long numbers, whatever stands around them', () => {
  const number = fc.constantFrom(
    '9007199254740993',
    '9007199254740992',
    '-9223372036854775808',
    '7',
    '1.5',
    '1e22',
  );
  const name = fc.constantFrom('"K"', '"\\u004b"', '"x\\"K"', '"K\\""', '":"', '""', '",K"', '"n"');
  const string = fc.constantFrom('"K"', '"\\"K\\":9007199254740993"', '"K:9007199254740993,"', '"\\\\"');
  const blank = fc.constantFrom('', ' ', '\n');
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 2 }, number, string, tie('object'), tie('list')),
    list: fc
      .array(tie('any') as fc.Arbitrary<string>, { maxLength: 3 })
      .map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(name, blank, blank, tie('any') as fc.Arbitrary<string>), { maxLength: 4 })
      .map((members) => `{${members.map(([key, a, b, inner]) => `${key}${a}:${b}${inner}${a}`).join(',')}}`),
  })).object as fc.Arbitrary<string>;
  // Reads the text string by string, which is certain and slow.
  const quoted = (text: string) =>
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e\d+)?/g, (token) =>
      /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    );
  fc.assert(
    fc.property(value, (text) => {
      expect(parseJsonRecord(text)).toEqual(JSON.parse(quoted(text)));
    }),
    { seed: 3, numRuns: 5_000 },
  );
});
