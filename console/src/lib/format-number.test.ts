import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount } from './format-number.ts';

describe('numbers', () => {
  it('[S9-13] writes K, M, B, T and P with two decimals', () => {
    expect([999, 1000, 1234, 1_230_000, 5e9, 7.125e12, 2e15].map(formatCount)).toEqual([
      '999',
      '1K',
      '1.23K',
      '1.23M',
      '5B',
      '7.13T',
      '2P',
    ]);
  });

  it('[S9-13] writes four decimals where two would show zero', () => {
    expect([0.004, 0.25, 0.00012, 0].map(formatCount)).toEqual(['0.004', '0.25', '0.0001', '0']);
  });

  it('[S9-13] writes bytes from B to PB', () => {
    expect([0, 512, 1536, 1024 ** 2, 3 * 1024 ** 3, 1024 ** 4, 2 * 1024 ** 5].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.5 KB',
      '1 MB',
      '3 GB',
      '1 TB',
      '2 PB',
    ]);
  });

  it('[S9-13] never writes a thousand of a unit that has a next one', () => {
    expect([999_990, 999_994, 999_995, 999_999_999, 1e15 - 1].map(formatCount)).toEqual([
      '999.99K',
      '999.99K',
      '1M',
      '1B',
      '1P',
    ]);
    expect([1023, 1024 ** 2 - 1, 1024 ** 3 - 1].map(formatBytes)).toEqual(['1023 B', '1 MB', '1 GB']);
  });

  it('keeps the sign and whole tens', () => {
    expect([-1500, 10_000, 100].map(formatCount)).toEqual(['-1.5K', '10K', '100']);
  });
});
