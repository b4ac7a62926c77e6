import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { archiveOf, rulesOf, runImportJob, windowsRule } from './testing/rule-imports.ts';

// Every change of packs and rules leaves an entry in the audit trail: who, where, what.

let app: DetectionApp;
beforeAll(async () => {
  app = await detectionApp(Date.UTC(2026, 2, 4, 10));
});
afterAll(() => app?.test.close());

/** Makes a call that changes something; answers what it gave, with the entry that it left. */
async function change(endpoint: contract.Endpoint, input: object) {
  const head = await sql<{
    no: number;
  }>`select coalesce(max(chain_no), 0)::int as no from audit_entry`.execute(
    app.test.platform.postgres.platform,
  );
  const answer = await app.call(endpoint, input);
  expect(answer.http, answer.text).toBe(200);
  const { rows } = await sql`
    select action, user_id, cluster_id, scope_id, entity, details from audit_entry
    where chain_no > ${head.rows[0]?.no ?? 0} and action <> 'login' order by chain_no`.execute(
    app.test.platform.postgres.platform,
  );
  return { data: answer.data as Record<string, string>, entries: rows };
}

const entry = (action: string, entity: unknown, details: object = {}) => [
  expect.objectContaining({
    action,
    entity,
    user_id: app.company.userIds.engineer,
    cluster_id: app.company.a.clusterId,
    scope_id: app.company.a.scope,
    details: expect.objectContaining(details),
  }),
];

it('[S13][T-rules] each change of packs and rules leaves its entry', async () => {
  const begun = await change(contract.beginRuleImport, { pack: 'Hunters' });
  const { import_id, pack_id } = begun.data;
  expect(begun.entries).toEqual(entry('rule.import.begin', import_id, { pack: 'Hunters' }));
  const bytes = archiveOf({ 'a.yml': windowsRule('First', "CommandLine: 'x'") }).toString('base64');
  const part = await change(contract.sendRuleImportPart, { import_id, part: 0, bytes });
  expect(part.entries).toEqual(entry('rule.import.part', import_id, { part: 0 }));
  const started = await change(contract.startRuleImport, { import_id });
  expect(started.entries).toEqual(entry('rule.import.start', import_id));
  await runImportJob(app, app.company.a.clusterId, import_id ?? '');

  const [rule] = await rulesOf(app);
  const rule_id = rule?.rule_id ?? '';
  const on = await change(contract.switchRules, { rule_ids: [rule_id], enabled: true, stage: 'beta' });
  expect(on.entries).toEqual(entry('detection.enable', rule_id, { rules: 1, stage: 'beta' }));
  const off = await change(contract.switchRules, { rule_ids: [rule_id], enabled: false });
  expect(off.entries).toEqual(entry('detection.disable', rule_id, { rules: 1 }));
  const overlay = { stage: 'dev', level: 'low' };
  const saved = await change(contract.saveRuleOverlay, { rule_id, overlay, revision: 1 });
  expect(saved.entries).toEqual(entry('rule.change', rule_id, { stage: 'dev', level: 'low' }));

  const again = (await change(contract.beginRuleImport, { pack: 'Hunters' })).data.import_id;
  const cancelled = await change(contract.cancelRuleImport, { import_id: again });
  expect(cancelled.entries).toEqual(entry('rule.import.cancel', again));
  const removed = await change(contract.removeRulePack, { pack_id });
  expect(removed.entries).toEqual(entry('rule.pack.remove', pack_id));
});

it('[S13][T-own-rules] each change of an own rule and of samples leaves its entry', async () => {
  const text = windowsRule('Mine', "CommandLine: 'mine'");
  const saved = await change(contract.saveOwnRule, { text, comment: 'first', version: 0 });
  const { rule_id } = saved.data;
  expect(saved.entries).toEqual(entry('rule.own.save', rule_id, { comment: 'first', version: 1 }));
  const locked = await change(contract.lockOwnRule, { rule_id, lock: true });
  expect(locked.entries).toEqual(entry('rule.own.lock', rule_id));
  const samples = [{ name: 'One', expect: 'no match', events: ['nothing'] }];
  const sampled = await change(contract.saveSamples, { rule_id, samples, revision: 0 });
  expect(sampled.entries).toEqual(entry('rule.samples', rule_id, { samples: 1 }));
  const removed = await change(contract.removeOwnRule, { rule_id });
  expect(removed.entries).toEqual(entry('rule.own.remove', rule_id));
});
