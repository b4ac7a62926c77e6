import { expect, it } from 'vitest';
import { durationOf } from './range-duration.ts';

it.each([
  [{ from: 'now-7d', to: 'now' }, '7d'],
  [{ from: 'now-15m', to: 'now' }, '15m'],
  [{ from: '2026-03-04T10:00:00Z', to: '2026-03-04T16:00:00Z' }, '6h'],
  [{ from: '2026-03-01T00:00:00Z', to: '2026-03-11T00:00:00Z' }, '10d'],
  [{ from: '2026-03-04T10:00:00Z', to: '2026-03-04T10:20:30Z' }, '21m'],
  [{ from: 'nonsense', to: 'now' }, '24h'],
])('[R-C31] a workbook that is saved from a search of %j looks back %s', (range, span) => {
  expect(durationOf(range, 'UTC', Date.UTC(2026, 2, 4, 17))).toBe(span);
});
