import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';

// Entries of what is done again and again: refused calls, failed sign-ins, an overview that refreshes itself. The first of
// its kind is written at once; equal ones within the next minute, or as long as is said, are counted and become one more.

interface Entry {
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface CountedEntries<E extends Entry> {
  /** Writes the entry, or counts it. Throws like `write` when it must be written and cannot be. */
  note(entry: E, kind: string, windowMs?: number): Promise<void>;
  /** Writes what was counted since; `all`: also where its time is not over. */
  flush(all?: boolean): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Kinds kept apart at a time; what is beyond is counted together. */
const MAX_KINDS = 10_000;

interface Counted<E> {
  readonly entry: E;
  readonly until: number;
  times: number;
}

export function createCountedEntries<E extends Entry>(deps: {
  readonly write: (entry: E) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}): CountedEntries<E> {
  const { write, clock, log } = deps;
  const kinds = new Map<string, Counted<E>>();

  async function flush(all = false): Promise<void> {
    const due = [...kinds].filter(([, one]) => all || one.until <= clock.now());
    for (const [kind] of due) kinds.delete(kind);
    for (const [kind, one] of due) {
      if (one.times === 0) continue;
      const { entry, times } = one;
      await write({ ...entry, details: { ...entry.details, times } }).catch((error: Error) => {
        log.warn({ err: error.message }, 'counted audit entries wait until they can be written');
        const since = kinds.get(kind);
        if (since) since.times += times;
        else kinds.set(kind, one);
      });
    }
  }

  return {
    flush,
    note: async (entry, own, windowMs = WINDOW_MS) => {
      const kind = kinds.has(own) || kinds.size < MAX_KINDS ? own : '';
      const known = kinds.get(kind);
      if (known && known.until > clock.now()) {
        if (known.times === 0) setTimeout(() => void flush(), windowMs + 1000).unref();
        known.times += 1;
        return;
      }
      await flush();
      const first: Counted<E> = { entry, until: clock.now() + windowMs, times: 0 };
      kinds.set(kind, first);
      try {
        await write(entry);
      } catch (error) {
        if (kinds.get(kind) === first && first.times === 0) kinds.delete(kind);
        throw error;
      }
    },
  };
}
