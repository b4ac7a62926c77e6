/** Where the time comes from; tests set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved. */
export interface SettableClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
}

/** A clock for tests, starting at `startMs`. */
export function settableClock(startMs: number): SettableClock {
  let current = startMs;
  return {
    now: () => current,
    set: (ms) => {
      current = ms;
    },
    advance: (ms) => {
      current += ms;
    },
  };
}
