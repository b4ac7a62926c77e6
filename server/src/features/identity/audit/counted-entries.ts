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

/** The kinds that are being counted. */
class Kinds<E> {
  readonly #all = new Map<string, Counted<E>>();
  readonly #clock: Clock;
  /** Before this the time of no kind is over. */
  #nextMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The name under which a kind is counted. */
  nameOf(kind: string): string {
    return this.#all.has(kind) || this.#all.size < MAX_KINDS ? kind : '';
  }

  get(kind: string): Counted<E> | undefined {
    return this.#all.get(kind);
  }

  keep(kind: string, one: Counted<E>): void {
    this.#all.set(kind, one);
    this.#nextMs = Math.min(this.#nextMs, Math.max(one.until, this.#clock.now() + LOOK_MS));
  }

  delete(kind: string): void {
    this.#all.delete(kind);
  }

  mayBeDue(): boolean {
    return this.#clock.now() >= this.#nextMs;
  }

  /** Takes out those whose time is over. */
  takeDue(all: boolean): readonly (readonly [string, Counted<E>])[] {
    const now = this.#clock.now();
    const due: (readonly [string, Counted<E>])[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [kind, one] of this.#all) {
      if (all || one.until <= now) due.push([kind, one]);
      else next = Math.min(next, one.until);
    }
    for (const [kind] of due) this.#all.delete(kind);
    this.#nextMs = Math.max(next, now + LOOK_MS);
    return due;
  }
}

export function createCountedEntries<E extends Entry>(deps: {
  readonly write: (entry: E) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}): CountedEntries<E> {
  const { write, clock, log } = deps;
  const kinds = new Kinds<E>(clock);

  async function flush(all = false): Promise<void> {
    for (const [kind, one] of kinds.takeDue(all)) {
      if (one.times === 0) continue;
      const { entry, times } = one;
      await write({ ...entry, details: { ...entry.details, times } }).catch((error: Error) => {
        log.warn({ err: error.message }, 'counted audit entries wait until they can be written');
        const since = kinds.get(kind);
        if (since) since.times += times;
        else kinds.keep(kind, one);
      });
    }
  }

  return {
    flush,
    note: async (entry, own, windowMs = WINDOW_MS) => {
      const kind = kinds.nameOf(own);
      const known = kinds.get(kind);
      if (known && known.until > clock.now()) {
        if (known.times === 0) setTimeout(() => void flush(), windowMs + 1000).unref();
        known.times += 1;
        return;
      }
      if (known || kinds.mayBeDue()) await flush();
      // What was counted and could not be written just now waits for the next time.
      const times = kinds.get(kind)?.times ?? 0;
      const first: Counted<E> = { entry, until: clock.now() + windowMs, times };
      kinds.keep(kind, first);
      try {
        await write(entry);
      } catch (error) {
        if (kinds.get(kind) !== first) throw error;
        kinds.delete(kind);
        if (first.times > 0) kinds.keep(kind, { ...first, until: clock.now() });
        throw error;
      }
    },
  };
}
