import { describe, expect, it } from 'vitest';
import { diffLines, foldDiff } from './line-diff.ts';

const shape = (before: string, after: string) =>
  diffLines(before, after).map((line) => `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`);

describe('the difference of two versions', () => {
  it('shows what went and what came, in place', () => {
    expect(shape('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
    expect(shape('a', 'a\nb')).toEqual([' a', '+b']);
    expect(shape('a\nb\nc\nd', 'b\nd\ne')).toEqual(['-a', ' b', '-c', ' d', '+e']);
    expect(shape('same', 'same')).toEqual([' same']);
  });

  it('gives back either text when the other side is left out', () => {
    const [before, after] = ['x\ny\nz\nx', 'z\nx\ny\ny'];
    const lines = diffLines(before, after);
    const text = (drop: string) =>
      lines
        .filter((line) => line.kind !== drop)
        .map((line) => line.text)
        .join('\n');
    expect(text('added')).toBe(before);
    expect(text('removed')).toBe(after);
  });

  it('folds long stretches that did not change', () => {
    const long = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const folded = foldDiff(diffLines(long, `${long}\nnew`), 2);
    expect(folded[0]).toEqual({ kind: 'gap', count: 18 });
    expect(folded.at(-1)).toEqual({ kind: 'added', text: 'new' });
  });
});
