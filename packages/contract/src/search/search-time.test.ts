import { describe, expect, it } from 'vitest';
import { isTimezone, resolveTime } from './search-time.ts';

const nowMs = Date.UTC(2026, 2, 29, 12, 34, 56, 789); // the day on which Paris loses an hour
const at = (text: string | number, zone = 'UTC', edge: 'from' | 'to' = 'from') =>
  resolveTime(text, { nowMs, zone, edge });

describe('time text of searches', () => {
  it('reads epoch, ISO and relative text', () => {
    expect(at(1_700_000_000_123)).toBe(1_700_000_000_123);
    expect(at('1700000000')).toBe(1_700_000_000_000);
    expect(at('2026-03-01')).toBe(Date.UTC(2026, 2, 1));
    expect(at('2026-03-01T10:00:00+02:00')).toBe(Date.UTC(2026, 2, 1, 8));
    expect(at('2026-03-01 10:00', 'Asia/Kolkata')).toBe(Date.UTC(2026, 2, 1, 4, 30));
    expect(at('now-15m')).toBe(nowMs - 900_000);
    expect(at('now-1M')).toBe(Date.UTC(2026, 1, 28, 12, 34, 56, 789));
  });

  it('rounds from down and to up, where the zone begins its days', () => {
    expect(at('now/d')).toBe(Date.UTC(2026, 2, 29));
    expect(at('now/d', 'UTC', 'to')).toBe(Date.UTC(2026, 2, 30));
    expect(at('now/w')).toBe(Date.UTC(2026, 2, 23));
    expect(at('now/d', 'Asia/Kolkata')).toBe(Date.UTC(2026, 2, 28, 18, 30));
    const paris = [at('now/d', 'Europe/Paris'), at('now/d', 'Europe/Paris', 'to')];
    expect(paris).toEqual([Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22)]); // 23 hours
  });

  it('refuses what is none of the three', () => {
    for (const text of ['', 'yesterday', 'now-5', 'now-5x', '2026-13-01', '1 OR 1=1'])
      expect(at(text)).toBeNull();
    expect([isTimezone('Europe/Paris'), isTimezone('Mars/Base'), isTimezone('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
