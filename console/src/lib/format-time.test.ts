import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatTime,
  formatWholeDuration,
  offsetMinutes,
  toEpochMs,
  zoneOffset,
} from './format-time.ts';

const TIME = Date.UTC(2026, 2, 4, 15, 7, 9, 123);

describe('times', () => {
  it('[S9-14] writes the three forms of the specification', () => {
    expect(formatTime(TIME, 'longDate', 'UTC')).toBe('4 Mar 2026, 3:07:09 PM');
    expect(formatTime(TIME, 'dateTime', 'UTC')).toBe('4/3/2026 15:07:09');
    expect(formatTime(TIME, 'monthDayYear', 'UTC')).toBe('Mar 4, 2026');
    expect(formatTime(Date.UTC(2026, 0, 1, 0, 5), 'longDate', 'UTC')).toBe('1 Jan 2026, 12:05:00 AM');
    expect(formatTime(Date.UTC(2026, 10, 21, 12, 0, 1), 'longDate', 'UTC')).toBe('21 Nov 2026, 12:00:01 PM');
    expect(formatTime(Date.UTC(2026, 10, 21, 5, 4, 3), 'dateTime', 'UTC')).toBe('21/11/2026 5:04:03');
  });

  it('[S9-14] takes a stamp under 11 digits for seconds', () => {
    expect(toEpochMs(1_772_636_829)).toBe(1_772_636_829_000);
    expect(toEpochMs(1_772_636_829_123)).toBe(1_772_636_829_123);
    expect([9_999_999_999, 10_000_000_000].map(toEpochMs)).toEqual([9_999_999_999_000, 10_000_000_000]);
    expect(formatTime(1_772_636_829, 'iso', 'UTC')).toBe(formatTime(1_772_636_829_000, 'iso', 'UTC'));
  });

  it('writes the wall clock of a zone, across daylight saving', () => {
    expect(formatTime(TIME, 'iso', 'Asia/Kolkata')).toBe('2026-03-04 20:37:09.123');
    expect(offsetMinutes('Europe/Paris', Date.UTC(2026, 6, 1))).toBe(120);
    expect(zoneOffset('Asia/Kolkata', TIME)).toBe('UTC+05:30');
    expect(zoneOffset('America/New_York', TIME)).toBe('UTC-05:00');
    expect(zoneOffset('UTC', TIME)).toBe('UTC');
  });

  it('writes a length of time in its two largest units', () => {
    expect([400, 45_000, 754_000, 3_600_000, 93_600_000].map((ms) => formatDuration(ms))).toEqual([
      '400 ms',
      '45 s',
      '12 min 34 s',
      '1 h',
      '1 d 2 h',
    ]);
    expect([0.4, 1_999, 93_600_000].map((ms) => formatDuration(ms, 'ru-RU'))).toEqual([
      '0 мс',
      '1 с',
      '1 д 2 ч',
    ]);
  });

  it('[R-C26] counts in no less than seconds what nobody counts in less', () => {
    expect([0, 400, 1_999, 754_000].map((ms) => formatWholeDuration(ms))).toEqual([
      '0 s',
      '0 s',
      '1 s',
      '12 min 34 s',
    ]);
    expect(formatWholeDuration(0, 'zh-CN')).toBe('0 秒');
  });
});
