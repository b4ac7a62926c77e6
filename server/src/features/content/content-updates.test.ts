import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import type { SeedRole } from '../identity/users/testing/seed-company.ts';
import {
  archiveOf,
  importPack,
  rulesOf,
  runImportJob,
  sendArchive,
  windowsRule,
} from '../rules/testing/rule-imports.ts';
import type { WorkbookTables } from '../workbooks/workbook-tables.ts';

// Content that is newer than what a tenant runs: listed, compared, taken and declined.

const T0 = Date.UTC(2026, 2, 4, 10);
const ID = (n: number) => `id: 0f06a3a5-6a09-413f-8743-e6cf35561e8${n}\n`;
const NATIVE = 'native-psexec-use';
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, [NATIVE]);
  await app.store([{ time: T0, columns: { EventVendor: 'Microsoft', EventType: 'ProcessCreated' } }]);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

const updates = async (input: object = {}, as: SeedRole = 'engineer') =>
  (await app.call(contract.listContentUpdates, input, as)).data;
const read = async (update_id: string) => (await app.call(contract.readContentUpdate, { update_id })).data;
const decide = (input: object, as: SeedRole = 'engineer') =>
  app.call(contract.decideContentUpdates, input, as);
const native = async (ID = NATIVE) => (await app.call(contract.workbookProperties, { ID })).data.properties;

/** The tenant has a detection as an earlier release shipped it. */
const asBefore = (part: object, ID = NATIVE) =>
  app.test.platform.postgres.inTenant(app.company.a.clusterId, (trx) =>
    trx
      .withTables<WorkbookTables>()
      .updateTable('workbook')
      .set({ native_hash: 'of the release before', ...part })
      .where('cluster_id', '=', app.company.a.clusterId)
      .where('workbook_id', '=', ID)
      .execute(),
  );

describe('shipped detections', () => {
  it('[C099] that are newer wait with what they change, and a decision for one leaves the others', async () => {
    expect(await updates()).toMatchObject({ data: [], total_count: 0, policy: 'review' });
    await asBefore({ name: 'PsExec at work' });
    await app.scheduler.round();
    expect((await native()).name).toBe('PsExec at work');
    const { data } = await updates();
    const one = data.find((update) => update.ID === NATIVE);
    expect(one).toMatchObject({
      ...{ update_id: `workbook:${NATIVE}`, kind: 'workbook', change: 'changed', name: 'PsExec at work' },
      ...{ from_version: 1, to_version: 2, parts: ['name'], customised: false, enabled: true, state: 'open' },
    });
    const detail = await read(`workbook:${NATIVE}`);
    expect(detail.text.before).toContain('name: PsExec at work');
    expect(detail.text.after).toContain('name: PsExec execution');
  });

  it('[C099] are declined until the next release, and taken in spite of that', async () => {
    expect((await decide({ update_ids: [`workbook:${NATIVE}`], take: false })).data.done).toBe(1);
    expect((await updates()).data.map(({ ID }) => ID)).not.toContain(NATIVE);
    expect((await updates({ state: 'declined' })).data.map(({ ID }) => ID)).toEqual([NATIVE]);
    await app.call(contract.setWorkbookVisibility, { ID: NATIVE, enabled: false });
    expect((await decide({ update_ids: [`workbook:${NATIVE}`], take: true })).data).toEqual({
      done: 1,
      failed: [],
    });
    // Off stays off.
    expect(await native()).toMatchObject({ name: 'PsExec execution', version: 2, enabled: false });
    expect((await updates({ state: 'declined' })).data).toEqual([]);
    expect((await decide({ update_ids: [`workbook:${NATIVE}`], take: true })).http).toBe(404);
  });

  it('[C099] replace the older ones at once where the tenant wants that', async () => {
    await asBefore({ name: 'Old once more' });
    expect((await app.call(contract.saveUpdatePolicy, { shipped: 'at-once' }, 'analyst')).http).toBe(403);
    await app.call(contract.saveUpdatePolicy, { shipped: 'at-once' });
    expect(await native()).toMatchObject({ name: 'PsExec execution', enabled: false });
    expect(await updates()).toMatchObject({ total_count: 0, policy: 'at-once' });
    await app.call(contract.saveUpdatePolicy, { shipped: 'review' });
  });

  it('[C099] tell a copy that its original has changed since, with three texts, until somebody has looked', async () => {
    const name = 'Our PsExec';
    const { data: copy } = await app.call(contract.cloneWorkbook, {
      ID: NATIVE,
      name,
      disable_original: false,
    });
    const mine = (await app.call(contract.workbookProperties, { ID: copy.ID })).data.properties;
    const { name: _n, ...rest } = contract.workbookDraftSchema.parse(mine);
    await app.call(contract.editWorkbook, {
      ID: copy.ID,
      version: 1,
      properties: { ...rest, name, description: 'As we see it.' },
    });
    expect((await updates({ kind: 'copy' })).data).toEqual([]);
    await asBefore({});
    await decide({ update_ids: [`workbook:${NATIVE}`], take: true });
    const { version } = await native();
    const [one] = (await updates({ kind: 'copy' })).data;
    expect(one).toMatchObject({
      ...{ update_id: `copy:${copy.ID}`, name, of: 'PsExec execution', customised: true },
      ...{ from_version: version - 1, to_version: version },
    });
    const detail = await read(`copy:${copy.ID}`);
    expect(detail.own?.after).toContain('As we see it.');
    expect(detail.text.after).not.toContain('As we see it.');
    expect((await decide({ update_ids: [`copy:${copy.ID}`], take: true })).data.done).toBe(1);
    expect((await updates({ kind: 'copy' })).data).toEqual([]);
  });
});

describe('rules of packs', () => {
  const first = {
    'a.yml': windowsRule('First', "CommandLine|contains: 'one'", ID(1)),
    'b.yml': windowsRule('Second', "CommandLine|contains: 'two'", ID(2)),
    'c.yml': windowsRule('Third', "CommandLine|contains: 'three'", ID(3)),
  };
  const second = {
    'a.yml': windowsRule('First, better', "CommandLine|contains: 'uno'", ID(1)),
    'b.yml': windowsRule('Second', "CommandLine|contains: 'dos'", ID(2)),
    'd.yml': windowsRule('Fourth', "CommandLine|contains: 'four'", ID(4)),
  };
  const byTitle = async (title: string) => (await rulesOf(app)).find((rule) => rule.title === title);
  const importForReview = async (files: Readonly<Record<string, string>>) => {
    const { import_id } = (await app.call(contract.beginRuleImport, { pack: 'Hunters', review: true })).data;
    const bytes = archiveOf(files).toString('base64');
    await app.call(contract.sendRuleImportPart, { import_id, part: 0, bytes });
    await app.call(contract.startRuleImport, { import_id });
    await runImportJob(app, app.company.a.clusterId, import_id);
    return (await app.call(contract.readRuleImport, { import_id })).data;
  };
  const open = async () =>
    (await updates({ kind: 'rule' })).data.map(({ change, name }) => `${change} ${name}`);

  it('[C099] of an import for review wait, each with what differs; nothing is replaced meanwhile', async () => {
    await importPack(app, first);
    const rule = await byTitle('First');
    const overlay = { level: 'low', exceptions: [{ field: 'ActorUsername', values: ['backup'] }] };
    await app.call(contract.saveRuleOverlay, { rule_id: rule?.rule_id, overlay, revision: 0 });
    await app.call(contract.switchRules, { rule_ids: [rule?.rule_id], enabled: true, stage: 'prod' });
    const report = await importForReview(second);
    expect(report).toMatchObject({ review: true, changes: { new: 1, changed: 2, gone: 1 } });
    expect(await open()).toEqual(['changed First, better', 'new Fourth', 'changed Second', 'gone Third']);
    expect((await rulesOf(app)).map(({ title }) => title).sort()).toEqual(['First', 'Second', 'Third']);
    const [one] = (await updates({ kind: 'rule' })).data;
    expect(one).toMatchObject({
      ...{ of: 'Hunters', from_version: 1, to_version: 2, parts: ['name', 'text', 'query'] },
      ...{ customised: true, enabled: true },
    });
    const detail = await read(one?.update_id ?? '');
    expect([detail.text.before, detail.text.after]).toEqual([first['a.yml'], second['a.yml']]);
    expect([detail.query?.before, detail.query?.after]).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('uno'),
    ]);
  });

  it('[C099] are taken one by one; exception, level, stage and switch of the scope stay', async () => {
    const rule_id = (await byTitle('First'))?.rule_id ?? '';
    expect((await decide({ update_ids: [`rule:${rule_id}`], take: true }, 'analyst')).http).toBe(403);
    expect((await decide({ update_ids: [`rule:${rule_id}`], take: true })).data).toEqual({
      done: 1,
      failed: [],
    });
    const detail = (await app.call(contract.readPackRule, { rule_id })).data;
    expect(detail).toMatchObject({
      ...{ title: 'First, better', version: 2, enabled: true, stage: 'prod' },
      overlay: { level: 'low', exceptions: [{ field: 'ActorUsername', values: ['backup'] }] },
    });
    expect(detail.kql).toContain('uno');
    expect(detail.kql).toContain('| where not(tostring(ActorUsername) =~ "backup")');
    expect((await byTitle('Second'))?.version).toBe(1);
  });

  it('[C099] are declined until the pack says something else; all the others are taken together', async () => {
    const secondId = (await byTitle('Second'))?.rule_id;
    await decide({ update_ids: [`rule:${secondId}`], take: false });
    expect(await open()).toEqual(['new Fourth', 'gone Third']);
    // The same archive once more offers nothing that was declined.
    await importForReview(second);
    expect(await open()).toEqual(['new Fourth', 'gone Third']);
    expect((await decide({ kind: 'rule', take: true })).data).toEqual({ done: 2, failed: [] });
    expect((await rulesOf(app)).map(({ title }) => title).sort()).toEqual([
      'First, better',
      'Fourth',
      'Second',
    ]);
    await importForReview({
      ...second,
      'b.yml': windowsRule('Second', "CommandLine|contains: 'tres'", ID(2)),
    });
    expect(await open()).toEqual(['changed Second']);
    // What was taken is as an import would have written it.
    const import_id = await sendArchive(app, archiveOf(second));
    await runImportJob(app, app.company.a.clusterId, import_id);
    expect((await app.call(contract.readRuleImport, { import_id })).data.changes).toEqual({ changed: 1 });
    // An import that replaces at once takes back what waited.
    expect(await updates()).toMatchObject({ total_count: 0 });
    expect(await updates({ state: 'declined' })).toMatchObject({ total_count: 0 });
  });

  it('[C099] bring the samples of their text once they are taken', async () => {
    const samples = "samples:\n  - {name: Seen, expect: match, events: ['six']}\n";
    const text = windowsRule('Sampled', "CommandLine: 'six'", ID(6)) + samples;
    expect((await importForReview({ ...second, 'f.yml': text })).state).toBe('done');
    const one = (await updates({ kind: 'rule' })).data.find(({ name }) => name === 'Sampled');
    await decide({ update_ids: [one?.update_id], take: true });
    const { data } = await app.call(contract.readSamples, { rule_id: one?.ID });
    expect(data.samples.map(({ name, origin }) => [name, origin])).toEqual([['Seen', 'pack']]);
  });

  it('[C099] of another tenant do not exist', async () => {
    await importForReview({ ...second, 'e.yml': windowsRule('Fifth', "CommandLine: 'five'", ID(5)) });
    const [one] = (await updates({ kind: 'rule' })).data;
    const { b } = app.company;
    const there = { clusterId: b.clusterId, scopeId: b.scope };
    const asked = { update_id: one?.update_id };
    expect((await app.call(contract.readContentUpdate, asked, 'engineerOfB', there)).http).toBe(404);
    const taking = { update_ids: [one?.update_id], take: true };
    expect((await app.call(contract.decideContentUpdates, taking, 'engineerOfB', there)).http).toBe(404);
    expect(
      (await app.call(contract.listContentUpdates, { kind: 'rule' }, 'engineerOfB', there)).data.data,
    ).toEqual([]);
  });

  it('[C099] leave an entry in the audit trail for each decision', async () => {
    const { a } = app.company;
    const entries = await app.test.platform.postgres.platform
      .selectFrom('audit_entry' as never)
      .select('action' as never)
      .where('cluster_id' as never, '=', a.clusterId as never)
      .where('action' as never, 'like', 'content.update.%' as never)
      .execute();
    const actions = new Set((entries as { action: string }[]).map(({ action }) => action));
    expect([...actions].sort()).toEqual([
      'content.update.decline',
      'content.update.policy',
      'content.update.take',
    ]);
  });
});
