// Recorded events are sent again and again as if they happened now, as from a source that is alive: lines that kept the times
// of their recording would come as events of the same minutes for ever, which merges sort among each other row by row.

/** `2020-10-20 17:32:26`, or with a `T`. */
export const DATE_AND_TIME = /20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d/g;
const DATE_LENGTH = '2026-01-01'.length;

/**
 * Finds the dates with times (`2020-10-20 17:32:26`, or with a `T`) in a text; the answer puts another time, in ms since 1970,
 * in place of each of them. Fractions of seconds, and so the order within a second, stay as they are.
 */
export function movingTimes(text: Buffer): (nowMs: number) => void {
  const starts = Array.from(text.toString('latin1').matchAll(DATE_AND_TIME), ({ index }) => index);
  return (nowMs) => {
    const now = new Date(nowMs).toISOString();
    const date = Buffer.from(now.slice(0, DATE_LENGTH), 'latin1');
    const time = Buffer.from(now.slice(DATE_LENGTH + 1, DATE_LENGTH + 9), 'latin1');
    for (const start of starts) {
      date.copy(text, start);
      time.copy(text, start + DATE_LENGTH + 1);
    }
  };
}
