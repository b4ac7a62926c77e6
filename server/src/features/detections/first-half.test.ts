import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createWorkbookReader } from '../workbooks/workbook-reader.ts';
import { createDetectionRunner, type DetectionRunner } from './detection-runner.ts';
import type { Window } from './scheduler-machine.ts';
import { startRules } from './start-rules.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';
import { detectionBench } from './testing/detection-bench.ts';

// The minutes of a busy scope on the real engines: what came in their first half is found before they are over, and once.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const BUSY = 3;
const ONE_BY_ONE = "ProcessEvent\n| where ProcessName endswith 'tool.exe'";
const COUNTED = 'ProcessEvent\n| summarize Starts = count() by ActorUsername, DvcHostname';

let app: DetectionApp;
let runner: DetectionRunner;
/** The minute at hand begins then; the one before was busy. */
let minute = T0;
/** What was evaluated, by the name of the rule. */
let evaluated: { readonly name: string; readonly window: Window }[] = [];

beforeAll(async () => {
  app = await detectionApp(T0);
  joined = await add('joins', ONE_BY_ONE);
  await app.call(contract.setWorkbookVisibility, { ID: joined, enabled: false });
  const { postgres, eventStore: events, clock, log } = app.test.platform;
  const { evaluator } = detectionBench(app.test.platform, app.company.a.clusterId);
  runner = createDetectionRunner({
    ...{ postgres, events, clock, log, owner: 'test', eventsForHalves: BUSY },
    definitions: createWorkbookReader(postgres),
    evaluator: {
      ...evaluator,
      evaluate: (rule, detection, { from, to }, terms) => {
        evaluated.push({ name: rule.name, window: { from, to } });
        return evaluator.evaluate(rule, detection, { from, to }, terms);
      },
    },
  });
});
afterAll(() => app?.test.close());

/** A rule that is off. */
let joined = '';
const EACH_MINUTE: contract.Schedule = {
  ...{ mode: 'streamed', cron: null, timezone: 'UTC', lookback_minutes: 0 },
};

const run = async (seconds: number): Promise<void> => {
  app.test.platform.clock.set(minute + seconds * 1000);
  evaluated = [];
  await runner.runDue({ clusterId: app.company.a.clusterId });
};
/** Starts of a program so many seconds after the minute began. */
const starts = (user: string, ...seconds: number[]) =>
  app.store(
    seconds.map((second) => ({
      time: minute + second * 1000,
      columns: { ActorUsername: user, DvcHostname: 'pc-1', ProcessName: 'tool.exe' },
    })),
  );
const add = async (name: string, query: string): Promise<string> =>
  (await app.call(contract.addWorkbook, { properties: detectionDraft(query, { name }) })).data.ID;
const signalsOf = async (ID: string) => {
  const addfilters = [{ filter_key: 'workbook_id', filter_value: ID }];
  const { data } = (await app.call(contract.listSignals, { addfilters, sort: 'first_time', order: 'asc' }))
    .data;
  return data.map(({ suspects, occurrences }) => [suspects[0]?.value, occurrences]);
};
const ledgerOf = async (ID: string) =>
  (await app.call(contract.ruleLedger, { ID })).data.data.filter(({ from }) => from === minute);
const ofRule = (name: string) =>
  evaluated
    .filter((one) => one.name === `${name} ${round}`)
    .map(({ window }) => [window.from - minute, window.to - minute]);

/** Tests so far: each has rules of its own. */
let round = 0;
let single = '';
let counted = '';

/** Two rules that keep step, at the end of a minute with many events. */
beforeEach(async () => {
  minute += 2 * MINUTE;
  app.test.platform.clock.set(minute + 1000);
  for (const ID of [single, counted].filter(Boolean))
    await app.call(contract.setWorkbookVisibility, { ID, enabled: false });
  round += 1;
  single = await add(`one by one ${round}`, ONE_BY_ONE);
  counted = await add(`counted ${round}`, COUNTED);
  await run(70);
  minute += 2 * MINUTE;
  await run(6);
  await starts('busy', 10, 20, 30, 40);
  minute += MINUTE;
  await run(6);
});

const FIRST = [0, 30_000];
const SECOND = [30_000, MINUTE];
const WHOLE = [0, MINUTE];

it('[S4-11] finds single events in the first half of a busy minute, and those of the second when it is over', async () => {
  await starts('early', 5, 8);
  await run(36);
  expect(await signalsOf(single)).toEqual([
    ['busy', 4],
    ['early', 2],
  ]);
  expect([ofRule('one by one'), ofRule('counted')]).toEqual([[FIRST], []]);
  await starts('late', 50);
  await starts('early', 51);
  await run(66);
  expect([ofRule('one by one'), ofRule('counted')]).toEqual([[SECOND], [WHOLE]]);
  expect(await signalsOf(single)).toEqual([
    ['busy', 4],
    ['early', 3],
    ['late', 1],
  ]);
  const users = (await signalsOf(counted)).map(([user]) => user);
  expect(users.sort()).toEqual(['busy', 'early', 'late']);
  // One window, with what was found in both halves.
  expect(await ledgerOf(single)).toMatchObject([
    { from: minute, to: minute + MINUTE, rows: 4, signals: 2, occurrences: 3, events_seen: 4 },
  ]);
});

it('evaluates nothing again where the second half is empty, and tells in the ledger what the first held', async () => {
  await starts('early', 5, 8, 9);
  await run(36);
  await run(66);
  expect(ofRule('one by one')).toEqual([]);
  expect(await ledgerOf(single)).toMatchObject([{ rows: 3, signals: 1, occurrences: 1, events_seen: 3 }]);
});

it('evaluates the whole minute where an event came to the first half after it was evaluated', async () => {
  await starts('early', 5);
  await run(36);
  await starts('tardy', 6);
  await run(66);
  expect(ofRule('one by one')).toEqual([WHOLE]);
  expect((await signalsOf(single)).slice(-2)).toEqual([
    ['early', 1],
    ['tardy', 1],
  ]);
});

it('evaluates the whole minute where a rule has begun to keep step since', async () => {
  await starts('early', 5);
  await run(36);
  const { clusterId, scope: scopeId } = app.company.a;
  const { postgres, clock } = app.test.platform;
  const joins = { clusterId, scopeId, workbookIds: [joined], schedule: EACH_MINUTE, isLastTry: false };
  expect(await postgres.inTenant(clusterId, (trx) => startRules(clock, trx, joins))).toBe(true);
  await run(66);
  expect([ofRule('one by one'), evaluated.some(({ name }) => name === 'joins')]).toEqual([[WHOLE], true]);
  expect((await signalsOf(single)).slice(-1)).toEqual([['early', 1]]);
  expect(await signalsOf(joined)).toEqual([['early', 1]]);
});

it('leaves minutes whole after one with few events, and where most of a half is over already', async () => {
  await starts('few', 5);
  await run(50);
  expect(evaluated).toEqual([]);
  await run(66);
  expect(ofRule('one by one')).toEqual([WHOLE]);
  minute += MINUTE;
  await starts('few', 5);
  await run(36);
  expect(evaluated).toEqual([]);
  await run(66);
  expect(ofRule('one by one')).toEqual([WHOLE]);
});
