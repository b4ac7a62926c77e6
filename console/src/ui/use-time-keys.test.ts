import { describe, expect, it } from 'vitest';
import { rangeAfterKey, rangeOfText } from './use-time-keys.ts';

const RANGE = { from: Date.UTC(2026, 2, 4, 10), to: Date.UTC(2026, 2, 4, 12) };
const at = (hour: number) => new Date(Date.UTC(2026, 2, 4, hour)).toISOString();

describe('keys of the time range', () => {
  it('widen around the middle, move by half, and make absolute', () => {
    expect(rangeAfterKey('z', RANGE)).toEqual({ from: at(9), to: at(13) });
    expect(rangeAfterKey('ArrowLeft', RANGE)).toEqual({ from: at(9), to: at(11) });
    expect(rangeAfterKey('ArrowRight', RANGE)).toEqual({ from: at(11), to: at(13) });
    expect(rangeAfterKey('a', RANGE)).toEqual({ from: at(10), to: at(12) });
    expect(rangeAfterKey('x', RANGE)).toBeNull();
  });

  it('take what was copied, and what people write', () => {
    expect(rangeOfText('now-7d to now-1d')).toEqual({ from: 'now-7d', to: 'now-1d' });
    expect(rangeOfText(`${at(3)} to ${at(4)}`)).toEqual({ from: at(3), to: at(4) });
    expect(rangeOfText('last 3 hours')).toEqual({ from: 'now-3h', to: 'now' });
    expect(rangeOfText(`${at(4)} to ${at(3)}`)).toBeNull();
    expect(rangeOfText('https://example.org')).toBeNull();
  });
});
