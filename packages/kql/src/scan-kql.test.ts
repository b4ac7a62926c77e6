import { readdirSync, readFileSync } from 'node:fs';
import { scanKql } from '@tyrian/diagnostics';
import { describe, expect, it } from 'vitest';
import { kusto } from './kusto.ts';

const COMMENT = /\/\/[^\r\n]*/g;
/** `datetime(2026-01-01)` and its kin are one word of the lexer: a bracket that opens, and one that closes. */
const BRACKETED_LITERAL = /^\w+\s*\([\s\S]*$/;
const SIGNS: Readonly<Record<string, string>> = {
  '(': 'open',
  '[': 'open',
  '{': 'open',
  ')': 'close',
  ']': 'close',
  '}': 'close',
  '|': 'pipe',
  ';': 'semicolon',
  ',': 'comma',
};

/** What the lexer of the language service says of a text, in the words of the scanner. */
function byLexer(text: string): string[] {
  const found: string[] = [];
  const note = (kind: string, start: number, end: number) => found.push(`${kind} ${start}-${end}`);
  let at = 0;
  for (const { Trivia, Text } of kusto.Parsing.TokenParser.ParseTokens(text, null)) {
    for (const { 0: own, index } of Trivia.matchAll(COMMENT))
      note('comment', at + index, at + index + own.length);
    const start = at + Trivia.length;
    at = start + Text.length;
    // A letter before the quote hides the string from logs.
    const prefix = /^[hH]?(?=["'@]|```|~~~)/.exec(Text)?.[0].length ?? 0;
    if (/^[hH]?(?:@?["']|```|~~~)/.test(Text)) note('string', start + prefix, at);
    else if (Object.hasOwn(SIGNS, Text)) note(SIGNS[Text] ?? '', start, at);
    else if (BRACKETED_LITERAL.test(Text)) {
      const open = start + Text.indexOf('(');
      note('open', open, open + 1);
      if (Text.endsWith(')')) note('close', at - 1, at);
    }
  }
  return found;
}

/** Without what stands inside a bracketed literal, which is no text of the language. */
function byScanner(text: string): string[] {
  const literals: [number, number][] = [];
  let at = 0;
  for (const { Trivia, Text } of kusto.Parsing.TokenParser.ParseTokens(text, null)) {
    const start = at + Trivia.length;
    at = start + Text.length;
    if (BRACKETED_LITERAL.test(Text))
      literals.push([start + Text.indexOf('('), Text.endsWith(')') ? at - 1 : at]);
  }
  return scanKql(text)
    .filter(
      ({ kind, start }) => kind !== 'rest' && !literals.some(([from, to]) => start > from && start < to),
    )
    .map(({ kind, start, end }) => `${kind} ${start}-${end}`);
}

const corpus = new URL('../corpus/', import.meta.url);
const texts = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(new URL(name, corpus), 'utf8').trim().split('\n'))
  .map((line) => (JSON.parse(line) as { readonly query?: string }).query ?? '');

describe('the scanner beside the parser', () => {
  it('cuts every text of the corpus as the lexer does, and every half of one', () => {
    expect(texts.length).toBeGreaterThan(1000);
    for (const text of texts)
      for (const one of [text, text.slice(0, text.length / 2)])
        expect(byScanner(one), one).toEqual(byLexer(one));
  });

  it.each([
    "print a = 'x\ny' | take 1",
    'print "a\\\n b" | take 1',
    `print @'c:\\' , "a\\"b|" | where x == h@"d""e;"`,
    'print ```a\n|b;``` | take 1 // c | d\r\n| take 2',
    'print ~~~a|b',
    "print ['a|b'], x['c;d'](1)",
    '1//2 | a',
    "print 'never closed | a",
    'let a = 1;;let b = 2',
    '/ / x | y',
    ')]}|(',
  ])('cuts %j as the lexer does', (text) => {
    expect(byScanner(text)).toEqual(byLexer(text));
  });

  it('cuts texts made of hostile pieces as the lexer does', () => {
    const pieces = [
      "'",
      '"',
      '\\',
      '@',
      '|',
      ';',
      '\n',
      ' ',
      '//',
      '`',
      '~',
      'a',
      '(',
      ')',
      '[',
      '{',
      '}',
      ',',
      'h',
      '\r',
      '1',
    ];
    let seed = 7;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    for (let n = 0; n < 4000; n += 1) {
      const text = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join('');
      expect(byScanner(text), JSON.stringify(text)).toEqual(byLexer(text));
    }
  });
});
