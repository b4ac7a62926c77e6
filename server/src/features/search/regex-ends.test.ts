import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerOverTexts, quoted } from './testing/answer-over-texts.ts';

// A pattern that is written in a query loses the repetition at its ends; one that is a value is matched as it is.

const PATTERNS = [
  ...[
    '.*',
    '.*foo',
    'foo.*',
    '(?i).*FOO.+bar.*',
    'a*',
    'x?(?i)b+',
    '(ab|c)*d{2,}',
    '\\w{1,64}',
    '.*$',
    '^.*',
  ],
  ...['fo{0,2}', '[a-c]*z', '(?:foo)?bar(?:\\.exe)?', '\\s*-k\\s+\\w{1,5}', '(a|b*)', '.*a|b.*', '\\x61+b*'],
];
const TEXTS = [
  ...['', 'foo', 'FOO bar', 'foobar.exe', 'bar', 'a', 'b', 'dd', 'abcdd', 'z', 'cz', ' -k abc', '-k', 'ab'],
  ...['line\nfoo', 'foo\nbar', '\n', 'FOOxbar', 'fo', '...'],
];

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform?.close());

it('[T-sigma] patterns with open ends match what they match as values', async () => {
  for (const pattern of PATTERNS) {
    const found = await answerOverTexts(platform, clusterId, {
      columns: ['t', 'p'],
      rows: TEXTS.map((text) => [text, pattern]),
      query: `| project t, written = t matches regex ${quoted(pattern)}, asValue = t matches regex p`,
    });
    expect(found).toHaveLength(TEXTS.length);
    expect([pattern, found.map(([text, written]) => [text, written])]).toEqual([
      pattern,
      found.map(([text, , asValue]) => [text, asValue]),
    ]);
  }
});
