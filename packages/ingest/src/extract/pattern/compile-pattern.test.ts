import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { compilePattern, PatternError } from './compile-pattern.ts';

/** Pieces of which patterns are made: some that V8 may run, some that only RE2 does. */
const piece = fc.constantFrom(
  'a',
  'b',
  '-',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '.',
  '[ab]',
  '[^b]',
  '[a-c1]',
  '\\.',
  'ab',
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??');
const pattern = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    piece,
    tie('node').map((inner) => `(${inner})`),
    tie('node').map((inner) => `(?:${inner})`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
  ),
  node: fc
    .array(fc.tuple(tie('atom'), quantifier), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([atom, q]) => atom + q).join('')),
})).node;
const whole = fc
  .tuple(fc.constantFrom('', '^', '^', '^', '(?i)', '(?i)^'), pattern, fc.constantFrom('', '$'))
  .map(([head, body, end]) => head + body + end);
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '.', 'c'), maxLength: 24 });

describe('patterns', () => {
  it('[T-linear-patterns] match as RE2 does, whichever engine runs them', () => {
    let fast = 0;
    fc.assert(
      fc.property(whole, fc.array(text, { minLength: 3, maxLength: 6 }), (source, texts) => {
        const compiled = compilePattern(source);
        if (compiled.isFast) fast += 1;
        const reference = RE2JS.compile(source);
        for (const one of texts) {
          const matcher = reference.matcher(one);
          const expected = matcher.find()
            ? compiled.groups.map((_, at) => matcher.group(at + 1) ?? undefined)
            : null;
          expect(compiled.match(one), `${source} on "${one}"`).toEqual(expected);
          expect(compiled.test(one)).toBe(expected !== null);
        }
      }),
      { numRuns: 800 },
    );
    expect(fast).toBeGreaterThan(25);
  });

  it('[T-linear-patterns] never run on V8 where it would try too many ways', () => {
    const hostile = [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|ab)*c',
      '^(?:a?){30}a{30}$',
      '^\\S+\\s*\\S+:',
      '^.*a.*b',
      '(a*)*b',
      '^(?:a*)*b',
      '^(?:[ab]|a)+c',
      '^a+a+a+b',
      '\\d+x',
      '^(?:(?:a|b)+,?)+$',
      '^(x+x+)+y',
    ];
    for (const source of hostile) expect(compilePattern(source).isFast, source).toBe(false);
    const plain = [
      '^%ASA-(\\d)-(\\d+): (Built|Teardown) (\\S+) ',
      '^(?P<user>[^ ]+) : TTY=([^ ;]+)',
      '\\d{1,3}\\.\\d{1,3}',
      '^\\[([^\\]]*)\\] (?:\\[(\\w+)\\] )?(.*)$',
    ];
    for (const source of plain) expect(compilePattern(source).isFast, source).toBe(true);
  });

  it('[T-linear-patterns] take no more than a few passes over any text', () => {
    fc.assert(
      fc.property(whole, text, (source, unit) => {
        const compiled = compilePattern(source);
        if (!compiled.isFast || unit === '') return;
        // One that comes back to each place would not end in the time of a test.
        const long = unit.repeat(Math.ceil(200_000 / unit.length));
        for (const tail of ['', 'x', '\n', unit.slice(1)]) compiled.test(long + tail);
      }),
      { numRuns: 150 },
    );
  });

  it('[T-extractors] says of what is no pattern why', () => {
    for (const bad of ['(', 'a(?=b)', '(?<!a)b', '[z-a]', '\\1', 'a{2000}'])
      expect(() => compilePattern(bad), bad).toThrow(PatternError);
    expect(compilePattern('^(?<user>\\w+)@(?P<host>\\S+)').groups).toEqual(['user', 'host']);
  });
});
