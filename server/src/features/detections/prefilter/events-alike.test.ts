import { describe, expect, it } from 'vitest';
import { eventsAlike } from './events-alike.ts';
import type { Literal, Need } from './literal-need.ts';

const literal = (value: string): Literal => ({ value, key: value }) as Literal;
const one = (...values: string[]): Need => ({ kind: 'literals', literals: values.map(literal) });
const all = (...needs: Need[]): Need => ({ kind: 'all', needs });
const oneOf = (...needs: Need[]): Need => ({ kind: 'one-of', needs });

/** Tells of `a` to `h`; `x` and `y` belong to another pass. */
function events() {
  const seen = eventsAlike(({ value }) => value < 'x');
  seen.add(['a'], 10, [1, 2]);
  seen.add(['b'], 20, []);
  seen.add(['a', 'b', 'c'], 3, [11, 12, 13]);
  seen.add([], 100, []);
  for (let at = 0; at < 70; at += 1) seen.add([`d${at}`], 1, [100 + at]);
  seen.add(['a', 'e'], 4, [21, 22, 23, 24]);
  return seen;
}

const xIsThere = ({ value }: Literal) => value === 'x';

describe('events that hold the same literals', () => {
  it('[R-E2] meet a need where one event holds all of it, not where several hold a part each', () => {
    const meeting = (need: Need) => events().eventsMeeting(need, xIsThere);
    expect(meeting(one('a'))).toBe(17);
    expect(meeting(all(one('a'), one('b')))).toBe(3);
    expect(meeting(all(one('b'), one('e')))).toBe(0);
    expect(meeting(all(one('b', 'e'), one('a')))).toBe(7);
    expect(meeting(oneOf(one('c'), all(one('a'), one('e'))))).toBe(7);
    expect(meeting(oneOf(all(one('a'), one('e')), one('d69')))).toBe(5);
    expect(meeting(all(one('a'), oneOf(one('b'), one('d1'))))).toBe(3);
    expect(meeting(one('h'))).toBe(0);
  });

  it('[R-E2] may hold what another pass found, and do not hold what none found', () => {
    const meeting = (need: Need) => events().eventsMeeting(need, xIsThere);
    expect(meeting(all(one('c'), one('x')))).toBe(3);
    expect(meeting(all(one('c'), one('y')))).toBe(0);
    expect(meeting(all(one('c'), one('y', 'x')))).toBe(3);
    expect(meeting(oneOf(one('x'), one('c')))).toBe(207);
    expect(meeting(oneOf(one('y'), one('c')))).toBe(3);
    expect(meeting(one('x'))).toBe(207);
  });

  it('[R-E2] are found again by their marks, where each of them has one', () => {
    const marks = (need: Need) => events().marksMeeting(need, xIsThere);
    expect(marks(all(one('a'), one('b')))).toEqual([11, 12, 13]);
    expect(marks(all(one('a'), one('b', 'e')))).toEqual([11, 12, 13, 21, 22, 23, 24]);
    expect(marks(oneOf(one('d0'), one('d69')))).toEqual([100, 169]);
    expect(marks(one('h'))).toEqual([]);
    expect(marks(one('a'))).toBe(null);
    expect(marks(one('x'))).toBe(null);
  });

  it('are counted by literal', () => {
    expect(events().eventsWith(literal('a'))).toBe(17);
    expect(events().eventsWith(literal('y'))).toBe(0);
    expect([events().has(literal('d69')), events().has(literal('x'))]).toEqual([true, false]);
  });
});
