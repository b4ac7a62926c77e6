import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerQuery } from './testing/answer-query.ts';

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

const quoted = (text: string): string => JSON.stringify(text);

it('[T-sigma] patterns with open ends match what they match as values', async () => {
  for (const pattern of PATTERNS) {
    const rows = TEXTS.map((text) => `${quoted(text)}, ${quoted(pattern)}`).join(', ');
    const query = `datatable(t: string, p: string)[${rows}] | project t, written = t matches regex ${quoted(pattern)}, asValue = t matches regex p`;
    const answer = await answerQuery(platform, clusterId, query);
    expect(answer.error).toBeUndefined();
    const found = answer.rows ?? [];
    expect(found).toHaveLength(TEXTS.length);
    expect([pattern, found.map(([text, written]) => [text, written])]).toEqual([
      pattern,
      found.map(([text, , asValue]) => [text, asValue]),
    ]);
  }
});
