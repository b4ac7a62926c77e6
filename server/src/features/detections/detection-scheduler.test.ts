import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner } from './detection-runner.ts';
import { createDetectionScheduler } from './detection-scheduler.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const BACKLOG_MINUTES = 30;
const MOST_IN_TURN = 6;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
});
afterAll(() => app?.test.close());

/** Rounds until all is done: while both have a backlog, A, which has four times as many rules, uses its turn up in each. */
async function roundsAreFair(
  round: () => Promise<boolean>,
  windows: () => { readonly ofA: number; readonly ofB: number },
): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const before = windows();
    hasMore = await round();
    if (before.ofB >= BACKLOG_MINUTES - 1) continue;
    const after = windows();
    const [ofA, ofB] = [after.ofA - before.ofA, after.ofB - before.ofB];
    expect({ hasMore, isBServed: ofB > 0 }).toEqual({ hasMore: true, isBServed: true });
    expect(ofA).toBeGreaterThan(0);
    // A turn of two seconds holds four windows of half a second; each of the two rules at work may have begun one more.
    expect(Math.max(ofA, ofB)).toBeLessThanOrEqual(MOST_IN_TURN);
  }
}

describe('tenants that have a lot to catch up on', () => {
  it('take turns of bounded length, and every window is counted once', async () => {
    const { a, b } = app.company;
    const draft = detectionDraft('ProcessEvent | where ProcessName endswith "tool.exe"');
    for (const name of ['first', 'second', 'third', 'fourth']) {
      await app.call(contract.addWorkbook, { properties: { ...draft, name } });
    }
    const ofB = { clusterId: b.clusterId, scopeId: b.scope };
    await app.call(contract.addWorkbook, { properties: draft }, 'engineerOfB', ofB);

    const { postgres, eventStore: events, clock, log } = app.test.platform;
    clock.set(T0 + BACKLOG_MINUTES * 60_000);
    const order: string[] = [];
    const counted = new Map<string, number>();
    const runner = createDetectionRunner({
      postgres,
      events,
      definitions: createWorkbookReader(postgres),
      clock,
      log,
      owner: 'fair',
      evaluator: {
        traitsOf: async () => ({ streams: ['*'], rowByRow: false, rowsAreEvents: false, needsEvents: false }),
        evaluate: async (rule, _detection, window) => {
          clock.advance(500);
          order.push(rule.clusterId);
          const key = `${rule.workbookId} ${window.from}`;
          counted.set(key, (counted.get(key) ?? 0) + 1);
          return { rows: 0, occurrences: [] };
        },
      },
    });
    const scheduler = createDetectionScheduler({
      postgres,
      events,
      runner,
      clock,
      log,
      tenants: async () =>
        [a, b].map(({ clusterId, scope, otherScope }) => ({
          clusterId,
          scopeIds: [scope, otherScope],
          isPaused: false,
        })),
      prepareTenant: async () => undefined,
      arrivals: createArrivalMarks(postgres),
      signalDays: async () => 0,
    });

    const windowsOf = (clusterId: string): number => order.filter((tenant) => tenant === clusterId).length;
    await roundsAreFair(
      () => scheduler.round(),
      () => ({ ofA: windowsOf(a.clusterId), ofB: windowsOf(b.clusterId) }),
    );
    expect(counted.size).toBeGreaterThanOrEqual(5 * (BACKLOG_MINUTES - 1));
    expect(new Set(counted.values())).toEqual(new Set([1]));
  });
});
