import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createJobRunner } from '../../platform/jobs/job-runner.ts';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { windowsRule } from '../rules/testing/rule-imports.ts';
import { MOST_OF_HALF_MINUTE } from '../signals/bundle-flood.ts';
import { finishPreview, readPreview, runPreviewJob, startPreview } from './testing/previews.ts';

// What a preview tells is what the scheduler then raises from the same events, across midnight, with what the scope changes.

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Before midnight, so that what is found goes on in the next part. */
const T0 = Date.UTC(2026, 2, 4, 23, 30);
const RANGE = { from: T0, to: T0 + 60 * MINUTE };
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());
afterEach(() => vi.restoreAllMocks());

const started = (minute: number, CommandLine: string, more: object = {}) => ({
  time: T0 + minute * MINUTE + 1_000,
  ingested: T0 + minute * MINUTE + 3_000,
  columns: {
    EventVendor: 'Microsoft',
    EventType: 'ProcessCreated',
    ActorUsername: 'ana',
    DvcHostname: 'pc-1',
    CommandLine,
    ...more,
  },
});

async function ownRule(title: string, detection: string, overlay?: object): Promise<string> {
  const saved = await app.call(contract.saveOwnRule, { text: windowsRule(title, detection) });
  expect(saved.http, saved.text).toBe(200);
  const { rule_id } = saved.data;
  if (overlay) {
    const changed = await app.call(contract.saveRuleOverlay, { rule_id, overlay, revision: 0 });
    expect(changed.http, changed.text).toBe(200);
  }
  return rule_id;
}

interface Told {
  readonly name: string;
  readonly occurrences: number;
  readonly first_time: number;
  readonly last_time: number;
  readonly suspects: readonly unknown[];
  readonly targets: readonly unknown[];
}
const told = (signals: readonly Told[]) =>
  signals
    .map(({ name, occurrences, first_time, last_time, suspects, targets }) => {
      return { name, occurrences, first_time, last_time, suspects, targets };
    })
    .sort((a, b) => a.first_time - b.first_time || JSON.stringify(a).localeCompare(JSON.stringify(b)));

const raisedBy = async (rule_id: string) => {
  const filter = { addfilters: [{ filter_key: 'workbook_id', filter_value: rule_id }], pagesize: 200 };
  return (await app.call(contract.listSignals, filter)).data.data;
};

const EXCEPTION = {
  exceptions: [{ field: 'ActorUsername', operator: 'equals', values: ['svc-backup'] }],
  level: 'critical',
};
const THRESHOLD = { threshold: { count: 3, minutes: 10, field: 'DvcHostname' } };
const ids: Record<string, string> = {};

describe('a preview of a rule', () => {
  it('[T-RULE-PREVIEW] finds exactly the signals that the scheduler then raises, with exception and threshold', async () => {
    ids.plain = await ownRule('Plain', "CommandLine: 'whoami'");
    ids.excepted = await ownRule('Excepted', "CommandLine: 'whoami'", EXCEPTION);
    ids.counted = await ownRule('Counted', "CommandLine: 'whoami'", THRESHOLD);
    const all = [ids.plain, ids.excepted, ids.counted];
    await app.store([
      ...Array.from({ length: 12 }, (_, at) => started(at * 5, 'whoami', { DvcHostname: `pc-${at % 2}` })),
      ...Array.from({ length: 4 }, (_, at) => started(28 + at, 'whoami', { DvcHostname: 'edge' })),
      ...Array.from({ length: 9 }, (_, at) => started(40 + at, 'whoami', { ActorUsername: 'svc-backup' })),
      started(3, 'tasklist'),
    ]);
    app.test.platform.clock.set(RANGE.to + 10_000);
    const previews: Record<string, contract.RulePreview> = {};
    for (const id of all) previews[id] = await finishPreview(app, await startPreview(app, [id], RANGE));
    expect(await raisedBy(ids.plain)).toEqual([]);

    app.test.platform.clock.set(RANGE.from + 100);
    const on = await app.call(contract.switchRules, { rule_ids: all, enabled: true, stage: 'prod' });
    expect(on.data, on.text).toMatchObject({ switched: 3 });
    app.test.platform.clock.set(RANGE.to + 10_000);
    for (let round = 0; round < 6; round += 1) await app.scheduler.round();
    for (const id of all) {
      const live = await raisedBy(id);
      const preview = previews[id];
      expect(live.length, id).toBeGreaterThan(0);
      expect(told(preview?.result?.found ?? []), id).toEqual(told(live));
      expect(preview).toMatchObject({ state: 'done', done: 2, total: 2 });
      expect(preview?.result).toMatchObject({
        state: 'done',
        signals: live.length,
        rows: live.reduce((sum, signal) => sum + signal.occurrences, 0),
        covered_until: RANGE.to,
      });
    }
    const { days, entities, score } = previews[ids.excepted]?.result ?? {};
    expect(score).toBe(9);
    expect(days?.map(({ from, to }) => [from, to])).toEqual([
      [RANGE.from, RANGE.from + 30 * MINUTE],
      [RANGE.from + 30 * MINUTE, RANGE.to],
    ]);
    expect(entities?.[0]).toMatchObject({ value: 'ana' });
    expect(entities?.some(({ value }) => value === 'svc-backup')).toBe(false);
    expect(previews[ids.plain]?.result?.entities.some(({ value }) => value === 'svc-backup')).toBe(true);
  });

  it('[T-RULE-PREVIEW] tells which rules raised signals on the same, and shows events that are still kept', async () => {
    const rule_id = await ownRule('Same again', "CommandLine: 'whoami'");
    const preview_id = await startPreview(app, [rule_id], RANGE);
    const { result } = await finishPreview(app, preview_id);
    const plain = result?.overlaps.find(({ ID }) => ID === ids.plain);
    const live = await raisedBy(ids.plain ?? '');
    expect(plain).toEqual({
      ID: ids.plain,
      name: 'Plain',
      signals: live.length,
      on_events: live.length,
      share: 1,
    });
    expect(result?.samples).toBeGreaterThan(10);
    const samples = await app.call(contract.readPreviewSamples, { preview_id, rule_id }, 'analyst');
    expect(samples.data.data).toHaveLength(result?.samples ?? 0);
    expect(samples.data.data.every((row) => row.CommandLine === 'whoami')).toBe(true);
    expect(samples.data.kql).toContain('EventUid in (guid(');
    const { rows } = await app.test.platform.postgres.platform.executeQuery<{
      action: string;
      details: object;
    }>(
      sql`select action, details from audit_entry where action like 'rule.preview%' order by audit_id desc limit 4`.compile(
        app.test.platform.postgres.platform,
      ),
    );
    const range = { from: RANGE.from, to: RANGE.to };
    expect(rows).toMatchObject([
      { action: 'rule.preview.samples', details: { rows: result?.samples, preview: preview_id } },
      { action: 'rule.preview', details: { ...range, state: 'DONE', rows: result?.rows } },
      { action: 'rule.preview', details: { ...range, state: 'BEGUN', preview: preview_id } },
      { action: 'rule.preview.start', details: { ...range, rules: [rule_id] } },
    ]);
  });

  it('[T-RULE-PREVIEW] says what it cost the engine for a day of data, beside what a rule may cost', async () => {
    const preview_id = await startPreview(app, [ids.plain ?? ''], RANGE);
    await runPreviewJob(app, preview_id, new AbortController().signal);
    const { result } = await readPreview(app, preview_id);
    expect(result?.query_ms_day).toBeGreaterThan(0);
    expect(result?.cpu_ms_day).toBeGreaterThan(0);
    const most = contract.QUARANTINE_LIMITS.cpuMinutesPerHour * MINUTE * 24;
    expect(result?.cpu_share).toBeCloseTo((result?.cpu_ms_day ?? 0) / most, 9);
  });

  it('[T-RULE-PREVIEW] that is taken up again by another process tells what one tells that was never disturbed', async () => {
    const whole = await finishPreview(app, await startPreview(app, [ids.plain ?? ''], RANGE));
    const preview_id = await startPreview(app, [ids.plain ?? ''], RANGE);
    const stop = new AbortController();
    onQuery(preview_id, 2, async () => stop.abort('stopping'));
    await expect(runPreviewJob(app, preview_id, stop.signal)).rejects.toThrow();
    vi.restoreAllMocks();
    expect(await readPreview(app, preview_id)).toMatchObject({ state: 'running', done: 1 });
    // A process that was taken for dead goes on beside the one that took over.
    const stray = runPreviewJob(app, preview_id, AbortSignal.timeout(60_000)).catch(() => 0);
    const again = await finishPreview(app, preview_id);
    await stray;
    const figures = ({ result }: contract.RulePreview) => ({
      ...result,
      ...{ query_ms_day: 0, cpu_ms_day: 0, cpu_share: 0 },
    });
    expect(figures(again)).toEqual(figures(whole));
  });
});

describe('a preview of a rule that matches far too much', () => {
  it('[T-RULE-PREVIEW] tells of as many signals as are raised, the rest of them in one', async () => {
    const rule_id = await ownRule('Floods', "CommandLine: 'flood'");
    const hosts = Array.from({ length: 2 * MOST_OF_HALF_MINUTE + 30 }, (_, at) => `flooded-${at}`);
    const at = RANGE.to;
    const range = { from: at, to: at + 2 * MINUTE };
    await app.store(hosts.map((DvcHostname) => started(60, 'flood', { DvcHostname })));
    app.test.platform.clock.set(range.to + 10_000);
    const { result } = await finishPreview(app, await startPreview(app, [rule_id], range));
    app.test.platform.clock.set(range.from + 100);
    await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true, stage: 'prod' });
    app.test.platform.clock.set(range.to + 10_000);
    for (let round = 0; round < 4; round += 1) await app.scheduler.round();
    const live = await raisedBy(rule_id);
    expect(live).toHaveLength(MOST_OF_HALF_MINUTE + 1);
    expect(live.map(({ name }) => name)).toContain('Floods: further findings');
    expect(result).toMatchObject({ signals: live.length, rows: hosts.length });
  });
});

describe('a preview that takes long', () => {
  it('[T-RULE-PREVIEW] makes room for other jobs after a while, and another job goes on where it stopped', async () => {
    const preview_id = await startPreview(app, [ids.plain ?? ''], RANGE);
    const now = performance.now.bind(performance);
    let aheadMs = 0;
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
      aheadMs += 70_000;
      return now() + aheadMs;
    });
    await runPreviewJob(app, preview_id, new AbortController().signal);
    spy.mockRestore();
    expect(await readPreview(app, preview_id)).toMatchObject({ state: 'running', done: 1, total: 2 });
    const { rows } = await sql<{
      state: string;
    }>`select state from job_run where payload ->> 'previewId' = ${preview_id}
      order by run_id`.execute(app.test.platform.postgres.platform);
    expect(rows).toEqual([{ state: 'waiting' }, { state: 'waiting' }]);
    expect(await finishPreview(app, preview_id)).toMatchObject({ state: 'done', done: 2 });
  });
});

/** Does something before the query of this number of a preview reaches the engine. */
function onQuery(previewId: string, number: number, act: () => Promise<void>) {
  const { eventStore } = app.test.platform;
  const query = eventStore.query.bind(eventStore);
  let count = 0;
  vi.spyOn(eventStore, 'query').mockImplementation(async (clusterId, asked) => {
    if (asked.queryId?.startsWith(`preview-${previewId}-`)) {
      count += 1;
      if (count === number) await act();
    }
    return query(clusterId, asked);
  });
  return { count: () => count };
}

describe('stopping a preview', () => {
  it('[T-RULE-PREVIEW] keeps what was found, ends its queries, and begins none', async () => {
    const { postgres, log, eventStore } = app.test.platform;
    const preview_id = await startPreview(app, [ids.plain ?? '', ids.counted ?? ''], RANGE);
    const { count } = onQuery(preview_id, 2, async () => {
      const stopped = await app.call(contract.cancelRulePreview, { preview_id });
      expect(stopped.http, stopped.text).toBe(200);
    });
    const jobs = app.test.composed.jobs.filter(({ kind }) => kind === 'rule-preview');
    const runner = createJobRunner({ postgres, log, jobs, options: { pollMs: 100, heartbeatMs: 100 } });
    await runner.start();
    try {
      const jobState = async () => {
        const { rows } = await sql<{ state: string }>`select j.state from job_run j
          where kind = 'rule-preview' and payload ->> 'previewId' = ${preview_id}`.execute(postgres.platform);
        return rows[0]?.state;
      };
      await expect.poll(jobState, { timeout: 60_000, interval: 50 }).toMatch(/done|canceled/);
    } finally {
      await runner.stop();
    }
    const stopped = await readPreview(app, preview_id, ids.plain);
    expect(stopped).toMatchObject({ state: 'canceled', done: 4, total: 4 });
    expect(stopped.rules.map(({ state }) => state)).toEqual(['canceled', 'canceled']);
    expect(stopped.result).toMatchObject({ covered_until: RANGE.from + 30 * MINUTE });
    expect(stopped.result?.signals).toBeGreaterThan(0);
    expect(stopped.result?.found).toHaveLength(stopped.result?.signals ?? 0);
    expect(count()).toBe(2);
    const runs = await eventStore.systemRows(
      'SELECT query_id FROM system.processes WHERE startsWith(query_id, {prefix:String})',
      { prefix: `preview-${preview_id}-` },
    );
    expect(runs).toEqual([]);
    expect((await app.call(contract.cancelRulePreview, { preview_id })).http).toBe(409);
  });
});

describe('a retro-hunt', () => {
  it('[T-RETRO-HUNT] tells for each of several rules what was found and when, and comes back from the list', async () => {
    const none = await ownRule('Nothing', "CommandLine: 'never seen'");
    const rules = [ids.plain ?? '', none, ids.counted ?? ''];
    const range = { from: T0 - 2 * DAY, to: RANGE.to };
    const preview_id = await startPreview(app, rules, range);
    const hunt = await finishPreview(app, preview_id);
    expect(hunt).toMatchObject({ kind: 'retro-hunt', state: 'done', done: 12, total: 12, result: null });
    expect(hunt.rules.map(({ rule_id }) => rule_id)).toEqual(rules);
    const [plain, nothing, counted] = hunt.rules;
    expect(plain).toMatchObject({ first_hit: T0 + 1_000, last_hit: T0 + 55 * MINUTE + 1_000 });
    expect(nothing).toMatchObject({ state: 'done', rows: 0, signals: 0, first_hit: null });
    expect(counted?.signals).toBeGreaterThan(0);
    const one = await readPreview(app, preview_id, ids.counted);
    expect(one.result).toMatchObject({ rule_id: ids.counted, signals: counted?.signals });
    expect(one.result?.kql).toContain('Events >= 3');
    const listed = (await app.call(contract.listRulePreviews, { rule_id: none }, 'analyst')).data;
    expect(listed.data).toMatchObject([{ preview_id, rules: 3, title: 'Plain', state: 'done', done: 12 }]);
    expect((await app.call(contract.removeRulePreview, { preview_id })).http).toBe(200);
    expect((await app.call(contract.readRulePreview, { preview_id })).http).toBe(404);
  });
});
