// Random choices that come out the same for the same seed, so that every case can be made again by its number.

export interface Choice {
  /** Whole, from 0 up to but without `end`. */
  below(end: number): number;
  of<T>(list: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** Choices for case `index` of a run (the generator is mulberry32). */
export function seededChoice(seed: number, index: number): Choice {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  next();
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    of: (list) => {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('There is nothing to choose from');
      return found;
    },
    once: (times) => below(times) === 0,
  };
}
