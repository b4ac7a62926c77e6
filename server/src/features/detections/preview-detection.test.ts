import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

// A preview tells what the scheduler would have raised: the same rule runs over the same events, and both are compared.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const STREAMED = { mode: 'streamed', cron: null, timezone: 'UTC' } as const;
let app: DetectionApp;
let nowMs = T0;

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.scheduler.round();
  await app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) =>
    sql`update rule set enabled = false, covered_from = null, covered_until = null`.execute(trx),
  );
});
afterAll(() => app?.test.close());

const at = (ms: number) => {
  nowMs = ms;
  app.test.platform.clock.set(ms);
};

/** Failed sign-ins of a user, so many a minute from a minute on, stored two seconds after they happened. */
const failures = (start: number, user: string, minute: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    time: start + minute * MINUTE + index * 900,
    ingested: start + minute * MINUTE + index * 900 + 2_000,
    stream: 'Authentication',
    columns: { EventResult: 'Failure', ActorUsername: user, DvcHostname: `pc-${index % 3}` },
  }));

const told = (signal: {
  name: string;
  occurrences: number;
  first_time: number;
  last_time: number;
  suspects: readonly unknown[];
  targets: readonly unknown[];
}) => ({
  name: signal.name,
  occurrences: signal.occurrences,
  first_time: signal.first_time,
  last_time: signal.last_time,
  suspects: signal.suspects,
  targets: signal.targets,
});

/** Runs a draft live over forty minutes of sign-ins, and asks for its preview over the same. */
async function bothWays(draft: object) {
  // A schedule that begins with a window: of its first one the scheduler evaluates what comes after it was switched on.
  at(Math.ceil((nowMs + 600 * MINUTE) / (60 * MINUTE)) * 60 * MINUTE);
  const start = nowMs;
  const { ID } = (await app.call(contract.addWorkbook, { properties: draft, commit_message: '' })).data;
  const slow = Array.from({ length: 20 }, (_, index) => failures(start, 'slow', index, 1)).flat();
  await app.store([
    ...slow,
    ...failures(start, 'burst', 3, 12),
    ...failures(start, 'twice', 5, 4),
    ...failures(start, 'twice', 9, 4),
    ...failures(start, 'edge', 12, 2),
    ...failures(start, 'edge', 13, 2),
    { time: start + 40 * MINUTE - 10_000, stream: 'Authentication', columns: { EventResult: 'Success' } },
  ]);
  at(start + 40 * MINUTE + 10_000);
  for (let round = 0; round < 4; round += 1) await app.scheduler.round();
  const live = await app.call(contract.listSignals, {
    addfilters: [{ filter_key: 'workbook_id', filter_value: ID }],
    sort: 'first_time',
    order: 'asc',
    pagesize: 200,
  });
  const [health] = (await app.call(contract.ruleHealth, { IDs: [ID] })).data;
  await app.call(contract.deleteWorkbook, { ID });
  const asked = vi.spyOn(app.test.platform.eventStore, 'query');
  const preview = await app.call(contract.previewDetection, {
    properties: draft,
    start,
    end: start + 40 * MINUTE,
  });
  const queries = asked.mock.calls.length;
  asked.mockRestore();
  expect(preview.http, preview.text).toBe(200);
  const sorted = (signals: readonly Parameters<typeof told>[0][]) =>
    signals.map(told).sort((a, b) => a.first_time - b.first_time || (a.name < b.name ? -1 : 1));
  return {
    start,
    live: sorted(live.data.data),
    previewed: sorted(preview.data.samples),
    preview: preview.data,
    queries,
    health,
  };
}

const THRESHOLD = 'Authentication | where EventResult == "Failure" | summarize Failures = count()';
const ENTITIES = {
  name: 'Guesses for _$ActorUsername_',
  suspects: [{ type: 'user' as const, field: 'ActorUsername' }],
  targets: [],
};
const threshold = (rest: string, lookback_minutes: number, signal: typeof ENTITIES = ENTITIES) =>
  detectionDraft(`${THRESHOLD} ${rest}`, {
    name: `Threshold ${rest} ${lookback_minutes}`,
    schedule: { ...STREAMED, lookback_minutes },
    signal,
  });

describe('a preview raises what the scheduler raises', () => {
  it.each([
    ['without look-back', 'by ActorUsername | where Failures >= 4', 0, 2],
    ['with look-back', 'by ActorUsername | where Failures >= 4', 10, 4],
    ['in bins', 'by ActorUsername, StartTime = bin(TimeGenerated, 5m) | where Failures >= 4', 10, 4],
    [
      'with a join',
      'by ActorUsername | where Failures >= 4 | join kind=inner (Authentication | distinct ActorUsername, DvcHostname) on ActorUsername',
      6,
      1,
    ],
    ['with a limit', 'by ActorUsername | top 1 by Failures | where Failures >= 4', 10, 1],
    [
      'ranked',
      'by ActorUsername | sort by Failures desc | extend Rank = row_number() | where Rank == 1 and Failures >= 4',
      10,
      1,
    ],
  ])('[R-C28] of a threshold rule %s', async (_what, rest, lookback, atLeast) => {
    const { live, previewed, preview, health } = await bothWays(threshold(rest, lookback));
    expect(health?.last_error).toBe(null);
    expect(live.length).toBeGreaterThanOrEqual(atLeast);
    expect(previewed).toEqual(live);
    expect(preview).toMatchObject({ signals: live.length, rows: health?.rows_total, windows: 40 });
    expect(preview).toMatchObject({ capped: false, cut: false, uses_now: false });
  });

  it('[R-C28] of a rule of single events, by one query for all its windows', async () => {
    const draft = detectionDraft('Authentication | where EventResult == "Failure"', {
      name: 'Single',
      schedule: { ...STREAMED, lookback_minutes: 0 },
      signal: ENTITIES,
    });
    const { live, previewed, preview, queries } = await bothWays(draft);
    expect(live).toHaveLength(4);
    expect(previewed).toEqual(live);
    expect([preview.windows, queries]).toEqual([40, 1]);
  });

  it('[R-C28] of a rule that runs every quarter of an hour', async () => {
    const draft = detectionDraft(`${THRESHOLD} by ActorUsername | where Failures >= 6`, {
      name: 'Quarters',
      schedule: { mode: 'scheduled', cron: '*/15 * * * *', timezone: 'UTC', lookback_minutes: 0 },
      signal: ENTITIES,
    });
    const { live, previewed, preview, start } = await bothWays(draft);
    expect(live.map((signal) => signal.name)).toEqual([
      'Guesses for burst',
      'Guesses for slow',
      'Guesses for twice',
    ]);
    expect(previewed).toEqual(live);
    expect(preview.covered).toEqual({ from: start, to: start + 30 * MINUTE });
  });

  it('[R-C28] nothing for a threshold that no single minute reaches, and times of windows for what it finds', async () => {
    const none = await bothWays(threshold('by ActorUsername | where Failures >= 15', 0));
    expect([none.live, none.previewed]).toEqual([[], []]);
    const some = await bothWays(threshold('by ActorUsername | where Failures >= 10', 0));
    const [burst] = some.previewed;
    expect(burst).toMatchObject({
      first_time: some.start + 3 * MINUTE,
      last_time: some.start + 4 * MINUTE - 1,
    });
  });
});

describe('a preview', () => {
  it('[R-C28] asks the engine a few times for a day of minutes, and for a week at most', async () => {
    const properties = threshold('by ActorUsername | where Failures >= 4', 30);
    const { eventStore } = app.test.platform;
    const asked = vi.spyOn(eventStore, 'query');
    const day = 1440 * MINUTE;
    const ask = (days: number) =>
      app.call(contract.previewDetection, { properties, start: nowMs - days * day, end: nowMs });
    const one = await ask(1);
    expect(one.data).toMatchObject({ windows: 1440, cut: false });
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    const many = await ask(30);
    expect(many.data).toMatchObject({ windows: 7 * 1440, cut: true });
    expect(many.data.covered.to - many.data.covered.from).toBe(7 * day);
    asked.mockRestore();
  });

  it('[R-C28] says that a query which asks for the time of its run has but one in a preview', async () => {
    const properties = detectionDraft('Authentication | where TimeGenerated > ago(1h)', { signal: ENTITIES });
    const { data } = await app.call(contract.previewDetection, {
      properties,
      start: nowMs - MINUTE,
      end: nowMs,
    });
    expect(data.uses_now).toBe(true);
  });
});
