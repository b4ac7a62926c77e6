import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner } from './detection-runner.ts';
import { createDetectionScheduler } from './detection-scheduler.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const BACKLOG_MINUTES = 30;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
});
afterAll(() => app?.test.close());

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

    expect(await scheduler.round()).toBe(true);
    expect(new Set(order)).toEqual(new Set([a.clusterId, b.clusterId]));
    while (await scheduler.round());
    // While both have a backlog. A turn of two seconds holds four windows of half a second, and what other rules at work
    // begin before they hear that it is over: less than two turns in a row.
    let inRow = 0;
    for (const [at, clusterId] of order.slice(0, BACKLOG_MINUTES).entries()) {
      inRow = clusterId === order[at - 1] ? inRow + 1 : 1;
      expect(inRow).toBeLessThan(8);
    }
    expect(counted.size).toBeGreaterThanOrEqual(5 * (BACKLOG_MINUTES - 1));
    expect(new Set(counted.values())).toEqual(new Set([1]));
  });
});
