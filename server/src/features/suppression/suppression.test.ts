import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let app: DetectionApp;
let workbook_id: string;

beforeAll(async () => {
  app = await detectionApp(T0);
  const draft = detectionDraft('ProcessEvent | where CommandLine == "tool"');
  const added = await app.call(contract.addWorkbook, { properties: draft });
  workbook_id = added.data.ID;
  while (await app.scheduler.round());
});
afterAll(() => app?.test.close());

/** Events of users on hosts, each in a minute of its own, and the turns that look at them. */
async function used(...pairs: readonly (readonly [user: string, host: string])[]): Promise<void> {
  const { clock } = app.test.platform;
  clock.advance(MINUTE);
  await app.store(
    pairs.map(([ActorUsername, DvcHostname]) => ({
      time: clock.now(),
      columns: { CommandLine: 'tool', ActorUsername, DvcHostname },
    })),
  );
  await app.runAfter(2);
}

async function queue(): Promise<readonly string[]> {
  const list = await app.call(contract.listSignals, {
    start: T0,
    end: app.test.platform.clock.now(),
    view: 'all',
  });
  return list.data.data.map(({ name }) => name).sort();
}

async function suppressed(
  more: object = {},
): Promise<contract.OutputOf<typeof contract.listSuppressedSignals>> {
  const range = { start: T0, end: app.test.platform.clock.now() };
  return (await app.call(contract.listSuppressedSignals, { ...range, ...more })).data;
}

const rules = async () => (await app.call(contract.listSuppressionRules, {})).data.data;
const condition = (role: string, type: string, ...values: string[]) => ({ role, type, values });
const save = (more: object, as?: 'analyst') =>
  app.call(contract.saveSuppressionRule, { workbook_id, reason: 'The scanner does this', ...more }, as);

describe('suppression', () => {
  it('[S2-42] tells beforehand how many of the past signals the conditions would have suppressed', async () => {
    await used(['ana', 'pc-1'], ['ben', 'pc-1'], ['ana', 'pc-2']);
    const conditions = [condition('suspect', 'user', 'ANA'), condition('target', 'host', 'pc-1', 'pc-9')];
    const { data } = await app.call(contract.previewSuppression, { workbook_id, conditions }, 'analyst');
    expect(data).toMatchObject({ suppressed: 1, signals: 3, is_cut: false });
    expect(data.samples.map(({ name }) => name)).toEqual(['ana ran a tool on pc-1']);
  });

  it('[S2-42] keeps signals out of the queue whose suspects and targets a rule names, counts and shows them', async () => {
    const before = await queue();
    const conditions = [condition('suspect', 'user', 'Scanner', 'backup')];
    expect((await save({ conditions })).http).toBe(200);
    await used(['scanner', 'pc-1'], ['backup', 'pc-2'], ['eve', 'pc-3']);
    expect(await queue()).toEqual([...before, 'eve ran a tool on pc-3'].sort());
    const kept = await suppressed();
    expect(kept.total_count).toBe(2);
    expect(kept.data[0]).toMatchObject({
      workbook_id,
      workbook_name: 'Tool use',
      score: 7,
      reason: 'The scanner does this',
    });
    expect(await rules()).toMatchObject([{ hits_30d: 2, enabled: true, revision: 1 }]);
    expect((await rules())[0]?.last_hit).toBeGreaterThan(T0);
  });

  it('[S2-42] suppresses nothing while it is off, after its expiry, or in another scope', async () => {
    const [rule] = await rules();
    const rule_id = rule?.rule_id ?? '';
    await app.call(contract.switchSuppressionRule, { rule_id, enabled: false });
    await used(['scanner', 'pc-4']);
    expect(await queue()).toContain('scanner ran a tool on pc-4');
    const changed = { ...rule, rule_id, conditions: rule?.conditions, revision: 2 };
    const expires = app.test.platform.clock.now() + MINUTE;
    expect((await save({ ...changed, enabled: true, expires })).http).toBe(200);
    await used(['scanner', 'pc-5']);
    expect(await queue()).toContain('scanner ran a tool on pc-5');
    const late = await save({ ...changed, revision: 3, enabled: true, expires });
    expect([late.http, late.body.code]).toEqual([422, 'bad-input']);
    const stale = await save({ ...changed, revision: 1, enabled: true });
    expect([stale.http, stale.body.code]).toEqual([409, 'conflict']);
    const { b } = app.company;
    const other = { clusterId: b.clusterId, scopeId: b.scope };
    const foreign = await app.call(contract.listSuppressionRules, {}, 'engineer', other);
    expect(foreign.data?.data ?? []).toEqual([]);
  });

  it('[S2-42] puts back what a rule suppressed, as the queue would have got it, and says who did', async () => {
    const [rule] = await rules();
    const rule_id = rule?.rule_id ?? '';
    const answer = await app.call(contract.restoreSuppressedSignals, { rule_id });
    expect(answer.data).toEqual({ restored: 2, left: 0 });
    expect(await queue()).toEqual(
      expect.arrayContaining(['scanner ran a tool on pc-1', 'backup ran a tool on pc-2']),
    );
    expect((await suppressed()).total_count).toBe(0);
    const events = await app.call(contract.listSignals, {
      start: T0,
      end: app.test.platform.clock.now(),
      view: 'all',
    });
    const restored = events.data.data.find(({ name }) => name === 'backup ran a tool on pc-2');
    const data = await app.call(contract.signalData, { signal_id: restored?.signal_id });
    expect(data.data).toMatchObject({ matched_by: 'events', total_count: 1 });
  });

  it('[S6-07][S6-20] is changed by engineers alone', async () => {
    const conditions = [condition('suspect', 'user', 'x')];
    const answer = await save({ conditions }, 'analyst');
    expect(answer.http).toBe(403);
  });

  it('[S2-42] refuses a rule for a workbook that the scope has not', async () => {
    const conditions = [condition('suspect', 'user', 'x')];
    const { http, text } = await save({ conditions, workbook_id: 'nobody' });
    expect([http, text]).toEqual([422, expect.stringContaining('no such workbook')]);
  });

  it('[S2-42] what was suppressed outlives its rule, and goes after thirty days', async () => {
    const conditions = [condition('target', 'host', 'PC-7')];
    const { data } = await save({ conditions });
    await used(['ana', 'pc-7']);
    await app.call(contract.removeSuppressionRule, { rule_id: data.rule_id });
    expect(await suppressed({ rule_id: data.rule_id })).toMatchObject({ total_count: 1 });
    const upkeep = app.test.composed.jobs.find(({ kind }) => kind === 'suppression-upkeep') as Job<object>;
    const run = () =>
      upkeep.run({}, {
        clusterId: null,
        signal: new AbortController().signal,
        progress: async () => undefined,
      } as never);
    await run();
    expect((await suppressed()).total_count).toBe(1);
    app.test.platform.clock.advance(31 * DAY);
    await run();
    expect((await suppressed()).total_count).toBe(0);
  });
});
