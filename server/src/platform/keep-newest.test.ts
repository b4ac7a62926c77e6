import { describe, expect, it } from 'vitest';
import { keepNewest } from './keep-newest.ts';

describe('a map of the newest values', () => {
  it('drops what was set longest ago; a key that is set again is the newest', () => {
    const map = new Map<string, number>();
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['a', 4],
      ['d', 5],
    ] as const)
      keepNewest(map, key, value, 3);
    expect([...map]).toEqual([
      ['c', 3],
      ['a', 4],
      ['d', 5],
    ]);
  });
});
