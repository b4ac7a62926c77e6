import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { importPack, rulesOf, windowsRule } from '../rules/testing/rule-imports.ts';
import { noteSilentSources } from '../sources/silent-sources.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No shipped detection names it. */
const TECHNIQUE = 'T1129';
let app: DetectionApp;
let workbook_id: string;
let source_id: string;

beforeAll(async () => {
  app = await detectionApp(T0, 'all');
  await app.scheduler.round();
  const { data } = await app.call(contract.createSource, { source_name: 'lab' });
  source_id = (data as { source: contract.Source }).source.source_id;
});
afterAll(() => app?.test.close());

const clock = () => app.test.platform.clock;

/** Events that come in from the source `lab` now. */
async function sent(...users: string[]): Promise<void> {
  clock().advance(MINUTE);
  const { clusterId } = app.company.a;
  await app.store(
    users.map((ActorUsername) => ({
      time: clock().now(),
      columns: { CommandLine: 'tool', ActorUsername, DvcHostname: 'pc-1', SourceName: 'lab' },
    })),
  );
  await app.test.platform.postgres.inTenant(clusterId, (trx) =>
    sql`insert into ingest_counter (cluster_id, source_id, name, value, updated_at)
      values (${clusterId}, ${source_id}, 'stored', 1, ${timestamp(clock().now())})
      on conflict (cluster_id, source_id, name) do update set updated_at = excluded.updated_at`.execute(trx),
  );
  await noteSilentSources(app.test.platform.postgres, clock().now());
  await app.runAfter(2);
}

async function matrix(input: object = {}): Promise<contract.AttackMatrix> {
  return (await app.call(contract.attackMatrix, input, 'analyst')).data;
}

async function cell(id = TECHNIQUE, input: object = {}): Promise<contract.AttackTechnique | undefined> {
  const { tactics } = await matrix(input);
  return tactics.flatMap(({ techniques }) => techniques).find((one) => one.id === id);
}

const technique = async (technique_id = TECHNIQUE) =>
  (await app.call(contract.techniqueData, { technique_id }, 'analyst')).data;

describe('the matrix of ATT&CK', () => {
  it('[C117][C118][S2-59] shows each technique under its tactics, and one that no rule names as such', async () => {
    const lists = await app.test.call(contract.attackTactics, {
      ssid: await app.company.signIn('analyst'),
      params: { clusterId: app.company.a.clusterId },
      input: { scope_id: app.company.a.scope },
    });
    expect(lists.data.tactics).toHaveLength(14);
    expect(lists.data.platforms).toContain('Linux');
    expect(lists.data.notice).toContain('MITRE');
    const found = await matrix();
    expect(found.tactics.map(({ name }) => name)).toEqual(lists.data.tactics.map(({ name }) => name));
    for (const { name, techniques } of found.tactics)
      expect(techniques).toHaveLength(lists.data.tactics.find((one) => one.name === name)?.techniques ?? 0);
    expect(await cell()).toMatchObject({ name: 'Shared Modules', state: 'none', total: 0 });
    const states = Object.values(found.states).reduce((sum, count) => sum + count, 0);
    expect(states).toBe(found.coverage.total);
  });

  it('[S2-59] tells blind from on: a rule whose stream receives nothing sees nothing', async () => {
    const signal = { tactic: 'Execution', technique: TECHNIQUE, sub_technique: '' };
    const draft = detectionDraft('ProcessEvent | where CommandLine == "tool"', { signal });
    workbook_id = (await app.call(contract.addWorkbook, { properties: draft })).data.ID;
    expect(await cell()).toMatchObject({ state: 'blind', blind: 1, active: 0, total: 1 });
    const { rules } = await technique();
    expect(rules).toMatchObject([
      { rule_id: workbook_id, kind: 'own', state: 'blind', lacks: { streams: ['ProcessEvent'] } },
    ]);
    await sent('ana');
    expect(await cell()).toMatchObject({ state: 'on', blind: 0, active: 1, total: 1 });
    expect((await technique()).streams).toMatchObject([{ stream: 'ProcessEvent', is_silent: false }]);
  });

  it('[S2-59] turns a technique blind when its source falls silent, names the source, and back when it sends again', async () => {
    clock().advance(2 * HOUR);
    expect(await cell()).toMatchObject({ state: 'on' });
    await noteSilentSources(app.test.platform.postgres, clock().now());
    expect(await cell()).toMatchObject({ state: 'blind' });
    expect((await technique()).rules[0]).toMatchObject({ lacks: { sources: ['lab'] } });
    await sent('ben');
    expect(await cell()).toMatchObject({ state: 'on' });
    clock().advance(DAY);
    expect(await cell()).toMatchObject({ state: 'blind' });
    await sent('eve');
  });

  it('[S2-59] calls a rule proven once a case with a signal of it was a true positive, or a sample of it passes', async () => {
    const list = await app.call(contract.listSignals, { start: T0, end: clock().now(), view: 'all' });
    const signal = list.data.data.find((one) => one.workbook_id === workbook_id);
    const made = await app.call(contract.createCase, {
      case_name: 'Tool use',
      signal_ids: [signal?.signal_id],
    });
    const { case_id } = made.data as { case_id: string };
    expect(await cell()).toMatchObject({ state: 'on' });
    const close = (resolution: string) =>
      app.call(contract.changeCaseStatus, { case_id, status: 'CLOSED', resolution });
    await close('true_positive');
    expect(await cell()).toMatchObject({ state: 'proven', active: 1 });
    expect((await technique()).rules[0]?.proof).toMatchObject({ kind: 'true_positive' });
    await app.call(contract.changeCaseStatus, { case_id, status: 'OPEN' });
    await close('benign');
    expect(await cell()).toMatchObject({ state: 'on' });
    // Shipped detections come with samples, which run once for the installation.
    const job = app.test.composed.jobs.find(({ kind }) => kind === 'shipped-samples') as Job<object>;
    const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
    await job.run({}, call as never);
    const { rules } = await technique('T1105');
    expect(rules.find(({ rule_id }) => rule_id === 'native-certutil-download')).toMatchObject({
      kind: 'shipped',
      state: 'proven',
      proof: { kind: 'sample' },
    });
  });

  it('[C115] counts signals by day and rule, and for the technique of a sub-technique too', async () => {
    const input = { technique_id: TECHNIQUE, days: 7 };
    const { data } = await app.call(contract.techniqueSignals, input, 'analyst');
    expect(data.total).toBeGreaterThanOrEqual(3);
    expect(data.workbooks).toMatchObject([{ workbook_id, total: data.total }]);
    expect(await cell(TECHNIQUE, { tab: 'signals', days: 7 })).toMatchObject({ signal_count: data.total });
    expect(await cell(TECHNIQUE, { tab: 'signals', days: 1 })).toMatchObject({ signal_count: 1 });
  });

  it('[C132][C133] lists sub-techniques, with their states', async () => {
    const all = await app.call(contract.subtechniqueNames, { technique_id: 'T1059' }, 'analyst');
    expect(all.data).toContainEqual({ id: 'T1059.001', name: 'PowerShell', parent: 'T1059' });
    const states = await app.call(contract.subtechniqueData, { technique_id: 'T1059' }, 'analyst');
    expect(states.data.map(({ id }) => id)).toEqual(all.data.map(({ id }) => id));
    expect(states.data.find(({ id }) => id === 'T1059.001')?.total).toBeGreaterThan(0);
    const parent = await cell('T1059');
    expect(parent?.total).toBeGreaterThanOrEqual(
      states.data.find(({ id }) => id === 'T1059.001')?.total ?? 0,
    );
  });

  it('[S2-59] is narrowed by platform, tactic, state, stream, stage, kind and text', async () => {
    const ids = async (filter_key: string, filter_value: string | string[]) =>
      (await matrix({ addfilters: [{ filter_key, filter_value }] })).tactics.flatMap(({ techniques }) =>
        techniques.map(({ id }) => id),
      );
    expect(await ids('platform', 'Containers')).not.toContain(TECHNIQUE);
    expect(
      (await matrix({ addfilters: [{ filter_key: 'tactic', filter_value: 'Impact' }] })).tactics,
    ).toHaveLength(1);
    expect(await ids('state', 'on')).toContain(TECHNIQUE);
    expect(await ids('state', ['off', 'none'])).not.toContain(TECHNIQUE);
    expect(await ids('text', 'shared mod')).toEqual([TECHNIQUE]);
    expect(await ids('text', 'Tool use')).toContain(TECHNIQUE);
    const state = async (filter_key: string, filter_value: string) =>
      (await cell(TECHNIQUE, { addfilters: [{ filter_key, filter_value }] }))?.state;
    expect(await state('kind', 'own')).toBe('on');
    expect(await state('kind', 'imported')).toBe('none');
    expect(await state('stage', 'prod')).toBe('none');
    expect(await state('stream', 'ProcessEvent')).toBe('on');
    expect(await state('stream', 'DnsEvent')).toBe('none');
  });

  it('[S2-59] tells off from on, and what would cover a technique: a rule to switch on, a stream or a field to bring in', async () => {
    await app.call(contract.setWorkbookVisibility, { ID: workbook_id, enabled: false });
    expect(await cell()).toMatchObject({ state: 'off', total: 1 });
    await importPack(app, {
      'rules/seen.yml': windowsRule('Whoami was run', "CommandLine|contains: 'whoami'"),
      'rules/unseen.yml': windowsRule('Odd field', "Nothing: 'here'"),
    });
    const gaps = (await app.call(contract.attackGaps, {}, 'analyst')).data;
    const off = gaps.find(({ cause, kind }) => cause === 'off' && kind === 'own');
    expect(off).toMatchObject({ techniques: [{ id: TECHNIQUE }], rules: [{ rule_id: workbook_id }] });
    expect(gaps.some(({ cause, techniques }) => cause === 'stream' && techniques.length > 0)).toBe(true);
    const imported = (await rulesOf(app)).find(({ title }) => title === 'Whoami was run');
    const { rules } = await technique(imported?.techniques[0] ?? '');
    expect(rules.find(({ rule_id }) => rule_id === imported?.rule_id)).toMatchObject({
      kind: 'imported',
      state: 'off',
      lacks: { streams: [], fields: [] },
    });
    await app.call(contract.setWorkbookVisibility, { ID: workbook_id, enabled: true });
  });

  it('[C134] says on the home page how many techniques have a rule and how many are watched', async () => {
    const { data } = await app.call(contract.landingCoverage, {}, 'analyst');
    const { coverage, states } = await matrix();
    expect(data).toMatchObject({
      techniques_total: coverage.total,
      techniques_covered: coverage.covered,
      techniques_active: coverage.active,
      techniques_blind: states.blind,
    });
    expect(data.by_tactic).toHaveLength(14);
  });

  it('[S2-59] shows nothing of another tenant, and refuses techniques that there are not', async () => {
    const { b } = app.company;
    const other = { clusterId: b.clusterId, scopeId: b.scope };
    const there = await app.call(contract.techniqueData, { technique_id: TECHNIQUE }, 'engineerOfB', other);
    expect(there.data.rules).toEqual([]);
    expect(
      (await app.call(contract.techniqueData, { technique_id: TECHNIQUE }, 'engineer', other)).http,
    ).toBe(403);
    expect((await app.call(contract.techniqueData, { technique_id: 'T9999' })).http).toBe(404);
  });
});
