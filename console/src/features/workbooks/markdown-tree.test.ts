import { describe, expect, it } from 'vitest';
import { readInline, readMarkdown } from './markdown-tree.ts';

describe('Markdown of knowledge bases', () => {
  it('reads headings, lists, code and paragraphs', () => {
    const nodes = readMarkdown(
      '# Why\nA **strong** `x`\nline.\n\n1. one\n2. two\n\n```\n<b>\n```\n> quoted\n---',
    );
    expect(nodes.map((node) => node.kind)).toEqual(['heading', 'paragraph', 'list', 'code', 'quote', 'rule']);
    expect(nodes[2]).toMatchObject({ ordered: true, items: [[{ text: 'one' }], [{ text: 'two' }]] });
    expect(nodes[3]).toEqual({ kind: 'code', text: '<b>' });
  });

  it('makes links of web addresses alone', () => {
    expect(readInline('[a](https://example.org/x)')[0]).toMatchObject({
      kind: 'link',
      href: 'https://example.org/x',
    });
    expect(readInline('[a](javascript:alert)')[0]).toMatchObject({ kind: 'text' });
    expect(readInline('[a](data:text/html,x)')[0]).toMatchObject({ kind: 'text' });
    expect(readInline('<img src=x onerror=alert(1)>')).toEqual([
      { kind: 'text', text: '<img src=x onerror=alert(1)>' },
    ]);
  });

  it('ends on every text', () => {
    for (const text of [
      '',
      '**',
      '`',
      '[](',
      '- ',
      '#',
      '```',
      '***a',
      '> ',
      '* * *',
      '_'.repeat(5000),
      '*a'.repeat(2000),
    ]) {
      expect(Array.isArray(readMarkdown(text))).toBe(true);
    }
  });
});
