import type { TimeRange } from '@tyrian/plan';

// How a range is read newest first. What the engine reads in a moment is read at once, because every further query
// costs its own time. Beyond that the newest part comes first, as large as should give the rows that are wanted; how
// many it gave says how far the next part reaches. Where it gave none, all the rest is read at once: a rare word must
// not cost more than the plain query.

/** Hands out the parts of a range, newest first, each beginning where the one after it ends. */
export interface Pieces {
  /** The next part after those that gave so many rows together; null after the last. */
  next(rows: number): Promise<Piece | null>;
}

export interface Piece {
  /** `undefined` stands for all time. */
  readonly range: TimeRange | undefined;
  /** Its share of all that is to be read, 0 to 1. */
  readonly share: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** All time: for queries that filter time themselves. */
const ALWAYS: TimeRange = { from: 0, to: Date.UTC(2299, 11, 31) };

/** Events that the engine reads in about the time that another query costs. */
const AT_ONCE = 10_000_000;
/** Events of the first part where more are to be read and nobody knows how many are hits. */
const FIRST_PART = 2_000_000;
/** The same, by the rows that are wanted, where each event is a row; they do not come evenly. */
const EVENTS_PER_ROW = 8;
/** A part reaches so much further than the hits so far say, and at least so many times what was read. */
const [RESERVE, GROWTH] = [1.5, 3];

/** The whole range at once. */
export const wholePiece = (range: TimeRange | undefined): Pieces => listed([{ range, share: 1 }]);

/**
 * An hour at a time, later a day, for reads that take everything: rows come soon, and no part of them is sorted in
 * memory for long.
 */
export function evenPieces(range: TimeRange | undefined, nowMs: number): Pieces {
  const { from, to } = range ?? ALWAYS;
  const start = startOf({ from, to }, nowMs);
  const bounds: number[] = [];
  const lastHour = start - 48 * HOUR_MS;
  for (let at = start - HOUR_MS; at > from && at >= lastHour; at -= HOUR_MS) bounds.push(at);
  const lastDay = start - 60 * 24 * HOUR_MS;
  for (let at = lastHour - 24 * HOUR_MS; at > from && at >= lastDay; at -= 24 * HOUR_MS) bounds.push(at);
  let upper = to;
  return listed(
    [...bounds, from].map((bound) => {
      const piece = { from: bound, to: upper };
      upper = bound;
      return { range: piece, share: (piece.to - piece.from) / Math.max(1, to - from) };
    }),
  );
}

export interface GrowingRead {
  readonly range: TimeRange | undefined;
  readonly nowMs: number;
  readonly rowLimit: number;
  /** Whether an event may be none of the rows. */
  readonly isFiltered: boolean;
  /** Events that the engine would read for the whole range; up to `few` it need not be exact. */
  readonly expected: (few: number) => Promise<number>;
}

/** Parts as large as they need to be for `rowLimit` rows. */
export function growingPieces({ range, nowMs, rowLimit, isFiltered, expected }: GrowingRead): Pieces {
  const whole = range ?? ALWAYS;
  const start = startOf(whole, nowMs);
  let lower: number | null = null;
  const piece = (from: number): Piece => {
    const to = lower ?? whole.to;
    lower = Math.max(whole.from, Math.floor(from));
    return { range: { from: lower, to }, share: (to - lower) / Math.max(1, whole.to - whole.from) };
  };
  const first = async (): Promise<Piece> => {
    const wanted = isFiltered ? FIRST_PART : rowLimit * EVENTS_PER_ROW;
    const atOnce = isFiltered ? AT_ONCE : wanted;
    const events = await expected(atOnce);
    if (events <= atOnce) {
      lower = whole.from;
      return { range, share: 1 };
    }
    // Where all time is asked for, nobody knows how its events lie.
    const span = range ? ((start - whole.from) * wanted) / events : HOUR_MS;
    return piece(start - Math.max(MINUTE_MS, span));
  };
  return {
    next: async (rows) => {
      if (lower === null) return first();
      if (lower <= whole.from) return null;
      const read = start - lower;
      const span =
        rows === 0
          ? Number.POSITIVE_INFINITY
          : Math.max(GROWTH * read, (RESERVE * read * (rowLimit - rows)) / rows);
      const left = lower - whole.from;
      return piece(span * 2 >= left ? whole.from : lower - span);
    },
  };
}

/** A range without an end would put its first part far into the future. */
const startOf = ({ from, to }: TimeRange, nowMs: number): number => Math.min(to, Math.max(nowMs, from));

function listed(pieces: readonly Piece[]): Pieces {
  let at = 0;
  return { next: async () => pieces[at++] ?? null };
}
