import { describe, expect, it } from 'vitest';
import { dropPosition, movedBefore } from './use-column-drag.ts';

describe('moving a column', () => {
  it('puts it before another, or at the end', () => {
    const names = ['a', 'b', 'c', 'd'];
    expect(movedBefore(names, 0, 2)).toEqual(['b', 'a', 'c', 'd']);
    expect(movedBefore(names, 3, 0)).toEqual(['d', 'a', 'b', 'c']);
    expect(movedBefore(names, 1, 4)).toEqual(['a', 'c', 'd', 'b']);
    expect(movedBefore(names, 2, 2)).toEqual(names);
    expect(movedBefore(names, 2, 3)).toEqual(names);
    expect(movedBefore(names, 9, 0)).toEqual(names);
  });

  it('finds the nearest edge', () => {
    const sizes = [100, 50, 200];
    expect([0, 49, 51, 124, 126, 249, 251, 999].map((x) => dropPosition(x, 0, sizes))).toEqual([
      0, 0, 1, 1, 2, 2, 3, 3,
    ]);
    // Scrolled to the side.
    expect(dropPosition(10, -120, sizes)).toBe(2);
  });
});
