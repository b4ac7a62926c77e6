import { describe, expect, it } from 'vitest';
import { partAt, partsOf, partTitle, positionInText, readStatements } from './kql-statements.ts';

const written = (text: string): string[] =>
  readStatements(text).map(({ start, end }) => text.slice(start, end));

describe('statements of a text', () => {
  it('parts them at empty lines and semicolons', () => {
    expect(written('Dns\n| take 1\n\nEvents | count; print 1')).toEqual([
      'Dns\n| take 1',
      'Events | count;',
      'print 1',
    ]);
  });

  it('goes on over an empty line before a pipe, in brackets, in texts and after a comma', () => {
    for (const text of [
      'Dns\n\n| take 1',
      'Dns\n// why\n\n// and how\n| take 1',
      'union (Dns\n\n| take 1), Events',
      'print "a;\\"b"',
      'print ```a\n\nb;```',
      'print a = 1,\n\nb = 2',
      'Dns | summarize count()\n\nby DnsQuery',
    ])
      expect(written(text)).toHaveLength(1);
  });

  it('leaves comments out', () => {
    expect(written('// one; two\n\nDns // three;\n\n// four\nEvents')).toEqual(['Dns', 'Events']);
  });
});

describe('what runs', () => {
  const text = 'let a = 1;\nlet b = a + 1;\nlet c = 3;\nDns | take b\n\nEvents | count\n\nEmail | take c';

  it('is the query at the place with the lets that it uses', () => {
    expect(partAt(text, text.indexOf('Dns')).text).toBe('let a = 1;\nlet b = a + 1;\nDns | take b');
    expect(partAt(text, text.indexOf('count')).text).toBe('Events | count');
    expect(partAt(text, text.length).text).toBe('let c = 3;\nEmail | take c');
    expect(partAt(text, 3).text).toContain('Dns');
  });

  it('is the whole text when there is one query', () => {
    const one = '// top\nlet a = 1;\n\nDns\n| take a\n';
    expect(partAt(one, 0).text).toBe(one);
    expect(partsOf('')).toHaveLength(1);
  });

  it('keeps places when the rest is blanked out', () => {
    for (const part of partsOf(text)) {
      expect(part.isolated).toHaveLength(text.length);
      for (const { start, end } of part.pieces)
        expect(part.isolated.slice(start, end)).toBe(text.slice(start, end));
    }
    const part = partAt(text, text.length);
    expect(positionInText(part, part.text.indexOf('Email'))).toBe(text.indexOf('Email'));
    expect(positionInText(part, part.text.indexOf('let'))).toBe(text.indexOf('let c'));
  });

  it('names a query by the comment above it, else by its words', () => {
    const text = '// Who failed\nDns | take 5\n\nEvents\n| where DvcHostname == "a long name of a host"';
    expect(partsOf(text).map((part) => partTitle(text, part))).toEqual([
      'Who failed',
      'Events | where DvcHostname == "a long n…',
    ]);
  });
});
