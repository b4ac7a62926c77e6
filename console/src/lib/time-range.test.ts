import { describe, expect, it } from 'vitest';
import {
  absoluteRange,
  lastRange,
  moveRange,
  paramsWithRange,
  quickSpan,
  rangeOfParams,
  readRange,
  resolveRange,
  resolveTime,
  widenRange,
} from './time-range.ts';

const NOW = Date.UTC(2026, 2, 4, 15, 7, 9);
const at = (text: string, round: 'down' | 'up' = 'down', zone = 'UTC') => {
  const time = resolveTime(text, NOW, zone, round);
  return time === null ? null : new Date(time).toISOString();
};

describe('time ranges', () => {
  it('reads now and a number of units', () => {
    expect(at('now')).toBe('2026-03-04T15:07:09.000Z');
    expect(at('now-15m')).toBe('2026-03-04T14:52:09.000Z');
    expect(at('now-1M')).toBe('2026-02-04T15:07:09.000Z');
    expect(at('now-1y')).toBe('2025-03-04T15:07:09.000Z');
    expect(at('now+2d')).toBe('2026-03-06T15:07:09.000Z');
  });

  it('rounds down in from and up in to, in the zone', () => {
    expect(at('now/d')).toBe('2026-03-04T00:00:00.000Z');
    expect(at('now-1d/d', 'up')).toBe('2026-03-04T00:00:00.000Z');
    expect(at('now/w')).toBe('2026-03-02T00:00:00.000Z');
    expect(at('now/Q')).toBe('2026-01-01T00:00:00.000Z');
    expect(at('now/d', 'down', 'Asia/Kolkata')).toBe('2026-03-03T18:30:00.000Z');
  });

  it('moves a day over a change of the clock without losing its hour', () => {
    const before = resolveTime('now-1d', Date.UTC(2026, 2, 29, 12), 'Europe/Paris', 'down');
    expect(new Date(before ?? 0).toISOString()).toBe('2026-03-28T13:00:00.000Z');
  });

  it('reads ISO times, wall times of the zone, dates and epoch stamps', () => {
    expect(at('2026-03-04T10:00:00Z')).toBe('2026-03-04T10:00:00.000Z');
    expect(at('2026-03-04 10:00', 'down', 'Europe/Paris')).toBe('2026-03-04T09:00:00.000Z');
    expect(at('2026-03-04')).toBe('2026-03-04T00:00:00.000Z');
    expect(at('1772636829')).toBe('2026-03-04T15:07:09.000Z');
    expect(at('soon')).toBeNull();
  });

  it('refuses a range that ends before it begins', () => {
    expect(resolveRange({ from: 'now', to: 'now-1h' }, NOW, 'UTC')).toBeNull();
  });

  it('understands spoken ranges', () => {
    expect(readRange('last 3 hours')).toEqual(lastRange('3h'));
    expect(readRange('2 months')).toEqual(lastRange('2M'));
    expect(readRange('now-2d to now-1d')).toEqual({ from: 'now-2d', to: 'now-1d' });
    expect(readRange('yesterday')).toBeNull();
  });

  it('stands in the link as from and to', () => {
    const params = paramsWithRange(new URLSearchParams('q=x'), lastRange('24h'));
    expect(params.toString()).toBe('q=x&from=now-24h&to=now');
    expect(rangeOfParams(params, lastRange('5m'))).toEqual(lastRange('24h'));
    expect(rangeOfParams(new URLSearchParams(), lastRange('5m'))).toEqual(lastRange('5m'));
  });

  it('knows a quick range, moves and widens', () => {
    expect(quickSpan(lastRange('7d'))).toBe('7d');
    expect(quickSpan(absoluteRange(0, 1000))).toBeNull();
    expect(moveRange({ from: 100, to: 200 }, -1)).toEqual({ from: 0, to: 100 });
    expect(widenRange({ from: 100, to: 200 })).toEqual({ from: 50, to: 250 });
  });
});
