import { describe, expect, it } from 'vitest';
import { formatStatements, positionAfterFormat } from './kql-format-text.ts';

const shout = (text: string): string => text.toUpperCase();

describe('laying out a text', () => {
  it('lays out each of several statements and leaves what stands between', () => {
    const text = '// first\na | b;\n\n// second\nlet x = 1;\nc | d\n\n\ne';
    expect(formatStatements(text, shout)).toBe('// first\nA | B;\n\n// second\nLET X = 1;\nC | D\n\n\nE');
  });

  it('gives one statement with its lets to the formatter as it stands', () => {
    expect(formatStatements('let x = 1; // why\na | b', shout)).toBe('LET X = 1; // WHY\nA | B');
    expect(formatStatements('a', () => null)).toBeNull();
  });

  it('keeps the cursor behind the same letter', () => {
    expect(positionAfterFormat('a|b|c', 'a\n| b\n| c', 4)).toBe('a\n| b\n|'.length);
    expect(positionAfterFormat('ab', 'ab', 0)).toBe(0);
    expect(positionAfterFormat('a b', 'a', 3)).toBe(1);
  });
});
