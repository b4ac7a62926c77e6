import * as contract from '@tyrian/contract';
import { type CompiledCorrelation, judgeSigma, kqlOf, readSigma, sigmaLibrary } from '@tyrian/sigma';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedCompiler } from '../../engines/testing/shared-compiler.ts';
import { type DetectionApp, detectionApp, type EventRow } from '../detections/testing/detection-app.ts';
import { createEventsStored } from '../search/events-stored.ts';
import { createQueryService, type QueryService } from '../search/query-service.ts';
import { createQuerySlots } from '../search/query-slots.ts';
import { importPack, rulesOf, windowsRule } from './testing/rule-imports.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;
let app: DetectionApp;
let queries: QueryService;

beforeAll(async () => {
  app = await detectionApp(T0);
  const { platform } = app.test;
  const none = { version: 'none', fields: [], extFields: [] };
  queries = createQueryService({
    events: platform.eventStore,
    compiler: sharedCompiler(),
    seenFields: { fieldsOf: async () => none, sampledFieldsOf: async () => none },
    slots: createQuerySlots(),
    stored: createEventsStored(platform.eventStore),
    clock: platform.clock,
  });
});
afterAll(() => app?.test.close());

const started = (time: number, columns: object = {}): EventRow => ({
  time,
  columns: {
    EventVendor: 'Microsoft',
    EventType: 'ProcessCreated',
    CommandLine: 'whoami',
    ActorUsername: 'ana',
    DvcHostname: 'pc-7',
    ...columns,
  },
});

const named = (name: string, tool: string): string =>
  windowsRule(name, `CommandLine: '${tool}'`).replace('level:', `name: ${name}\nlevel:`);
const TOOLS = `${named('who', 'whoami')}---\n${named('net', 'net user')}---\n${named('task', 'tasklist')}---\n`;
const correlation = (name: string, type: string, rules: string, more: string): string =>
  `title: Correlation ${name}\nname: ${name}\nlevel: high\nstatus: test\nauthor: Somebody Else\ntags: [attack.discovery, attack.t1033]\ncorrelation:\n  type: ${type}\n  rules: [${rules}]\n  group-by: [Computer]\n  timespan: 5m\n${more}`;

/** Numbers below `below`, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ORDERED = correlation('ordered', 'temporal_ordered', 'who, net', '');
const CASES = [
  correlation('enough', 'event_count', 'who', '  condition: {gte: 3}'),
  correlation('more', 'event_count', 'who, net', '  condition: {gt: 6}'),
  correlation('some', 'event_count', 'who', '  condition: {gte: 2, lt: 4}'),
  correlation('few', 'event_count', 'who', '  condition: {lte: 1}'),
  correlation('values', 'value_count', 'who, net', '  condition: {field: User, gte: 3}'),
  correlation('exact', 'value_count', 'who, net', '  condition: {field: User, eq: 2}'),
  correlation('sum', 'value_sum', 'who', '  condition: {field: ProcessId, gt: 120}'),
  correlation('avg', 'value_avg', 'who', '  condition: {field: ProcessId, neq: 50}'),
  correlation('high', 'value_percentile', 'who', '  condition: {field: ProcessId, percentile: 90, gt: 80}'),
  correlation('all', 'temporal', 'who, net, task', ''),
  correlation('two', 'temporal', 'who, net, task', '  condition: {gte: 2}'),
  ORDERED,
  correlation('three', 'temporal_ordered', 'who, net, task', ''),
  `${ORDERED}---\n${correlation('chain', 'temporal_ordered', 'ordered, task', '')}`,
  correlation('nogroup', 'event_count', 'who', '  condition: {gte: 8}').replace(
    '  group-by: [Computer]\n',
    '',
  ),
];

/** Minutes and groups in which a correlation is completed, by its plan and by its KQL. */
async function completedBy(text: string, where: { readonly clusterId: string; readonly scopeId: string }) {
  const documents = readSigma(`${TOOLS}${text}`);
  const last = documents.at(-1);
  const judged = last && judgeSigma(last, sigmaLibrary(documents), {});
  if (judged?.verdict !== 'runs') throw new Error(JSON.stringify(judged));
  const compiled = judged.compiled as CompiledCorrelation;
  const request = { clusterId: where.clusterId, scopes: [where.scopeId], queue: 'detections' } as const;
  const own = await queries.runPlan(compiled.plan, request);
  const group = own.columns.findIndex(({ name }) => name === 'Computer');
  const inMinutes = own.rows.map(
    (row) => `${String(row[0]).slice(0, 16)} ${group < 0 ? '' : String(row[group])}`,
  );
  const asked = await queries.run({ ...request, kql: kqlOf(compiled) ?? '' });
  const at = (name: string) => asked.columns.findIndex((column) => column.name === name);
  const found = asked.rows.map(
    (row) => `${String(row[at('TimeGenerated')]).slice(0, 16)} ${String(row[at('GroupBy1')])}`,
  );
  return { plan: [...new Set(inMinutes)].sort(), kql: found.sort() };
}

describe('a correlation', () => {
  it('[T-sigma] as KQL is completed for the same groups in the same minutes as by its plan', async () => {
    const random = numbers(7);
    const tools = ['whoami', 'net user', 'tasklist', 'other'];
    const where = { clusterId: app.company.b.clusterId, scopeId: app.company.b.scope };
    const events = Array.from({ length: 400 }, () =>
      started(T0 - 90 * MINUTE + random(80 * 60) * 1000, {
        CommandLine: tools[random(4)],
        DvcHostname: `pc-${random(5)}`,
        ActorUsername: ['ana', 'ben', 'eve', ''][random(4)],
        ProcessId: random(3) === 0 ? undefined : random(100),
      }),
    );
    await app.store(events, where);
    for (const text of CASES) {
      const { plan, kql } = await completedBy(text, where);
      expect(plan.length, text).toBeGreaterThan(0);
      expect(kql, text).toEqual(plan);
    }
  });

  it('[T-sigma] is switched on, raises one signal with its events when it is complete, and none for what is excepted', async () => {
    const { clock } = app.test.platform;
    await app.store([started(clock.now() - MINUTE, { DvcHostname: 'pc-1' })]);
    const report = await importPack(app, {
      'rules/tools.yml': `${TOOLS}${correlation('many', 'event_count', 'who', '  condition: {gte: 3}')}`,
    });
    expect(report).toMatchObject({ state: 'done', verdicts: { runs: 4 } });
    const rule = (await rulesOf(app)).find(({ kind }) => kind === 'correlation');
    expect(rule).toMatchObject({ can_run: true, verdict: 'runs' });
    const rule_id = rule?.rule_id ?? '';
    const { revision } = (await app.call(contract.readPackRule, { rule_id })).data;
    const except = { stage: 'prod', exceptions: [{ field: 'DvcHostname', values: ['pc-9'] }] };
    const saved = await app.call(contract.saveRuleOverlay, { rule_id, overlay: except, revision });
    expect(saved.http, saved.text).toBe(200);
    const threshold = { ...except, threshold: { count: 2, minutes: 5, field: 'DvcHostname' } };
    const refused = await app.call(contract.saveRuleOverlay, {
      rule_id,
      overlay: threshold,
      revision: saved.data.revision,
    });
    expect([refused.http, refused.text]).toEqual([422, expect.stringContaining('takes no threshold')]);
    await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true, stage: 'prod' });
    await app.scheduler.round();
    const from = clock.now();
    const users = ['ana', 'ben', 'eve', 'ana', 'ben'];
    for (const ActorUsername of users) {
      clock.advance(MINUTE);
      await app.store(
        ['pc-7', 'pc-9'].map((DvcHostname) => started(clock.now(), { ActorUsername, DvcHostname })),
      );
      while (await app.scheduler.round());
    }
    await app.runAfter(3);
    const list = await app.call(contract.listSignals, { start: from, end: clock.now(), view: 'all' });
    const signals = list.data.data.filter((signal) => signal.workbook_id === rule_id);
    expect(signals).toHaveLength(1);
    expect(signals[0]).toMatchObject({
      name: 'Correlation many: pc-7',
      score: 7,
      technique: 'T1033',
      suspects: [],
      targets: [{ type: 'host', value: 'pc-7' }],
    });
    const events = await app.call(contract.signalData, { signal_id: signals[0]?.signal_id });
    expect(events.http, events.text).toBe(200);
    expect(events.data.matched_by).toBe('events');
    expect(events.data.data).toHaveLength(users.length);
  });
});
