import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutOpenEnds } from './open-regex-ends.ts';

const letter = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  String.raw`\.`,
  String.raw`\w`,
  '^',
  '$',
  String.raw`\b`,
);
const repetition = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,2}', '{2,}', '*?', '+?');
// JavaScript tries every way in which repetitions within one another may match: of long patterns that takes hours.
const MAX_NESTED = 2;
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc
    .tuple(
      fc.oneof(
        { maxDepth: MAX_NESTED, depthIdentifier: 'group' },
        { weight: 4, arbitrary: letter },
        tie('pattern').map((inner) => `(?:${inner})`),
        tie('pattern').map((inner) => `(${inner})`),
      ),
      repetition,
    )
    // JavaScript repeats no assertion.
    .map(([atom, times]) => (/^(?:\^|\$|\\b)$/.test(atom) ? atom : atom + times)),
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((choices) => choices.join('|')),
}));

describe('the open ends of a pattern', () => {
  test.each([
    ['foo.*', 'foo'],
    ['.*foo', 'foo'],
    ['(?i).*foo.+bar.*', '(?i)foo.+bar'],
    [String.raw`-k\s*[\w]{1,64}(?:\.exe)?`, String.raw`-k\s*[\w]`],
    [String.raw`\d{3,}\.x{2,5}?`, String.raw`\d{3}\.x{2}`],
    [String.raw`(a|b[)]|\))*c+`, 'c'],
    ['.*', ''],
    ['[]a]*b', 'b'],
    ['[[:alpha:]]*b', 'b'],
    [String.raw`\x{41}*b\x41*`, 'b'],
    [String.raw`\p{Lu}*b\pL?`, 'b'],
  ])('are cut where only a match counts: %s', (from, to) => {
    expect(withoutOpenEnds(from)).toBe(to);
  });

  test.each([
    'foo',
    '^foo$',
    'foo.*|bar',
    '.*foo.*$'.slice(2),
    'a**',
    '*a',
    '(a',
    'a)b*',
    String.raw`\Qa\E*`,
    '(?<!a)b*',
    'a{x}*{y',
    '[a',
  ])('stay where something stands there, and where the pattern is not read: %s', (from) => {
    expect(withoutOpenEnds(from)).toBe(from);
  });

  // What takes the square of their length would take minutes.
  test.each([String.raw`\p{`, 'a*', '{1', '[:a', String.raw`\x{a`, '(?i)a?'])(
    '[S07] of a million signs are read at once: %s',
    (part) => {
      const pattern = part.repeat(1_000_000 / part.length);
      expect(pattern.startsWith(withoutOpenEnds(pattern))).toBe(true);
    },
  );

  test('match the same texts', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n'), maxLength: 4 }), {
      minLength: 5,
    });
    fc.assert(
      fc.property(pattern, texts, (from, each) => {
        const [whole, cut] = [new RegExp(from), new RegExp(withoutOpenEnds(from))];
        for (const text of each) expect([text, cut.test(text)]).toEqual([text, whole.test(text)]);
      }),
      { numRuns: 2000 },
    );
  });
});
