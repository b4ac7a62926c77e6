import type { Clock } from '../../platform/clock.ts';

// Covers that could not be counted beside others, because their condition fails or takes too long. For a while they are not
// asked about with others, so that these need not be asked twice; their rules run alone, and tell what is wrong with them.

const ASIDE_MS = 10 * 60_000;
const MOST = 1_000;

export interface CoversAside {
  has(id: string): boolean;
  put(id: string): void;
}

export function createCoversAside(clock: Clock): CoversAside {
  const until = new Map<string, number>();
  return {
    has: (id) => (until.get(id) ?? 0) > clock.now(),
    put: (id) => {
      until.delete(id);
      until.set(id, clock.now() + ASIDE_MS);
      for (const oldest of until.keys()) {
        if (until.size <= MOST) break;
        until.delete(oldest);
      }
    },
  };
}
