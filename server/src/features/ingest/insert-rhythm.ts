// How long rows of a tenant wait for others before they are inserted. The smaller an insert, the more often its rows are
// written again by merges on their way into a large part. So where batches follow each other closely, rows wait for the next
// one, as long as it does come: a sender that sends one batch after the other would only ever wait for itself.

/** How long rows wait when nothing is known to come. */
export const LINGER_MS = 5;
/** How long they may wait for others. */
export const COMPANY_MS = 500;
/** Batches that come less often are not waited for: none would come in time. */
const CLOSE_MS = COMPANY_MS;
/** So many times the usual distance of batches after the last one, none is expected any more. */
const PATIENCE = 2;
/** How much of the usual distance is the newest one. */
const WEIGHT = 0.2;
/** Inserts that do not wait, after one waited in vain; each time in a row that it did, twice as many. */
const ALONE = 20;
const MOST_ALONE = 640;

/** When batches of one tenant come; times are of `performance.now()`. */
export interface InsertRhythm {
  /** A batch has come in. */
  noteBatch(nowMs: number): void;
  /** Until when rows may wait of which the oldest came at `oldestMs`. */
  waitUntil(oldestMs: number): number;
  /** Rows that came between these times are inserted together. */
  noteInsert(oldestMs: number, newestMs: number): void;
}

export function createInsertRhythm(): InsertRhythm {
  let lastMs = Number.NEGATIVE_INFINITY;
  let usualMs = Number.POSITIVE_INFINITY;
  let alone = 0;
  let nextAlone = ALONE;
  const isClose = () => usualMs <= CLOSE_MS;
  return {
    noteBatch: (nowMs) => {
      const distance = nowMs - lastMs;
      const counted = Math.min(distance, 10 * COMPANY_MS);
      if (Number.isFinite(usualMs)) usualMs += WEIGHT * (counted - usualMs);
      else if (Number.isFinite(distance)) usualMs = counted;
      lastMs = nowMs;
    },
    waitUntil: (oldestMs) =>
      alone > 0 || !isClose()
        ? oldestMs + LINGER_MS
        : Math.max(oldestMs + LINGER_MS, Math.min(oldestMs + COMPANY_MS, lastMs + PATIENCE * usualMs)),
    noteInsert: (oldestMs, newestMs) => {
      if (alone > 0) alone -= 1;
      else if (isClose() && newestMs - oldestMs <= LINGER_MS) {
        alone = nextAlone;
        nextAlone = Math.min(MOST_ALONE, 2 * nextAlone);
      } else nextAlone = ALONE;
    },
  };
}
