// Chance that can be repeated: the same seed gives the same company and the same day.

export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  /** Whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Few of the list often, most of it rarely, as with real hosts, users and sites. */
  zipf<T>(list: readonly T[]): T;
  hex(digits: number): string;
  uuid(): string;
}

/** `seed` is any whole number. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const at = <T>(list: readonly T[], index: number): T => {
    if (list.length === 0) throw new Error('nothing to choose from');
    return list[Math.min(index, list.length - 1)] as T;
  };
  const random: Random = {
    next,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    // A share of 1/rank each: the n-th root of a uniform number has this shape closely enough.
    zipf: (list) => at(list, Math.floor(list.length ** next()) - 1),
    hex: (digits) => {
      let text = '';
      while (text.length < digits)
        text += Math.floor(next() * 0x1_0000_0000)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, digits);
    },
    uuid: () => {
      const hex = random.hex(32);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
  return random;
}
