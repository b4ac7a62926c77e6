/**
 * A table that is asked with words of senders. It has no prototype, so that `constructor` and the like are words that
 * it does not hold.
 */
export function lookupTable<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null), entries));
}
