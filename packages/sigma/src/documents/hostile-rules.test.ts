import { describe, expect, it } from 'vitest';
import { readSigma, readSigmaBytes } from '../index.ts';
import { ruleText, verdictOf } from '../testing/rule-text.ts';

const outcome = (text: string): string => {
  const verdict = verdictOf(text);
  return verdict.verdict === 'runs' ? 'runs' : `${verdict.verdict}: ${verdict.reason}`;
};
const bomb = Array.from(
  { length: 12 },
  (_, level) =>
    `a${level}: &a${level} [${Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(', ')}]`,
).join('\n');

describe('hostile rules', () => {
  it.each([
    [
      'aliases that unfold to billions',
      `title: t\n${bomb}`,
      'invalid: The text holds more than 200000 values',
    ],
    ['an alias of itself', 'title: t\na: &a [*a]', 'invalid: '],
    [
      '10 MB',
      ruleText(`s:\n  x: '${'a'.repeat(10 * 1024 * 1024)}'\ncondition: s`),
      'invalid: The text is longer than',
    ],
    ['brackets without end', `a: ${'['.repeat(200_000)}`, 'invalid: The text nests deeper than'],
    [
      'maps within maps',
      `a: ${'{a: '.repeat(500)}1${'}'.repeat(500)}`,
      'invalid: The text nests deeper than',
    ],
    [
      'half of a surrogate pair',
      ruleText("s:\n  x: '\ud800'\ncondition: s"),
      'invalid: The text is not UTF-8',
    ],
    [
      '100,000 values to encode',
      ruleText(
        `s:\n  x|base64offset: [${Array.from({ length: 100_000 }, (_, n) => `v${n}`).join(',')}]\ncondition: s`,
      ),
      'unsupported: The rule compares with more than 10000 values',
    ],
    ['lists within lists', '- '.repeat(100_000), 'invalid: The text nests deeper than'],
    [
      'thousands of patterns over thousands of identifiers',
      ruleText(
        `${Array.from({ length: 3000 }, (_, n) => `s${n}: {x: 1}`).join('\n')}\ncondition: ${Array.from({ length: 1000 }, () => '1 of s*').join(' or ')}`,
      ),
      'invalid: The condition cannot be read: it names more than',
    ],
    ['a key twice', 'title: a\ntitle: b', 'invalid: The key "title" stands twice'],
    [
      '50,000 keys',
      Array.from({ length: 50_000 }, (_, n) => `k${n}: 1`).join('\n'),
      'invalid: The rule has no "title"',
    ],
    ['a list for a rule', '- a\n- b', 'invalid: "document" is not a map of a rule'],
    ['no YAML', 'title: "a', 'invalid: The text is not YAML'],
    ['nothing', '', 'invalid: The text holds no rule'],
    [
      'a name that every object has',
      ruleText("s:\n  __proto__: 'x'\n  constructor: 'y'\ncondition: s"),
      'runs',
    ],
  ])('[T-sigma] %s', (_, text, start) => {
    expect(outcome(text).startsWith(start)).toBe(true);
  });

  it('[T-sigma] bytes that are no UTF-8', () => {
    const [read] = readSigmaBytes(Uint8Array.of(0x74, 0xff, 0xfe));
    expect(read).toMatchObject({ ok: false, fault: { kind: 'invalid', code: 'SIG100' } });
  });

  it('[T-sigma] a broken document costs no other of its text, and keeps its title', () => {
    const good = ruleText("s:\n  x: 'a'\ncondition: s");
    const documents = readSigma(`${good}---\ntitle: Broken\nlogsource: {product: windows}\n---\n${good}`);
    expect(documents.map((one) => (one.ok ? one.document.title : `broken ${one.title}`))).toEqual([
      'A rule',
      'broken Broken',
      'A rule',
    ]);
  });

  it('[T-sigma] a fault stands where it is', () => {
    const text = ruleText("s:\n  x|foo: 'a'\ncondition: s");
    const [read] = readSigma(text);
    const span = read && !read.ok ? read.fault.span : { start: 0, end: 0 };
    expect(text.slice(span.start, span.end)).toBe('x|foo');
  });
});
