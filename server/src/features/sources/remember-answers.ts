import type { Clock } from '../../platform/clock.ts';

const REMEMBERED_MS = 5_000;
/** More keys are not remembered, nor counted one by one. */
export const MAX_REMEMBERED = 10_000;

/** Remembers answers for a short time, so that each request does not ask the database. */
export function remembered<T>(clock: Clock, find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { readonly value: Promise<T>; readonly untilMs: number }>();
  return (key) => {
    const now = clock.now();
    const hit = known.get(key);
    if (hit !== undefined && hit.untilMs > now && hit.untilMs <= now + REMEMBERED_MS) return hit.value;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const value = find(key);
    known.set(key, { value, untilMs: now + REMEMBERED_MS });
    value.catch(() => known.delete(key));
    return value;
  };
}
