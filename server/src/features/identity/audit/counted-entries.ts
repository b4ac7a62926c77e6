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
/** Those whose time is over are looked for no more often than this. */
const LOOK_MS = 1_000;

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
  /** Before this the time of no kind is over. */
  let nextMs = Number.POSITIVE_INFINITY;

  /** Takes out those whose time is over. */
  function takeDue(all: boolean): (readonly [string, Counted<E>])[] {
    const now = clock.now();
    const due: (readonly [string, Counted<E>])[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [kind, one] of kinds) {
      if (all || one.until <= now) due.push([kind, one]);
      else next = Math.min(next, one.until);
    }
    for (const [kind] of due) kinds.delete(kind);
    nextMs = Math.max(next, now + LOOK_MS);
    return due;
  }

  function keep(kind: string, one: Counted<E>): void {
    kinds.set(kind, one);
    nextMs = Math.min(nextMs, Math.max(one.until, clock.now() + LOOK_MS));
  }

  async function flush(all = false): Promise<void> {
    const due = takeDue(all);
    for (const [kind, one] of due) {
      if (one.times === 0) continue;
      const { entry, times } = one;
      await write({ ...entry, details: { ...entry.details, times } }).catch((error: Error) => {
        log.warn({ err: error.message }, 'counted audit entries wait until they can be written');
        const since = kinds.get(kind);
        if (since) since.times += times;
        else keep(kind, one);
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
      if (known || clock.now() >= nextMs) await flush();
      // What was counted and could not be written just now waits for the next time.
      const times = kinds.get(kind)?.times ?? 0;
      const first: Counted<E> = { entry, until: clock.now() + windowMs, times };
      keep(kind, first);
      try {
        await write(entry);
      } catch (error) {
        if (kinds.get(kind) !== first) throw error;
        kinds.delete(kind);
        if (first.times > 0) keep(kind, { ...first, until: clock.now() });
        throw error;
      }
    },
  };
}
