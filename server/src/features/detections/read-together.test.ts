import type { Block } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import type { AskedDetection } from './asked-together.ts';
import { detectionsIn, type RuleDefinition } from './rule-definition.ts';
import { detectionDraft } from './testing/detection-app.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';

// One query reads the rows of rules that look at single events, and parts them as each rule's own query would.

const TOGETHER = [
  'ProcessEvent | where CommandLine has "alpha"',
  'ProcessEvent | where CommandLine contains "beta" | where ProcessId > 5',
  'Events | where DnsQuery endswith ".test" or CommandLine matches regex "^gamma"',
  'Events | where tostring(Ext.kind) == "x"',
  'ProcessEvent | where ProcessId < 3 or isnull(ProcessId)',
];
/** What is computed, counted, cut or asked of others is not read with others. */
const ALONE = [
  'ProcessEvent | where CommandLine has "alpha" | extend Length = strlen(CommandLine)',
  'ProcessEvent | where CommandLine has "alpha" | summarize IngestedTime = max(IngestedTime) by ActorUsername',
  'ProcessEvent | where CommandLine has "alpha" | take 1',
  'ProcessEvent | where CommandLine has "alpha" and ActorUsername in ((Dns | project ActorUsername))',
];

let platform: TestPlatform;
let clusterId: string;
let bench: DetectionBench;
let scopes: readonly string[];

const process = (CommandLine: string, ProcessId: number | null, more: object = {}) => ({
  ...{ Stream: 'ProcessEvent', ActorUsername: `user ${ProcessId}`, CommandLine, ProcessId },
  ...more,
});
const EVENTS = [
  [process('alpha one', 1), process('alpha two', 7, { Ext: { kind: 'x' } }), process('a beta', 9)],
  [process('a beta', 4), process('gamma', null), process('alpha', 2, { Ext: { kind: 'y' } })],
].map((events, at) => [
  ...events,
  { Stream: 'Dns', DnsQuery: `host${at}.test`, ActorUsername: `user ${at + 1}` },
]);

async function storedIn(scopeId: string, events: readonly object[]): Promise<string> {
  const moment = new Date().toISOString().replace('T', ' ').slice(0, 23);
  const rows = events.map((event) => ({
    Raw: '',
    ...event,
    Scope: scopeId,
    TimeGenerated: moment,
    IngestedTime: moment,
  }));
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await platform.eventStore.insertRows(clusterId, body, { dedupToken: scopeId });
  return scopeId;
}

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
  scopes = await Promise.all(EVENTS.map((events, at) => storedIn(`scope${at}`, events)));
});
afterAll(() => platform?.close());

const schedule = { mode: 'streamed', lookback_minutes: 0 } as RuleDefinition['schedule'];
const askedIn = (scopeId: string, kqls: readonly string[]): readonly AskedDetection[] =>
  kqls.flatMap((kql, at) => {
    const { blocks } = detectionDraft(kql) as { readonly blocks: readonly Block[] };
    const detections = detectionsIn(blocks);
    const rule = {
      clusterId,
      scopeId,
      workbookId: `w${at}`,
      name: kql,
      version: 1,
      stage: 'PROD',
      schedule,
      detections,
    };
    return detections.map((detection) => ({ rule, detection }));
  });
const windowNow = () => ({ from: Date.now() - 60_000, to: Date.now() + 60_000 });

describe('rules that look at single events', () => {
  it('[R-E2] find with the rows that were read together what each finds by itself', async () => {
    const asked = scopes.flatMap((scopeId) => askedIn(scopeId, [...TOGETHER, ...ALONE]));
    const window = windowNow();
    const known = await bench.evaluator.candidates?.(asked, window);
    const read = asked.filter((one) => known?.events.get(one)?.rows);
    expect(new Set(read.map(({ rule }) => rule.name))).toEqual(new Set(TOGETHER));
    let found = 0;
    for (const one of asked) {
      const { rule, detection } = one;
      const events = known?.events.get(one);
      const own = await bench.evaluator.evaluate(rule, detection, window);
      expect(await bench.evaluator.evaluate(rule, detection, window, { events })).toEqual(own);
      found += own.rows;
    }
    expect(found).toBeGreaterThan(asked.length / 2);
  });

  it('[R-E2] ask the engine once for the rows of all of them', async () => {
    const asked = scopes.flatMap((scopeId) => askedIn(scopeId, TOGETHER));
    const window = windowNow();
    const spy = vi.spyOn(platform.eventStore, 'query');
    const known = await bench.evaluator.candidates?.(asked, window);
    for (const one of asked)
      if (!known?.without.has(one))
        await bench.evaluator.evaluate(one.rule, one.detection, window, { events: known?.events.get(one) });
    const queries = spy.mock.calls.length;
    spy.mockRestore();
    // One counts the events that pass, one reads them.
    expect(queries).toBe(2);
  });

  it('[R-E2] ask for their own rows when they cannot be read together', async () => {
    const asked = scopes.flatMap((scopeId) => askedIn(scopeId, TOGETHER));
    const runPlan = bench.queries.runPlan.bind(bench.queries);
    const spy = vi
      .spyOn(bench.queries, 'runPlan')
      .mockImplementation((plan, request) =>
        plan.root.kind === 'compute' ? Promise.reject(new Error('no')) : runPlan(plan, request),
      );
    const known = await bench.evaluator.candidates?.(asked, windowNow());
    expect(spy.mock.calls.some(([{ root }]) => root.kind === 'compute')).toBe(true);
    spy.mockRestore();
    expect(known?.events.size).toBeGreaterThan(0);
    expect([...(known?.events.values() ?? [])].some(({ rows }) => rows)).toBe(false);
  });
});
