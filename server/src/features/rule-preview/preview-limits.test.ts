import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { importPack, rulesOf, windowsRule } from '../rules/testing/rule-imports.ts';
import { finishPreview, readPreview, startPreview } from './testing/previews.ts';

// Who sees previews, how many there are, and when they go.

const NOW = Date.UTC(2026, 2, 4, 10);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = { from: NOW - HOUR, to: NOW };
let app: DetectionApp;
let rule_id = '';
let preview_id = '';

beforeAll(async () => {
  app = await detectionApp(NOW);
  await app.store(
    Array.from({ length: 30 }, (_, at) => ({
      time: NOW - at * 60_000 - 90_000,
      columns: { CommandLine: 'whoami', ActorUsername: `user-${at}`, EventType: 'ProcessCreated' },
    })),
  );
  const saved = await app.call(contract.saveOwnRule, {
    text: windowsRule('Whoami', "CommandLine: 'whoami'"),
  });
  rule_id = saved.data.rule_id;
  preview_id = await startPreview(app, [rule_id], RANGE);
});
afterAll(() => app?.test.close());

const start = (input: object, as: 'engineer' | 'analyst' = 'engineer', where = {}) =>
  app.call(
    contract.startRulePreview,
    { rule_ids: [rule_id], start: RANGE.from, end: RANGE.to, ...input },
    as,
    where,
  );

describe('previews', () => {
  it('[T-RULE-PREVIEW] exist in their scope and tenant alone', async () => {
    const { a, b } = app.company;
    const done = await finishPreview(app, preview_id);
    expect(done.result?.signals).toBe(30);
    const elsewhere = [
      ['engineerOfB', { clusterId: b.clusterId, scopeId: b.scope }],
      ['engineer', { scopeId: a.otherScope }],
    ] as const;
    for (const [who, where] of elsewhere) {
      const calls = [
        [contract.readRulePreview, { preview_id }],
        [contract.readPreviewSamples, { preview_id, rule_id }],
        [contract.cancelRulePreview, { preview_id }],
        [contract.removeRulePreview, { preview_id }],
      ] as const;
      for (const [call, input] of calls) {
        const answer = await app.call(call, input, who, where);
        expect([call.name, answer.http]).toEqual([call.name, 404]);
      }
      const listed = await app.call(contract.listRulePreviews, {}, who, where);
      expect(listed.data).toMatchObject({ data: [], total_count: 0 });
    }
    expect((await start({}, 'analyst')).http).toBe(403);
    expect(await readPreview(app, preview_id)).toMatchObject({ state: 'done' });
  });

  it('[T-RULE-PREVIEW] are refused with what to do: no range, not kept, in the future, too many rules, none there', async () => {
    const refusals: [object, number, RegExp][] = [
      [{ start: NOW, end: NOW }, 422, /start/i],
      [{ start: NOW + DAY, end: NOW + 2 * DAY }, 422, /future/],
      [{ start: NOW - 4_000 * DAY }, 422, /days back/],
      [{ start: -8e15, end: 8e15 }, 422, /days back/],
      [{ rule_ids: [] }, 422, /rule_ids/],
      [{ rule_ids: Array.from({ length: 51 }, (_, at) => `sigma-${at}`) }, 422, /rule_ids/],
      [{ rule_ids: ['sigma-none'] }, 404, /./],
      [{ rule_ids: [rule_id, 'sigma-none'] }, 404, /./],
      [{ rule_ids: ["'; drop table rule"] }, 422, /rule_ids/],
    ];
    for (const [input, http, text] of refusals) {
      const answer = await start(input);
      expect([JSON.stringify(input).slice(0, 80), answer.http]).toEqual([
        JSON.stringify(input).slice(0, 80),
        http,
      ]);
      expect(answer.text).toMatch(text);
    }
  });

  it('[T-RETRO-HUNT] leave out rules that have no query', async () => {
    await importPack(app, { 'a.yml': windowsRule('Broken', "CommandLine|nope: 'x'") });
    const broken = (await rulesOf(app)).find(({ can_run }) => !can_run)?.rule_id ?? '';
    const alone = await start({ rule_ids: [broken] });
    expect([alone.http, alone.text]).toEqual([409, expect.stringContaining('no query')]);
    const both = await start({ rule_ids: [broken, rule_id] });
    expect(both.data).toMatchObject({ skipped: 1 });
    expect((await finishPreview(app, both.data.preview_id)).rules).toHaveLength(1);
  });

  it('[T-RULE-PREVIEW] of a rule that finds more than anybody could look at stop at the limit and say so', async () => {
    const clusterId = app.company.a.clusterId;
    await app.store(
      Array.from({ length: contract.PREVIEW_LIMITS.signals + 10 }, (_, at) => ({
        // No more in half a minute than are raised one by one.
        time: NOW - 30 * HOUR + at * 300,
        columns: { CommandLine: 'loud', ActorUsername: `user-${at}`, EventType: 'ProcessCreated' },
      })),
    );
    const saved = await app.call(contract.saveOwnRule, { text: windowsRule('Loud', "CommandLine: 'loud'") });
    const id = await startPreview(app, [saved.data.rule_id], { from: NOW - 2 * DAY, to: NOW });
    const { result } = await finishPreview(app, id);
    expect(result).toMatchObject({ state: 'too-noisy', overlaps_cut: true });
    expect(result?.signals).toBeGreaterThan(contract.PREVIEW_LIMITS.signals);
    expect(result?.covered_until).toBeLessThan(NOW);
    const { rows } = await app.test.platform.postgres.inTenant(clusterId, (trx) =>
      sql<{
        n: number;
      }>`select count(*)::integer as n from rule_preview_result where carry is not null`.execute(trx),
    );
    expect(rows[0]?.n).toBe(0);
  });

  it('[T-RULE-PREVIEW] that wait or run are so many in a scope, and one that runs is not deleted', async () => {
    const open: string[] = [];
    for (let at = 0; at < contract.PREVIEW_LIMITS.open; at += 1)
      open.push(await startPreview(app, [rule_id], RANGE));
    const refused = await start({});
    expect([refused.http, refused.text]).toEqual([409, expect.stringContaining('stop one')]);
    const other = { scopeId: app.company.a.otherScope };
    expect((await start({}, 'engineer', other)).http).toBe(200);
    const [first = '', second = ''] = open;
    expect((await app.call(contract.removeRulePreview, { preview_id: first })).http).toBe(409);
    expect((await app.call(contract.cancelRulePreview, { preview_id: first })).http).toBe(200);
    expect((await app.call(contract.removeRulePreview, { preview_id: first })).http).toBe(200);
    // One whose job was cancelled or lost on the page of jobs is told as such, and makes room.
    await sql`update job_run set state = 'failed', ended_at = now() where payload ->> 'previewId' = ${second}`.execute(
      app.test.platform.postgres.platform,
    );
    expect(await readPreview(app, second)).toMatchObject({ state: 'failed' });
    for (const id of open.slice(2)) await app.call(contract.cancelRulePreview, { preview_id: id });
  });

  it('[T-RULE-PREVIEW] beyond so many of a scope the oldest go, and all go after thirty days', async () => {
    const { postgres, clock } = app.test.platform;
    const { clusterId, scope } = app.company.a;
    const count = async () => (await app.call(contract.listRulePreviews, { pagesize: 1 })).data.total_count;
    await postgres.inTenant(clusterId, (trx) =>
      sql`insert into rule_preview (cluster_id, scope_id, preview_id, kind, state, from_at, until_at, parts, author,
          author_id, created_at, ended_at)
        select ${clusterId}, ${scope}, 'old-' || n, 'preview', 'done', now(), now(), 1, 'x', 'x',
          '2026-03-01'::timestamptz, now() from generate_series(1, 150) n`.execute(trx),
    );
    const kept = await startPreview(app, [rule_id], RANGE);
    expect(await count()).toBe(contract.PREVIEW_LIMITS.kept);
    clock.set(NOW + 29 * DAY);
    const upkeep = app.test.composed.jobs.find(({ kind }) => kind === 'rule-preview-upkeep') as Job<object>;
    const run = () =>
      upkeep.run(
        {},
        { clusterId: null, signal: AbortSignal.timeout(60_000), progress: async () => undefined },
      );
    expect(await run()).toBeGreaterThan(0);
    expect(await readPreview(app, kept)).toMatchObject({ preview_id: kept });
    clock.set(NOW + 31 * DAY);
    expect(await run()).toBeGreaterThan(0);
    expect(await count()).toBe(0);
    const { rows } = await postgres.inTenant(clusterId, (trx) =>
      sql<{ n: number }>`select count(*)::integer as n from rule_preview_result`.execute(trx),
    );
    expect(rows[0]?.n).toBe(0);
  });
});
