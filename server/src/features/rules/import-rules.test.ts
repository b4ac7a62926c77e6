import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
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
    clock.advance(2 * MINUTE);
    while (await app.scheduler.round());
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
});
