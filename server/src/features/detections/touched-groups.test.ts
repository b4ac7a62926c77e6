import { type SignalBody, signalBodySchema } from '@tyrian/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { newId } from '../../platform/new-id.ts';
import { createDetectionEvaluator, type DetectionEvaluator } from './evaluate-detection.ts';
import { MOST_FOLLOWED } from './followed-windows.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';
import { asGrouped } from './touched-groups.ts';

// A rule that looks back reads, window after window, only the groups that new events belong to, and finds what it finds when
// it reads everything each time.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTES = 24;
let platform: TestPlatform;
let clusterId: string;
let bench: DetectionBench;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
});
afterAll(() => platform.close());

const planOf = (kql: string) => bench.planOf(kql);

const SIGNAL: SignalBody = signalBodySchema.parse({
  name: 'Seen',
  tactic: 'Execution',
  technique: 'T1059',
  confidence: 'High',
  score: 5,
  suspects: [{ type: 'user', field: 'Who' }],
});
const ASKED = "ProcessEvent | where CommandLine has 'probe'";
const TOLD = 'StartTime = min(TimeGenerated), EventUids = make_set(EventUid, 100)';
const QUERIES = [
  `${ASKED} | summarize n = count(), ${TOLD} by Who = DvcHostname, TimeGenerated = bin(TimeGenerated, 5m) | where n >= 3`,
  `${ASKED} | summarize n = dcount(CommandLine), CompletedTime = max(IngestedTime), ${TOLD} by Who = ActorUsername | where n > 3`,
  `${ASKED} | extend Who = tolower(DvcHostname) | summarize n = count(), ${TOLD} by Who, ActorUsername, bin(TimeGenerated, 10m) | where n >= 4`,
  `${ASKED} | summarize n = count(), CompletedTime = max(IngestedTime), ${TOLD} by Who = ActorUsername, bin(TimeGenerated, 10m) | where n == 2`,
] as const;

const detectionOf = (query: string): Detection =>
  ({ kql: { body: { query } }, signal: { body: SIGNAL } }) as unknown as Detection;

const ruleOf = (scopeId: string, query: string, lookback: number): RuleDefinition => ({
  ...{ clusterId, scopeId, workbookId: newId(), name: 'Looks back', version: 1, stage: 'prod' },
  schedule: { mode: 'streamed', lookback_minutes: lookback } as RuleDefinition['schedule'],
  detections: [detectionOf(query)],
});

/** Mostly on time; some are of minutes before, few of another year. */
const event = fc.record({
  minute: fc.integer({ min: 0, max: MINUTES - 1 }),
  second: fc.integer({ min: 0, max: 59 }),
  ageMs: fc.oneof(
    { weight: 6, arbitrary: fc.constant(900) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 12 * MINUTE }) },
    { weight: 1, arbitrary: fc.constant(2_000 * 86_400_000) },
  ),
  host: fc.constantFrom<string>('PC-1', 'pc-1', 'pc-2', "pc'3", ''),
  user: fc.constantFrom('ana', 'bo', 'ch\u00E9', ''),
  command: fc.constantFrom('probe a', 'probe b', 'probe c', 'probe d', 'nothing'),
});

async function store(events: readonly ReturnType<typeof sampled>[number][]): Promise<string> {
  const scopeId = newId();
  const lines = events.map(({ minute, second, ageMs, host, user, command }) => {
    const ingested = T0 + minute * MINUTE + second * 1_000;
    return JSON.stringify({
      TimeGenerated: new Date(ingested - ageMs).toISOString(),
      IngestedTime: new Date(ingested).toISOString(),
      ...{ Stream: 'ProcessEvent', Scope: scopeId, ParseStatus: 'PAD' },
      ...{ DvcHostname: host, ActorUsername: user, CommandLine: command },
    });
  });
  await platform.eventStore.insertRows(clusterId, Buffer.from(`${lines.join('\n')}\n`), {
    dedupToken: newId(),
  });
  return scopeId;
}

const sampled = (seed: number) => fc.sample(event, { numRuns: 160, seed });

/** Ids of what a rule finds from one minute to the next; `evaluatorOf` is asked for each window. */
async function findings(
  rule: RuleDefinition,
  evaluatorOf: () => DetectionEvaluator,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const [detection] = rule.detections;
  for (let at = 0; detection && at < MINUTES; at += 1) {
    const window = { from: T0 + at * MINUTE, to: T0 + (at + 1) * MINUTE };
    const queryId = `rule-${newId()}`;
    const { occurrences } = await evaluatorOf().evaluate(rule, detection, window, { queryId });
    for (const { occurrenceId } of occurrences) found.add(occurrenceId);
  }
  return found;
}

describe('a rule that looks back', () => {
  it.each([11, 12, 13])(
    '[R-E2] finds what it finds when it reads everything each time (%i)',
    async (seed) => {
      const scopeId = await store(sampled(seed));
      let total = 0;
      for (const query of QUERIES) {
        const rule = ruleOf(scopeId, query, 11);
        const kept = createDetectionEvaluator(bench.queries);
        const spy = vi.spyOn(platform.eventStore, 'query');
        const narrow = await findings(rule, () => kept);
        const ids = spy.mock.calls.map(([, asked]) => asked.queryId ?? '');
        spy.mockRestore();
        const whole = await findings(rule, () => createDetectionEvaluator(bench.queries));
        expect([...narrow].sort(), query).toEqual([...whole].sort());
        // The first window, and one of each eleven from then on, read everything.
        const followed = ids.filter((id) => id.includes('-groups')).length;
        expect(followed, query).toBe(MINUTES - Math.ceil(MINUTES / (MOST_FOLLOWED + 1)));
        total += whole.size;
      }
      expect(total).toBeGreaterThan(10);
    },
  );

  it('[R-E2] reads everything after a gap, a window that runs again, and a change of the rule', async () => {
    const scopeId = await store(sampled(5));
    const kept = createDetectionEvaluator(bench.queries);
    const rule = ruleOf(scopeId, QUERIES[0], 11);
    const readsGroups = async (asked: RuleDefinition, minute: number): Promise<boolean> => {
      const spy = vi.spyOn(platform.eventStore, 'query');
      const window = { from: T0 + minute * MINUTE, to: T0 + (minute + 1) * MINUTE };
      await kept.evaluate(asked, asked.detections[0] as Detection, window, { queryId: `rule-${newId()}` });
      const ids = spy.mock.calls.map(([, { queryId }]) => queryId ?? '');
      spy.mockRestore();
      return ids.some((id) => id.includes('-groups'));
    };
    expect(await readsGroups(rule, 3)).toBe(false);
    expect(await readsGroups(rule, 4)).toBe(true);
    expect(await readsGroups(rule, 6)).toBe(false);
    expect(await readsGroups(rule, 7)).toBe(true);
    expect(await readsGroups(rule, 4)).toBe(false);
    expect(await readsGroups(rule, 8)).toBe(false);
    expect(await readsGroups({ ...rule, version: 2 }, 9)).toBe(false);
  });

  it('[R-E2] asks for no values that are too long, and finds the same', async () => {
    const long = (host: string): string => host.padEnd(70_000, 'x');
    const scopeId = await store(sampled(9).map((one) => ({ ...one, host: long(one.host) })));
    const rule = ruleOf(scopeId, QUERIES[0], 11);
    const kept = createDetectionEvaluator(bench.queries);
    const spy = vi.spyOn(platform.eventStore, 'query');
    const narrow = await findings(rule, () => kept);
    const longest = Math.max(
      ...spy.mock.calls.map(([, { sql, params }]) => sql.length + JSON.stringify(params ?? {}).length),
    );
    spy.mockRestore();
    const whole = await findings(rule, () => createDetectionEvaluator(bench.queries));
    expect([...narrow].sort()).toEqual([...whole].sort());
    expect(whole.size).toBeGreaterThan(0);
    expect(longest).toBeLessThan(64 * 1024);
  });

  it('[R-E2] goes on after windows in which nothing of it came in', async () => {
    const events = sampled(7).filter(({ minute }) => minute < 5 || minute > 7);
    const scopeId = await store(events);
    const kept = createDetectionEvaluator(bench.queries);
    const rule = ruleOf(scopeId, QUERIES[0], 11);
    const another = ruleOf(scopeId, QUERIES[3], 11);
    const asked = [rule, another].flatMap((one) =>
      one.detections.map((detection) => ({ rule: one, detection })),
    );
    const ran: number[] = [];
    const spy = vi.spyOn(platform.eventStore, 'query');
    for (let minute = 3; minute < 10; minute += 1) {
      const window = { from: T0 + minute * MINUTE, to: T0 + (minute + 1) * MINUTE };
      const { without } = (await kept.candidates?.(asked, window)) ?? { without: new Set() };
      for (const one of asked.filter((each) => !without.has(each))) {
        ran.push(minute);
        await kept.evaluate(one.rule, one.detection, window, { queryId: `rule-${newId()}` });
      }
    }
    const ids = spy.mock.calls.map(([, { queryId }]) => queryId ?? '');
    spy.mockRestore();
    expect(ran.some((minute) => minute > 4 && minute < 8)).toBe(false);
    // All but the first of each rule.
    expect(ids.filter((id) => id.includes('-groups'))).toHaveLength(ran.length - 2);
  });

  it.each([
    ['by DvcHostname, bin(TimeGenerated, 5m) | where n > 2 | sort by n', true],
    ['by tolower(DvcHostname), bin(TimeGenerated, 5m) | where n > 2', true],
    ['by DvcHostname | where n > 2', false],
    ['by DvcHostname, Hour = bin(TimeGenerated, 1h) | where n > 2', false],
    ['by DvcHostname, bin(TimeGenerated, 5m) | where n > 2 | take 3', false],
    ['by DvcHostname, bin(TimeGenerated, 5m) | summarize m = count() by n | where m > 2', false],
  ])('[R-E2] knows which groups tell nothing new without a new event: %s', async (rest, expected) => {
    expect(asGrouped(await planOf(`${ASKED} | summarize n = count() ${rest}`)) !== null).toBe(expected);
  });

  it.each([
    ['union ProcessEvent, Dns', true],
    [`${ASKED} | take 9`, false],
    [`${ASKED} | join kind=inner (Dns) on DvcHostname`, false],
    [`${ASKED} | where DvcHostname in (Dns | project DvcHostname)`, false],
  ])('[R-E2] knows which groups are of single events: %s', async (before, expected) => {
    const plan = await planOf(`${before} | summarize n = count() by DvcHostname, bin(TimeGenerated, 5m)`);
    expect(asGrouped(plan) !== null).toBe(expected);
  });
});
