import { describe, expect, it } from 'vitest';
import { startClock, timeToAcknowledge, turnClock } from './case-clock.ts';

describe('case clock', () => {
  it('[S4-03] pauses while ON-HOLD, stops while CLOSED, goes on after a re-opening', () => {
    let clock = startClock(1_000);
    clock = turnClock(clock, 'OPEN', 11_000);
    clock = turnClock(clock, 'ON-HOLD', 111_000);
    clock = turnClock(clock, 'IN-PROGRESS', 116_000);
    expect(clock).toEqual({ statusSince: 116_000, workedMs: 15_000, onHoldMs: 100_000 });
    clock = turnClock(clock, 'CLOSED', 999_000);
    clock = turnClock(clock, 'OPEN', 1_000_000);
    expect(clock).toEqual({ statusSince: 1_000_000, workedMs: 16_000, onHoldMs: 100_000 });
  });

  it('counts a clock that was set back as no time', () => {
    expect(turnClock(startClock(5_000), 'OPEN', 1_000).workedMs).toBe(0);
  });

  it('acknowledges relative to the oldest signal', () => {
    expect(timeToAcknowledge(90_000, 30_000)).toBe(60);
    expect(timeToAcknowledge(30_000, 90_000)).toBe(0);
    expect(timeToAcknowledge(30_000, null)).toBeNull();
  });
});
