import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyJob } from '../../platform/jobs/job.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { importPack, rulesOf, windowsRule } from '../rules/testing/rule-imports.ts';
import { nativeDetections } from '../workbooks/native-content.ts';
import { SAMPLE_DATABASE } from './sample-events.ts';
import { provenRules } from './sample-store.ts';

// Samples of rules on real engines: with packs, with workbooks, and as what PROD asks for.

const T0 = Date.UTC(2026, 2, 4, 10);
/** Some of the shipped detections; native-detections.test.ts proves the samples of all. */
const SHIPPED = nativeDetections()
  .slice(0, 12)
  .map(({ workbookId }) => workbookId);
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, SHIPPED);
});
afterAll(() => app?.test.close());

const run = (commandLine: string, more: object = {}): string =>
  JSON.stringify({
    EventID: 1,
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    Provider_Name: 'Microsoft-Windows-Sysmon',
    Computer: 'pc-7',
    Image: 'C:\\Windows\\System32\\whoami.exe',
    CommandLine: commandLine,
    User: 'LAB\\ana',
    ...more,
  });

const sample = (name: string, expected: contract.RuleSample['expect'], ...events: string[]) => ({
  ...{ name, expect: expected, events },
});

const inRule = (hit: string, miss: string): string => `samples:
  - name: Own name
    expect: match
    events:
      - ${hit}
  - name: Another tool
    expect: no match
    events:
      - ${miss}
`;

const ruleNamed = async (title: string) => {
  const rule = (await rulesOf(app)).find((one) => one.title === title);
  if (!rule) throw new Error(`no rule ${title}`);
  return rule;
};

const eventsOf = async (clusterId: string): Promise<number> => {
  const { rows } = await app.test.platform.eventStore.rows(clusterId, {
    sql: 'SELECT count() FROM events',
    scopes: 'all',
  });
  return Number(rows[0]?.[0]);
};

const FILES = {
  'a.yml': windowsRule('Whoami', "CommandLine|contains: 'whoami'", inRule(run('whoami'), run('hostname'))),
  'b.yml': windowsRule('Wrong', "CommandLine|contains: 'never'", inRule(run('whoami'), run('hostname'))),
  'c.yml': windowsRule('Without', "CommandLine|contains: 'x'"),
  'd.yml': windowsRule('Odd', "CommandLine|contains: 'x'", 'samples: [{name: a, expect: perhaps}]\n'),
};

describe('samples of a pack', () => {
  it('[T-samples] run with the import, and only again when rule or samples have changed', async () => {
    const { clusterId } = app.company.a;
    const before = await eventsOf(clusterId);
    await importPack(app, FILES);
    const states = Object.fromEntries((await rulesOf(app)).map((rule) => [rule.title, rule.sample_state]));
    expect(states).toEqual({ Whoami: 'passed', Wrong: 'failed', Without: 'none', Odd: 'failed' });
    expect((await rulesOf(app, { samples: 'failed' })).map(({ title }) => title)).toEqual(['Odd', 'Wrong']);
    const counts = await app.call(contract.countRules, {});
    expect(counts.data.samples).toContainEqual({ name: 'passed', count: 1 });

    const { rule_id } = await ruleNamed('Wrong');
    const { data } = await app.call(contract.readSamples, { rule_id });
    expect(data.samples.map(({ origin }) => origin)).toEqual(['pack', 'pack']);
    expect(data.results.map(({ name, matched, passed }) => [name, matched, passed])).toEqual([
      ['Own name', false, false],
      ['Another tool', false, true],
    ]);
    expect(await eventsOf(clusterId)).toBe(before);

    app.test.platform.clock.advance(60_000);
    await importPack(app, { ...FILES, 'a.yml': FILES['a.yml'].replace("'whoami'", "'who'") });
    const tested = async (title: string) =>
      (await app.call(contract.readSamples, { rule_id: (await ruleNamed(title)).rule_id })).data.tested;
    expect(await tested('Whoami')).toBe(T0 + 60_000);
    expect(await tested('Wrong')).toBe(T0);
  });

  it('[T-samples] come from regression_data as SigmaHQ lays it out, and its files are no rules', async () => {
    const id = '0f06a3a5-6a09-413f-8743-e6cf35561e80';
    const folder = 'regression_data/rules/windows/whoami';
    const report = await importPack(
      app,
      {
        'rules/windows/whoami.yml': windowsRule(
          'From SigmaHQ',
          "CommandLine|contains: 'whoami'",
          `id: ${id}\n`,
        ),
        [`${folder}/info.yml`]: `id: x\nrule_metadata:\n  - id: ${id}\nregression_tests_info:\n  - name: Positive Detection Test\n    type: evtx\n    match_count: 1\n    path: ${folder}/${id}.evtx\n`,
        [`${folder}/${id}.json`]: run('whoami /priv'),
      },
      { pack: 'SigmaHQ' },
    );
    expect(report.verdicts).toEqual({ 'missing source': 1 });
    expect(await ruleNamed('From SigmaHQ')).toMatchObject({ sample_state: 'passed' });
  });

  it('[T-samples] own ones are added, run at once, and stay through an update of the pack', async () => {
    const { rule_id } = await ruleNamed('Without');
    const samples = [sample('Mine', 'match', run('an x here')), sample('Not this', 'no match', run('y'))];
    const saved = await app.call(contract.saveSamples, { rule_id, samples, revision: 0 });
    expect(saved.data).toMatchObject({ state: 'passed', revision: 1 });
    const stale = await app.call(contract.saveSamples, { rule_id, samples, revision: 0 });
    expect(stale.http).toBe(409);
    const byAnalyst = await app.call(contract.saveSamples, { rule_id, samples, revision: 1 }, 'analyst');
    expect(byAnalyst.http).toBe(403);
    await importPack(app, { ...FILES, 'c.yml': windowsRule('Without', "CommandLine|contains: 'z'") });
    const { data } = await app.call(contract.readSamples, { rule_id });
    expect(data.samples.map(({ name, origin }) => [name, origin])).toEqual([
      ['Mine', 'own'],
      ['Not this', 'own'],
    ]);
    expect(data.state).toBe('failed');
    const again = await app.call(contract.runSamples, { rule_id });
    expect(again.data.results.map(({ passed }) => passed)).toEqual([false, true]);
  });

  it('[T-samples] a rule is not proven by events alone that it must not match', async () => {
    const { rule_id } = await ruleNamed('Without');
    const samples = [sample('Not this', 'no match', run('y'))];
    const { data } = await app.call(contract.readSamples, { rule_id });
    const saved = await app.call(contract.saveSamples, { rule_id, samples, revision: data.revision });
    expect(saved.data).toMatchObject({ state: 'failed', results: [{ passed: true }] });
  });

  const CORPUS = path.resolve('../shared/corpora/sigma-regression.jsonl');
  it.skipIf(!existsSync(CORPUS))(
    '[T-samples] every case of the regression corpus passes as a sample',
    async () => {
      const lines = readFileSync(CORPUS, 'utf8').trim().split('\n');
      const files = Object.fromEntries(
        lines.slice(0, 40).flatMap((line) => {
          const one = JSON.parse(line);
          if (one.events > 1) return [];
          const info = one.event_path.replace(/[^/]+$/, 'info.yml');
          return [
            [one.rule_path, one.rule_yaml],
            [one.event_path, JSON.stringify(one.event)],
            [info, JSON.stringify(one.info)],
          ];
        }),
      );
      await importPack(app, files, { pack: 'Regression' });
      const rules = (await rulesOf(app)).filter(({ pack }) => pack === 'Regression');
      expect(rules.length).toBeGreaterThan(30);
      for (const { title, sample_state } of rules)
        expect.soft([title, sample_state]).toEqual([title, 'passed']);
    },
  );
});

const QUERY = 'ProcessEvent | where CommandLine contains "whoami"';
const draft = (more: object = {}) => detectionDraft(QUERY, more);

describe('samples of a workbook', () => {
  it('[T-samples] are a part of the draft: run on save, kept with each version, taken along by clone and file', async () => {
    const samples = [sample('Own name', 'match', run('whoami')), sample('Another', 'no match', run('dir'))];
    const added = await app.call(contract.addWorkbook, { properties: { ...draft(), samples } });
    expect(added.http, added.text).toBe(200);
    const { ID } = added.data;
    const stateOf = async (id: string) =>
      (await app.call(contract.workbookProperties, { ID: id })).data.properties.sample_state;
    expect(await stateOf(ID)).toBe('passed');
    const worse = detectionDraft('ProcessEvent | where CommandLine contains "id"');
    const edited = { ID, version: 1, properties: { ...worse, samples } };
    expect((await app.call(contract.editWorkbook, edited)).http).toBe(200);
    expect(await stateOf(ID)).toBe('failed');
    await app.call(contract.revertWorkbook, { ID, version: 1, commit_message: '' });
    expect(await stateOf(ID)).toBe('passed');
    const clone = { ID, name: 'Copy', directory: '', disable_original: false, retain_schedule: false };
    const copied = await app.call(contract.cloneWorkbook, clone);
    expect(await stateOf(copied.data.ID)).toBe('passed');
    const file = (await app.call(contract.downloadWorkbook, { ID })).text;
    expect(file).toContain('CommandLine: whoami');
    const imported = await app.call(contract.importWorkbook, { file, as: 'copy' });
    expect(imported.http, imported.text).toBe(200);
    expect(await stateOf(imported.data.ID)).toBe('passed');
    const { data } = await app.call(contract.listWorkbooks, {
      addfilters: [{ filter_key: 'sample_state', filter_value: 'passed' }],
    });
    expect(data.data.map((item) => item.ID)).toEqual(expect.arrayContaining([ID, copied.data.ID]));
  });

  it('[T-samples] of a draft run without being kept, and what is wrong with the query is told', async () => {
    const samples = [sample('Own name', 'match', run('whoami'))];
    const tried = await app.call(contract.runSamples, { draft: { queries: [QUERY], samples } });
    expect(tried.data).toMatchObject({ state: 'passed', results: [{ matched: true }] });
    const counted =
      'ProcessEvent | where CommandLine has "whoami" | summarize N = count() by DvcHostname | where N > 1';
    const once = await app.call(contract.runSamples, { draft: { queries: [counted], samples } });
    expect(once.data.results).toMatchObject([{ matched: false }]);
    const renamed = `${QUERY} | extend EventUid = "x"`;
    const named = await app.call(contract.runSamples, { draft: { queries: [renamed], samples } });
    expect(named.data.results).toMatchObject([{ matched: true, problem: null }]);
    const broken = await app.call(contract.runSamples, {
      draft: { queries: ['ProcessEvent | wher x'], samples },
    });
    expect(broken.data.results[0]?.problem?.messageCode).toBe('search.diagnostic');
    expect((await app.call(contract.runSamples, {})).http).toBe(422);
  });

  it('[T-samples] lie in a database of no tenant, apart from each other, and go after a day', async () => {
    const { platform, composed } = app.test;
    const kept = await eventsOf(SAMPLE_DATABASE);
    expect(kept).toBeGreaterThan(0);
    const { rows } = await sql`select from tenant where cluster_id = ${SAMPLE_DATABASE}`.execute(
      platform.postgres.platform,
    );
    expect(rows).toEqual([]);
    platform.clock.advance(2 * 86_400_000);
    const upkeep = composed.jobs.find(({ kind }) => kind === 'sample-upkeep') as AnyJob;
    const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
    expect(await upkeep.run({}, call)).toBeGreaterThan(0);
    // Other tests of the engine may have samples of their own there, at another time.
    expect(await eventsOf(SAMPLE_DATABASE)).toBeLessThan(kept);
  });
});

describe('a tenant that asks for samples', () => {
  it('[T-samples] sets only rules with passing samples to PROD, on every way there', async () => {
    const { clusterId } = app.company.a;
    const ask = { prod_needs_samples: true };
    expect((await app.call(contract.setSamplePolicy, ask, 'analyst')).http).toBe(403);
    const set = await app.call(contract.setSamplePolicy, ask, 'tenantAdmin');
    expect(set.data).toMatchObject({ prod_needs_samples: true });
    const trail = await sql<{ details: unknown }>`select details from audit_entry
      where action = 'samples.policy' and cluster_id = ${clusterId}`.execute(
      app.test.platform.postgres.platform,
    );
    expect(trail.rows).toEqual([{ details: { from: false, to: true } }]);

    const [good, bad] = [await ruleNamed('Whoami'), await ruleNamed('Wrong')];
    const toProd = { enabled: true, stage: 'prod' };
    const refused = await app.call(contract.switchRules, { rule_ids: [bad.rule_id], ...toProd });
    expect([refused.http, refused.text]).toEqual([409, expect.stringContaining('samples.notProven')]);
    const some = await app.call(contract.switchRules, { rule_ids: [good.rule_id, bad.rule_id], ...toProd });
    expect(some.data).toEqual({ switched: 1, skipped: 0, unproven: 1 });
    const overlay = { stage: 'prod' };
    const saved = await app.call(contract.saveRuleOverlay, { rule_id: bad.rule_id, overlay, revision: 0 });
    expect(saved.http).toBe(409);
    const bulk = await app.call(contract.switchRules, { filter: { samples: 'failed' }, ...toProd });
    expect(bulk.http).toBe(409);
    expect(await ruleNamed('Wrong')).toMatchObject({ enabled: false, stage: 'test' });

    const add = (properties: object) => app.call(contract.addWorkbook, { properties });
    expect((await add(draft({ name: 'No samples', stage: 'prod' }))).http).toBe(409);
    const failing = {
      ...draft({ name: 'Failing', stage: 'prod' }),
      samples: [sample('x', 'match', run('dir'))],
    };
    expect((await add(failing)).http).toBe(409);
    const passing = {
      ...draft({ name: 'Passing', stage: 'prod' }),
      samples: [sample('x', 'match', run('whoami'))],
    };
    const added = await add(passing);
    expect(added.http, added.text).toBe(200);
    const worse = {
      ...detectionDraft('ProcessEvent | take 0'),
      name: 'Passing',
      stage: 'prod',
      samples: passing.samples,
    };
    const edit = await app.call(contract.editWorkbook, { ID: added.data.ID, version: 1, properties: worse });
    expect(edit.http).toBe(409);
    await app.call(contract.setSamplePolicy, { prod_needs_samples: false }, 'tenantAdmin');
    const old = await add(draft({ name: 'Older', stage: 'prod' }));
    await app.call(contract.setWorkbookVisibility, { ID: old.data.ID, enabled: false });
    await app.call(contract.setSamplePolicy, ask, 'tenantAdmin');
    const on = await app.call(contract.setWorkbookVisibility, { ID: old.data.ID, enabled: true });
    expect(on.http).toBe(409);
    await app.call(contract.setSamplePolicy, { prod_needs_samples: false }, 'tenantAdmin');
    expect((await app.call(contract.switchRules, { rule_ids: [bad.rule_id], ...toProd })).http).toBe(200);
  });
});

describe('samples of shipped detections', () => {
  it('[T-samples] run once for the installation and prove the detections of every tenant', async () => {
    await app.scheduler.round();
    const { jobs } = app.test.composed;
    const job = jobs.find(({ kind }) => kind === 'shipped-samples') as AnyJob;
    const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
    expect(await job.run({}, call)).toBe(SHIPPED.length);
    expect(await job.run({}, call)).toBe(0);
    const list = await app.call(contract.listWorkbooks, {
      pagesize: 1000,
      addfilters: [{ filter_key: 'native', filter_value: 'true' }],
    });
    const states = list.data.data.map(({ properties }) => [properties.name, properties.sample_state]);
    expect(states.length).toBe(SHIPPED.length);
    for (const [name, state] of states) expect.soft([name, state]).toEqual([name, 'passed']);
    const [first] = list.data.data;
    const { data } = await app.call(contract.readSamples, { rule_id: first?.ID ?? '' });
    expect(data.samples.length).toBeGreaterThan(1);
    const { clusterId } = app.company.a;
    const { postgres } = app.test.platform;
    const proven = await postgres.inTenant(clusterId, (trx) => provenRules(trx, clusterId));
    expect(proven.get(first?.ID ?? '')).toBe(data.tested);
  });
});
