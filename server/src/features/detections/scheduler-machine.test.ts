import { describe, expect, it } from 'vitest';
import { boundariesOf, nextBoundaries, readCron } from './schedule-boundaries.ts';
import { OFF, type RuleState, retryDelayMs, stepScheduler } from './scheduler-machine.ts';

const MINUTE = 60_000;
const streamed = boundariesOf({ mode: 'streamed', cron: null, timezone: 'UTC' });
if (!streamed) throw new Error('streamed rules have boundaries');

const on = (at: number, backfillFrom: number | null = null): RuleState =>
  stepScheduler(OFF, { kind: 'enable', at, backfillFrom }).state;

const wake = (state: RuleState, watermark: number, mergeable = 1) =>
  stepScheduler(state, { kind: 'wake', now: watermark + 5_000, watermark, boundaries: streamed, mergeable });

describe('the scheduler machine', () => {
  it('starts at the moment of enabling and ends the first window at the next minute', () => {
    const { actions } = wake(on(10 * MINUTE + 17_000), 11 * MINUTE);
    expect(actions).toEqual([
      { kind: 'evaluate', evaluation: { from: 10 * MINUTE + 17_000, to: 11 * MINUTE, rerun: false } },
    ]);
  });

  it('waits until the watermark has passed the end of the window', () => {
    expect(wake(on(10 * MINUTE), 11 * MINUTE - 1).actions).toEqual([]);
    expect(wake(on(10 * MINUTE), 11 * MINUTE).actions).toHaveLength(1);
  });

  it('takes windows one by one when rows depend on each other, many at once when they do not', () => {
    const state = on(0);
    const one = wake(state, 500 * MINUTE).actions[0];
    const many = wake(state, 500 * MINUTE, 64).actions[0];
    expect(one).toMatchObject({ evaluation: { from: 0, to: MINUTE } });
    expect(many).toMatchObject({ evaluation: { from: 0, to: 64 * MINUTE } });
  });

  it('moves on only when the window that starts at its position is done', () => {
    const state = on(0);
    const evaluation = { from: 0, to: MINUTE, rerun: false };
    const done = stepScheduler(state, { kind: 'done', evaluation });
    expect(done.state.coveredUntil).toBe(MINUTE);
    expect(done.actions).toEqual([{ kind: 'record', evaluation }]);
    const again = stepScheduler(done.state, { kind: 'done', evaluation });
    expect(again).toEqual({ state: done.state, actions: [] });
  });

  it('backs off after failures, in single windows, and recovers at once', () => {
    const evaluation = { from: 0, to: MINUTE, rerun: false };
    let state = on(0);
    for (let failures = 1; failures <= 3; failures += 1) {
      const step = stepScheduler(state, { kind: 'failed', evaluation, now: 0 });
      expect(step.actions).toEqual([{ kind: 'record-failure', evaluation }]);
      expect(step.state.retryAt).toBe(retryDelayMs(failures));
      state = step.state;
    }
    expect(state).toMatchObject({ coveredUntil: 0, span: 1, failuresInARow: 3 });
    const early = { kind: 'wake', now: state.retryAt - 1, watermark: 9 * MINUTE, mergeable: 64 } as const;
    expect(stepScheduler(state, { ...early, boundaries: streamed }).actions).toEqual([]);
    expect(stepScheduler(state, { kind: 'done', evaluation }).state).toMatchObject({
      failuresInARow: 0,
      retryAt: 0,
      coveredUntil: MINUTE,
    });
    expect(retryDelayMs(40)).toBe(30 * MINUTE);
  });

  it('evaluates windows again in which events turned up late, before it goes on', () => {
    const state: RuleState = { ...on(0), coveredUntil: 5 * MINUTE };
    const window = { from: MINUTE, to: 2 * MINUTE };
    const ahead = { from: 5 * MINUTE, to: 6 * MINUTE };
    const marked = stepScheduler(state, { kind: 'late-events', windows: [window, window, ahead] }).state;
    expect(marked.late).toEqual([window]);
    const evaluation = { ...window, rerun: true };
    expect(wake(marked, 10 * MINUTE).actions).toEqual([{ kind: 'evaluate', evaluation }]);
    const done = stepScheduler(marked, { kind: 'done', evaluation });
    expect(done.state).toMatchObject({ late: [], coveredUntil: 5 * MINUTE });
  });

  it('covers the past when asked to, and forgets its position when it is switched off', () => {
    const state = on(100 * MINUTE, 40 * MINUTE);
    expect(state).toMatchObject({ coveredFrom: 40 * MINUTE, coveredUntil: 40 * MINUTE });
    expect(stepScheduler(state, { kind: 'disable' }).state).toEqual(OFF);
    expect(stepScheduler(state, { kind: 'enable', at: 200 * MINUTE, backfillFrom: null }).state).toBe(state);
  });
});

describe('schedule boundaries', () => {
  it('follows cron in a zone, across the change of summer time', () => {
    const daily = readCron('30 7 * * *', 'Europe/Berlin');
    const runs = nextBoundaries(daily, Date.parse('2026-10-24T00:00:00Z'), 3);
    expect(runs.map((run) => new Date(run).toISOString())).toEqual([
      '2026-10-24T05:30:00.000Z',
      '2026-10-25T06:30:00.000Z',
      '2026-10-26T06:30:00.000Z',
    ]);
  });

  it('always moves forward, also through the hour that comes twice', () => {
    const often = readCron('*/20 * * * *', 'Europe/Berlin');
    const runs = nextBoundaries(often, Date.parse('2026-10-24T23:30:00Z'), 12);
    expect(runs).toHaveLength(12);
    for (const [index, run] of runs.entries())
      if (index > 0) expect(run).toBeGreaterThan(runs[index - 1] ?? 0);
  });

  it.each([
    ['61 * * * *', 'UTC', /minute/i],
    ['* * * *', 'UTC', /five fields/],
    ['* * * * * *', 'UTC', /five fields/],
    ['* * * * *', 'Mars/Olympus', /timezone/i],
  ])('refuses %s in %s with a reason', (cron, zone, reason) => {
    expect(() => readCron(cron, zone)).toThrow(reason);
  });

  it('says that 30 February never comes', () => {
    expect(nextBoundaries(readCron('0 0 30 2 *', 'UTC'), 0, 5)).toEqual([]);
  });
});
