import { expect, it } from 'vitest';
import { COMPANY_MS, createInsertRhythm, LINGER_MS } from './insert-rhythm.ts';

// Whether rows wait for others, by numbers.

/** The rhythm after batches at such a distance, and when the last one came. */
function after(distanceMs: number, batches = 10) {
  const rhythm = createInsertRhythm();
  let nowMs = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    nowMs += distanceMs;
    rhythm.noteBatch(nowMs);
  }
  return { rhythm, nowMs };
}

it('[S11] rows wait for the next batch where batches follow each other closely, and never long', () => {
  const close = after(60);
  expect(close.rhythm.waitUntil(close.nowMs)).toBeCloseTo(close.nowMs + 120);
  const wider = after(200);
  expect(wider.rhythm.waitUntil(wider.nowMs)).toBeCloseTo(wider.nowMs + 400);
  // Busy processors make batches come unevenly: one that is late does not make all of them rare.
  const uneven = after(200);
  uneven.rhythm.noteBatch(uneven.nowMs + 900);
  expect(uneven.rhythm.waitUntil(uneven.nowMs + 900)).toBe(uneven.nowMs + 900 + COMPANY_MS);
  wider.rhythm.noteBatch(wider.nowMs + 200);
  expect(wider.rhythm.waitUntil(wider.nowMs)).toBe(wider.nowMs + COMPANY_MS);
});

it('[S11] they wait for nobody where the last batch was the first, or batches are rare', () => {
  for (const { rhythm, nowMs } of [after(60, 1), after(1000), after(100_000)])
    expect(rhythm.waitUntil(nowMs)).toBe(nowMs + LINGER_MS);
});

it('[S11] a sender that sends one batch after the other is tried ever less often', () => {
  const { rhythm, nowMs } = after(50);
  const waits = (): boolean => rhythm.waitUntil(nowMs) > nowMs + LINGER_MS;
  const waitsAmong = (inserts: number): readonly number[] =>
    Array.from({ length: inserts }, (_, at) => {
      const waited = waits();
      rhythm.noteInsert(nowMs, nowMs);
      return waited ? [at] : [];
    }).flat();
  expect(waitsAmong(200)).toEqual([0, 21, 62, 143]);
  expect(waitsAmong(6_000).length).toBeLessThan(15);
  while (!waits()) rhythm.noteInsert(nowMs, nowMs + 50);
  for (let insert = 0; insert < 5; insert += 1) rhythm.noteInsert(nowMs, nowMs + 50);
  expect(waits()).toBe(true);
  // Who had company is tried again as soon as at first.
  expect(waitsAmong(25)).toEqual([0, 21]);
});
