import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { createRuleContentReader } from './rule-content-reader.ts';
import { importPack, rulesOf, windowsRule } from './testing/rule-imports.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
});
afterAll(() => app?.test.close());

const started = (time: number, columns: object = {}) => ({
  time,
  columns: {
    EventVendor: 'Microsoft',
    EventType: 'ProcessCreated',
    CommandLine: 'whoami /all',
    ActorUsername: 'ana',
    DvcHostname: 'pc-7',
    ProcessName: 'C:\\Windows\\System32\\whoami.exe',
    ...columns,
  },
});

describe('an imported rule', () => {
  it('[T-rules] is switched on and raises a signal that names it, with its level, its technique and its author', async () => {
    await app.store([started(T0 - MINUTE)]);
    const report = await importPack(app, {
      'rules/whoami.yml': windowsRule('Whoami was run', "CommandLine|contains: 'whoami'"),
    });
    expect(report).toMatchObject({ state: 'done', verdicts: { runs: 1 }, changes: { new: 1 } });
    const [rule] = await rulesOf(app);
    expect(rule).toMatchObject({ title: 'Whoami was run', verdict: 'runs', enabled: false, can_run: true });
    const rule_id = rule?.rule_id ?? '';
    const on = await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true, stage: 'prod' });
    expect(on.data).toEqual({ switched: 1, skipped: 0 });
    await app.scheduler.round();
    const { clock } = app.test.platform;
    clock.advance(MINUTE);
    await app.store([started(clock.now())]);
    await app.runAfter(2);
    const list = await app.call(contract.listSignals, {
      start: T0 - 10 * MINUTE,
      end: clock.now(),
      view: 'all',
    });
    const signals = list.data.data.filter((signal) => signal.workbook_id === rule_id);
    expect(signals).toHaveLength(1);
    expect(signals[0]).toMatchObject({
      name: 'Whoami was run',
      score: 7,
      stage: 'prod',
      tactic: 'Execution',
      technique: 'T1059',
      sub_technique: 'T1059.001',
      targets: [{ type: 'host', value: 'pc-7' }],
    });
    const kb = await app.call(contract.signalKnowledge, { workbook_id: rule_id });
    expect(kb.text).toContain('Somebody Else');
  });

  it('[T-rules] raises nothing for what its scope excepts, also after an update of the pack', async () => {
    const rule_id = (await rulesOf(app))[0]?.rule_id ?? '';
    const overlay = { stage: 'prod', exceptions: [{ field: 'ActorUsername', values: ['ana'] }] };
    const { revision } = (await app.call(contract.readPackRule, { rule_id })).data;
    await app.call(contract.saveRuleOverlay, { rule_id, overlay, revision });
    const changed = windowsRule('Whoami was run', "CommandLine|contains: 'whoami /all'");
    await importPack(app, { 'rules/whoami.yml': changed });
    const { clock } = app.test.platform;
    while (await app.scheduler.round());
    clock.advance(MINUTE);
    await app.store([
      started(clock.now(), { DvcHostname: 'pc-8' }),
      started(clock.now(), { ActorUsername: 'eve', DvcHostname: 'pc-9' }),
    ]);
    await app.runAfter(2);
    const list = await app.call(contract.listSignals, { start: T0, end: clock.now(), view: 'all' });
    const hosts = list.data.data.flatMap(({ targets }) => targets.map(({ value }) => value));
    expect(hosts.sort()).toEqual(['pc-7', 'pc-9']);
  });

  it('[T-rules] is read by the scheduler once, and again when something about it has changed', async () => {
    const { a } = app.company;
    const rule_id = (await rulesOf(app))[0]?.rule_id ?? '';
    const reader = createRuleContentReader(app.test.platform.postgres);
    const read = async () => (await reader.definitionsOf(a.clusterId, a.scope, [rule_id])).get(rule_id);
    const first = await read();
    expect(first?.detections[0]?.kql.body.query).toContain('whoami /all');
    expect(await read()).toBe(first);
    await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true, stage: 'beta' });
    const second = await read();
    expect(second).not.toBe(first);
    expect(second?.stage).toBe('beta');
    const { b } = app.company;
    expect((await reader.definitionsOf(b.clusterId, b.scope, [rule_id])).size).toBe(0);
  });

  it('[T-rules] has a ledger without gaps from the moment it is on until it is off, also when nothing comes in', async () => {
    const ID = (await rulesOf(app))[0]?.rule_id ?? '';
    const { clock } = app.test.platform;
    await app.call(contract.switchRules, { rule_ids: [ID], enabled: false });
    await app.runAfter(5);
    const from = clock.now();
    await app.call(contract.switchRules, { rule_ids: [ID], enabled: true });
    for (let minute = 0; minute < 4; minute += 1) {
      await app.runAfter(1);
    }
    await app.call(contract.switchRules, { rule_ids: [ID], enabled: false });
    const { data } = await app.call(contract.ruleLedger, { ID });
    const windows = data.data
      .filter((window) => window.to > from)
      .sort((one, other) => one.from - other.from);
    expect(windows.length).toBeGreaterThan(0);
    expect(windows[0]?.from).toBeLessThanOrEqual(from);
    expect(windows.at(-1)?.to).toBeGreaterThanOrEqual(from + 2 * MINUTE);
    for (const [at, window] of windows.entries()) {
      expect(window.state).toBe('done');
      if (at > 0) expect(window.from).toBe(windows[at - 1]?.to);
    }
  });
});
