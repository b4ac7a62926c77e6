import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { judgeAgain } from './rule-upkeep.ts';
import { archiveOf, importPack, rulesOf, sendArchive, windowsRule } from './testing/rule-imports.ts';

// Rules that a tenant writes itself: saved as versions, judged beside each other, locked, running with what was saved last.

const NOW = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;

let app: DetectionApp;
beforeAll(async () => {
  app = await detectionApp(NOW);
  await app.store([{ time: NOW - MINUTE, columns: { CommandLine: 'start' } }]);
});
afterAll(() => app?.test.close());

const save = (input: object, as: 'engineer' | 'analyst' = 'engineer') =>
  app.call(contract.saveOwnRule, input, as);
const detail = async (rule_id: string) => (await app.call(contract.readPackRule, { rule_id })).data;

async function make(title: string, detection: string, more = ''): Promise<string> {
  const answer = await save({ text: windowsRule(title, detection, more), comment: 'First' });
  expect(answer.http, answer.text).toBe(200);
  return answer.data.rule_id;
}

describe('own rules', () => {
  it('[T-own-rules] are saved as versions with author and comment, and an old one comes back', async () => {
    const first = windowsRule('Whoami', "CommandLine: 'whoami'");
    const rule_id = await make('Whoami', "CommandLine: 'whoami'");
    const text = windowsRule('Whoami as admin', "CommandLine: 'whoami /all'");
    const second = await save({ rule_id, text, version: 1, comment: 'Only /all' });
    expect(second.data).toEqual({ rule_id, version: 2 });
    const rule = await detail(rule_id);
    expect(rule).toMatchObject({
      title: 'Whoami as admin',
      pack: 'Own rules',
      path: 'whoami_as_admin.yml',
      text,
    });
    expect(rule.kql).toContain('whoami /all');
    expect(rule.versions.map(({ version, comment }) => [version, comment])).toEqual([
      [2, 'Only /all'],
      [1, 'First'],
    ]);
    expect(rule.versions[0]?.author).toBe(rule.versions[1]?.author);
    expect(rule.own).toMatchObject({ locked: false, may_change: true, cloned_from: null });
    const old = await app.call(contract.readRuleVersion, { rule_id, version: 1 });
    expect(old.data).toEqual({ version: 1, text: first });
    const back = await save({ rule_id, text: old.data.text, version: 2, comment: 'Back' });
    expect(back.data.version).toBe(3);
    expect((await detail(rule_id)).title).toBe('Whoami');
    expect((await app.call(contract.readRuleVersion, { rule_id, version: 9 })).http).toBe(404);
  });

  it('[T-own-rules] a save on an older version is refused, and so is one of a text that does not compile', async () => {
    const rule_id = await make('Stale', "CommandLine: 'a'");
    await save({ rule_id, text: windowsRule('Stale', "CommandLine: 'b'"), version: 1 });
    const stale = await save({ rule_id, text: windowsRule('Stale', "CommandLine: 'c'"), version: 1 });
    expect([stale.http, stale.text]).toEqual([409, expect.stringContaining('Version 2 was saved')]);
    const broken = await save({ rule_id, text: windowsRule('Stale', "CommandLine|nope: 'c'"), version: 2 });
    expect([broken.http, broken.text]).toEqual([422, expect.stringContaining('nope')]);
    const two = `${windowsRule('One', "CommandLine: 'c'")}---\n${windowsRule('Two', "CommandLine: 'c'")}`;
    const several = await save({ rule_id, text: two, version: 2 });
    expect([several.http, several.text]).toEqual([422, expect.stringContaining('2 rules')]);
    expect((await detail(rule_id)).version).toBe(2);
  });

  it('[T-own-rules] a locked rule is changed by who locked it alone', async () => {
    const rule_id = await make('Locked', "CommandLine: 'a'");
    expect((await app.call(contract.lockOwnRule, { rule_id, lock: true })).data.locked).toBe(true);
    await app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) =>
      sql`update own_rule set locked_by = 'Somebody', locked_by_id = 'other' where rule_id = ${rule_id}`.execute(
        trx,
      ),
    );
    const refused = await save({ rule_id, text: windowsRule('Locked', "CommandLine: 'b'"), version: 1 });
    expect([refused.http, refused.text]).toEqual([409, expect.stringContaining('Somebody')]);
    expect((await app.call(contract.removeOwnRule, { rule_id })).http).toBe(409);
    expect((await app.call(contract.lockOwnRule, { rule_id, lock: true })).http).toBe(409);
    expect((await detail(rule_id)).own).toMatchObject({
      locked: true,
      locked_by: 'Somebody',
      may_change: false,
    });
    // Somebody who is away does not hold a rule for ever.
    expect((await app.call(contract.lockOwnRule, { rule_id, lock: false })).http).toBe(200);
    expect((await save({ rule_id, text: windowsRule('Locked', "CommandLine: 'b'"), version: 1 })).http).toBe(
      200,
    );
  });

  it('[T-own-rules] a text is judged for the tenant before it is saved', async () => {
    const text = windowsRule('Judged', "CommandLine: 'x'\n    NoSuch: 'y'");
    const checked = (await app.call(contract.checkOwnRule, { text })).data;
    expect(checked).toMatchObject({
      verdict: 'missing field',
      mapping: 'windows-process-creation',
      fields: [
        { field: 'CommandLine', sources: ['CommandLine'], is_missing: false },
        { field: 'NoSuch', is_missing: true },
      ],
      can_run: true,
    });
    expect(checked.kql).toContain('"x"');
    const broken = (await app.call(contract.checkOwnRule, { text: 'title: "' })).data;
    expect(broken).toMatchObject({ verdict: 'invalid', reason_code: 'SIG102', kql: null });
    expect(await rulesOf(app, { text: 'Judged' })).toEqual([]);
    expect((await app.call(contract.checkOwnRule, { text }, 'analyst')).http).toBe(403);
  });

  it('[T-own-rules] a correlation finds the own rules that it names, and these cannot go from under it', async () => {
    const id = '4a1c9a1e-6c3b-4f5f-9a7e-0f6f5b1f2a3c';
    const part = await make('Part', "CommandLine: 'part'", `id: ${id}\nname: part\n`);
    const text = `title: Many parts
correlation:
  type: event_count
  rules: [part]
  group-by: [User]
  timespan: 10m
  condition: {gte: 3}
`;
    const correlation = await save({ text });
    expect(correlation.http, correlation.text).toBe(200);
    expect(await detail(correlation.data.rule_id)).toMatchObject({ kind: 'correlation', can_run: true });
    // What a correlation counts raises no signal of its own any more.
    expect((await detail(part)).can_run).toBe(false);
    const gone = await app.call(contract.removeOwnRule, { rule_id: part });
    expect([gone.http, gone.text]).toEqual([409, expect.stringContaining('Many parts')]);
    const renamed = windowsRule('Part', "CommandLine: 'part'", `id: ${id}\nname: other\n`);
    const refused = await save({ rule_id: part, text: renamed, version: 1 });
    expect([refused.http, refused.text]).toEqual([409, expect.stringContaining('Many parts')]);
    const again = await save({ text: windowsRule('Twin', "CommandLine: 'twin'", `id: ${id}\n`) });
    expect([again.http, again.text]).toEqual([409, expect.stringContaining('Part')]);
    expect((await app.call(contract.removeOwnRule, { rule_id: correlation.data.rule_id })).http).toBe(200);
    expect((await detail(part)).can_run).toBe(true);
    expect((await app.call(contract.removeOwnRule, { rule_id: part })).http).toBe(200);
  });

  it('[T-own-rules] a rule that is on finds what was saved last, keeps what the scope changed, and is not deleted', async () => {
    const rule_id = await make('Runs', "CommandLine: 'before'");
    const overlay = { stage: 'prod', level: 'low' };
    expect((await app.call(contract.saveRuleOverlay, { rule_id, overlay, revision: 0 })).http).toBe(200);
    expect((await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true })).data.switched).toBe(
      1,
    );
    expect((await app.call(contract.removeOwnRule, { rule_id })).http).toBe(409);
    const { clock } = app.test.platform;
    const raised = async (CommandLine: string) => {
      await app.scheduler.round();
      clock.advance(MINUTE);
      const columns = {
        EventVendor: 'Microsoft',
        EventType: 'ProcessCreated',
        ActorUsername: 'eve',
        DvcHostname: CommandLine,
      };
      await app.store([{ time: clock.now(), columns: { ...columns, CommandLine } }]);
      await app.runAfter(2);
      const list = await app.call(contract.listSignals, { start: NOW, end: clock.now(), view: 'all' });
      return list.data.data.length;
    };
    expect(await raised('before')).toBe(1);
    const text = windowsRule('Runs', "CommandLine: 'after'");
    expect((await save({ rule_id, text, version: 1 })).http).toBe(200);
    expect(await raised('before')).toBe(1);
    expect(await raised('after')).toBe(2);
    expect(await detail(rule_id)).toMatchObject({ stage: 'prod', overlay: { level: 'low' }, enabled: true });
    await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: false });
    expect((await app.call(contract.removeOwnRule, { rule_id })).http).toBe(200);
    expect(await rulesOf(app, { text: 'Runs' })).toEqual([]);
  });

  it('[T-own-rules] a rule is made from one of another pack; imports leave own rules alone, and verdicts follow', async () => {
    await importPack(app, { 'a.yml': windowsRule('Theirs', "CommandLine: 'theirs'") });
    const [theirs] = await rulesOf(app, { text: 'Theirs' });
    const text = windowsRule('Ours', "CommandLine: 'ours'");
    const ours = (await save({ text, cloned_from: theirs?.rule_id })).data.rule_id;
    expect((await detail(ours)).own?.cloned_from).toBe(theirs?.rule_id);
    expect((await save({ text, cloned_from: 'sigma-none' })).http).toBe(404);
    expect((await save({ rule_id: theirs?.rule_id, text, version: 1 })).http).toBe(404);
    const archive = archiveOf({ 'a.yml': windowsRule('Other', "CommandLine: 'o'") });
    await expect(sendArchive(app, archive, { pack: 'Own rules' })).rejects.toThrow();
    const refused = await app.call(contract.beginRuleImport, { pack: 'Own rules' });
    expect([refused.http, refused.text]).toEqual([409, expect.stringContaining('Own rules are written')]);
    expect((await app.call(contract.removeRulePack, { pack_id: 'own' })).http).toBe(409);
    const { postgres } = app.test.platform;
    const nothing = { streams: new Set<string>(), extPaths: new Set<string>(), version: 'none' };
    await judgeAgain({ postgres, reachOf: async () => nothing }, app.company.a.clusterId);
    expect((await detail(ours)).verdict).toBe('missing source');
  });

  it('[T-own-rules] another tenant neither reads nor changes them', async () => {
    const rule_id = await make('Ours alone', "CommandLine: 'alone'");
    const where = { clusterId: app.company.b.clusterId, scopeId: app.company.b.scope };
    const text = windowsRule('Theirs', "CommandLine: 'x'");
    for (const [endpoint, input] of [
      [contract.readRuleVersion, { rule_id, version: 1 }],
      [contract.saveOwnRule, { rule_id, text, version: 1 }],
      [contract.checkOwnRule, { rule_id, text }],
      [contract.lockOwnRule, { rule_id, lock: true }],
      [contract.removeOwnRule, { rule_id }],
    ] as const) {
      const answer = await app.call(endpoint as contract.Endpoint, input, 'engineerOfB', where);
      expect([endpoint.name, answer.http]).toEqual([endpoint.name, 404]);
    }
    expect((await detail(rule_id)).version).toBe(1);
  });
});
