import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SeedRole } from '../identity/users/testing/seed-company.ts';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';
import { nativeExtractors } from './native-extractors.ts';
import { doorLine, doorYaml } from './testing/door-extractor.ts';

// From a draft to what comes in: checks, simulation, versions, pairs, and who may.

let setup: SenderSetup;
const sessions: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  setup = await senderSetup();
  const { identity, userIds, a } = setup.company;
  await identity.users.grant({
    userId: userIds.contentManager,
    clusterId: a.clusterId,
    accessType: 'Custom',
    roles: { [a.scope]: 'Viewer' },
  });
  for (const role of ['engineer', 'analyst', 'engineerOfB', 'contentManager'] as const)
    sessions[role] = await setup.company.signIn(role);
});
afterAll(() => setup?.close());

const ask = <E extends contract.Endpoint>(
  endpoint: E,
  input: object = {},
  role: SeedRole = 'engineer',
  scope_id = role === 'engineerOfB' ? setup.company.b.scope : setup.company.a.scope,
) => {
  const { a, b } = setup.company;
  const clusterId = role === 'engineerOfB' ? b.clusterId : a.clusterId;
  const session = { ssid: sessions[role] ?? '', params: { clusterId } };
  return setup.test.call(endpoint, { ...session, input: { scope_id, ...input } });
};

const SAMPLES = [doorLine(1), doorLine(2)];
const save = (yaml: string, more: object = {}) =>
  ask(contract.saveExtractor, { yaml, samples: SAMPLES, ...more });
const publish = ({ extractor_id, revision }: contract.Extractor, comment = '') =>
  ask(contract.publishExtractor, { extractor_id, revision, comment });
const resultsOf = (checks: readonly contract.ExtractorCheck[]) =>
  Object.fromEntries(checks.map(({ check, result }) => [check, result]));

describe('extractors of a tenant', () => {
  let door: contract.Extractor;

  it('[T-EXTRACTOR] a draft that is broken is saved and not published; each check tells its line', async () => {
    const broken = doorYaml('TargetUsrname').replace(
      'streams: [Authentication]',
      'streams: [authentication]',
    );
    const checked = await ask(contract.checkExtractor, { yaml: broken, samples: SAMPLES });
    expect(resultsOf(checked.data.checks)).toMatchObject({
      ...{ 'new-names': 'fail', duplicates: 'fail', 'samples-match': 'skip', 'samples-unique': 'pass' },
    });
    const named = checked.data.checks.find(({ check }) => check === 'new-names')?.findings[0];
    expect(named).toMatchObject({ result: 'fail', line: 14, fault: { code: 'unknown-column-meant' } });
    const draft = await save(broken);
    expect(draft.data).toMatchObject({ extractor_id: 10_001, status: 'draft', version: 0, name: 'door' });
    const refused = await publish(draft.data);
    expect(refused.http, refused.text).toBe(422);
    expect(refused.body).toMatchObject({ messageCode: 'extractors.checkFails' });
    door = draft.data;
  });

  it('[T-EXTRACTOR] samples that are not read keep it from being published; repeated ones are told', async () => {
    const samples = [doorLine(1), doorLine(1), 'WINDOW|open'];
    const { extractor_id } = door;
    const checked = await ask(contract.checkExtractor, { yaml: doorYaml(), samples, extractor_id });
    expect(checked.data.ok).toBe(false);
    expect(resultsOf(checked.data.checks)).toMatchObject({
      ...{ syntax: 'pass', 'samples-match': 'fail', 'samples-unique': 'warn' },
    });
    const found = checked.data.checks.flatMap(({ findings }) => findings);
    expect(found.map(({ messageCode, line }) => [messageCode, line])).toEqual([
      ['extractors.sampleNotTaken', 3],
      ['extractors.sampleTwice', 2],
    ]);
  });

  it('[T-EXTRACTOR] what is published reads what comes in within seconds, and its simulation said so before', async () => {
    const events = [doorLine(4), doorLine(5), 'something else'];
    await setup.post('/ingest/ndjson?source=doors', events.join('\n'));
    const sources = await ask(contract.listUnparsedSources);
    expect(sources.data).toMatchObject([{ source: 'doors', unparsed: 3, events: 3 }]);
    const unparsed = await ask(contract.readUnparsedEvents, { source: 'doors' });
    expect(unparsed.data.map(({ raw }) => raw).sort()).toEqual([...events].sort());
    const simulated = await ask(contract.testExtractor, { yaml: doorYaml(), source: 'doors' });
    expect(simulated.data).toMatchObject({ ok: true, parsed: 2, errors: 0 });
    expect(simulated.data.rows.find(({ raw }) => raw === doorLine(4))).toMatchObject({
      ...{ reach: 'read', parse_status: 'PAD', stream: 'Authentication', entry: 'passage' },
      columns: {
        TargetUsername: 'user4',
        EventResult: 'Success',
        DvcHostname: 'gate-1',
        EventVendor: 'Acme',
      },
    });
    const { extractor_id, revision } = door;
    door = (await save(doorYaml(), { extractor_id, revision })).data;
    const published = await publish(door, 'first');
    expect(published.data, published.text).toMatchObject({ version: 1, status: 'enabled', draft: null });
    door = published.data;
    await setup.post('/ingest/ndjson?source=doors', doorLine(8));
    expect(await setup.count("TargetUsername = 'user8' AND Stream = 'Authentication'")).toBe(1);
    // Somebody who saw an older state changes nothing.
    expect((await save(doorYaml(), { extractor_id, revision: 1 })).http).toBe(409);
  });

  it('[T-EXTRACTOR] the published version goes on beside its draft; versions come back', async () => {
    const { extractor_id, revision } = door;
    const draft = await save(doorYaml('ActorUsername'), { extractor_id, revision });
    expect(draft.data).toMatchObject({ has_draft: true, status: 'enabled', version: 1 });
    await setup.post('/ingest/ndjson?source=doors', doorLine(9));
    expect(await setup.count("TargetUsername = 'user9'")).toBe(1);
    const second = await publish(draft.data, 'second');
    const listed = await ask(contract.listExtractorVersions, { extractor_id });
    expect(listed.data.map(({ version, comment }) => [version, comment])).toEqual([
      [2, 'second'],
      [1, 'first'],
    ]);
    const back = await ask(contract.restoreExtractorVersion, {
      ...{ extractor_id, version: 1, revision: second.data.revision },
    });
    expect(back.data).toMatchObject({ version: 2, draft: doorYaml() });
    const gone = await ask(contract.discardExtractorDraft, { extractor_id, revision: back.data.revision });
    expect(gone.data).toMatchObject({ version: 2, draft: null, yaml: doorYaml('ActorUsername') });
  });

  it('[T-EXTRACTOR] switched off, it reads nothing; its name is nobody else’s; clones are drafts of their own', async () => {
    const { extractor_id } = door;
    const off = await ask(contract.switchExtractor, { extractor_id, enabled: false });
    expect(off.data.status).toBe('disabled');
    await setup.post('/ingest/ndjson?source=doors', doorLine(11));
    expect(await setup.count("ActorUsername = 'user11'")).toBe(0);
    const clone = await ask(contract.cloneExtractor, { extractor_id });
    expect(clone.data).toMatchObject({ status: 'draft', cloned_from: extractor_id, extractor_id: 10_002 });
    const taken = await ask(contract.checkExtractor, { yaml: clone.data.draft ?? '', extractor_id: 10_002 });
    expect(resultsOf(taken.data.checks)['extractor-unique']).toBe('fail');
    expect((await ask(contract.removeExtractor, { extractor_id: 10_002 })).http).toBe(200);
    // No number is given twice.
    expect((await save(doorYaml('Object', 'other'))).data.extractor_id).toBe(10_003);
  });

  it('[T-EXTRACTOR][C087] samples stay in their scope, and are removed', async () => {
    const { extractor_id } = door;
    const read = (scope: string) => ask(contract.readExtractorRecord, { extractor_id }, 'engineer', scope);
    const { scope, otherScope } = setup.company.a;
    expect((await read(scope)).data.samples).toEqual(SAMPLES);
    expect((await read(otherScope)).data.samples).toEqual([]);
    expect((await ask(contract.removeSimulationFile, { extractor_id })).http).toBe(200);
    expect((await read(scope)).data.samples).toEqual([]);
  });

  it('[T-EXTRACTOR] of a native one and its clones one is on, and native ones are read-only', async () => {
    const native = [...nativeExtractors().values()][0];
    if (!native) return;
    const { id: extractor_id } = native;
    expect((await save(native.yaml, { extractor_id, revision: 0 })).http).toBe(409);
    expect((await ask(contract.removeExtractor, { extractor_id })).http).toBe(409);
    const clone = (await ask(contract.cloneExtractor, { extractor_id })).data;
    expect(clone.instead).toMatchObject([{ extractor_id }]);
    const own = await publish(clone);
    expect(own.data, own.text).toMatchObject({ status: 'enabled', instead: [] });
    const status = async () => (await ask(contract.readExtractorRecord, { extractor_id })).data.status;
    expect(await status()).toBe('disabled');
    await ask(contract.switchExtractor, { extractor_id, enabled: true });
    const now = await ask(contract.readExtractorRecord, { extractor_id: clone.extractor_id });
    expect(now.data.status).toBe('disabled');
    await ask(contract.switchExtractor, { extractor_id: clone.extractor_id, enabled: true });
    await ask(contract.removeExtractor, { extractor_id: clone.extractor_id });
    // Deleted, it leaves the native one in its place.
    expect(await status()).toBe('enabled');
  });

  it('[T-EXTRACTOR][S6-07] analysts and other tenants see and change none of it', async () => {
    const { extractor_id } = door;
    for (const endpoint of [contract.listExtractors, contract.listUnparsedSources])
      expect((await ask(endpoint, {}, 'analyst')).http).toBe(403);
    const read = await ask(contract.readExtractorRecord, { extractor_id }, 'engineerOfB');
    expect(read.http).toBe(404);
    const listed = await ask(contract.listExtractors, {}, 'engineerOfB');
    expect(listed.data.data.every(({ type }) => type === 'native')).toBe(true);
    expect((await ask(contract.listUnparsedSources, {}, 'engineerOfB')).data).toEqual([]);
  });

  it('[T-EXTRACTOR][T-data-model] a field that is asked for is accepted once it is approved, at once, and filled', async () => {
    const yaml = doorYaml('BadgeHolder', 'badges').replaceAll('DOOR', 'BADGE');
    const newNames = async () => {
      const { data } = await ask(contract.checkExtractor, { yaml, samples: ['BADGE|gate-1|ada|opened'] });
      return data.checks.find(({ check }) => check === 'new-names');
    };
    const ofTenant = { scope_id: undefined };
    const missing = (await newNames())?.findings[0];
    expect(missing).toMatchObject({ result: 'fail', fault: { values: { column: 'BadgeHolder' } } });
    const wanted = [{ stream: 'Authentication', field: 'BadgeHolder', description: 'Who holds the badge' }];
    const asked = await ask(contract.askModel, { source: 'badges', wanted });
    const open = await ask(contract.listModelRequests, { state: 'open', ...ofTenant }, 'contentManager');
    expect(open.data).toMatchObject([
      { field: 'BadgeHolder', source: 'badges', request_id: asked.data.request_ids[0] },
    ]);
    expect((await newNames())?.result).toBe('fail');
    const decision = { ...ofTenant, request_id: asked.data.request_ids[0], approve: true };
    expect((await ask(contract.decideModelRequest, decision, 'contentManager')).http).toBe(200);
    expect(await newNames()).toMatchObject({ result: 'pass', findings: [] });
    expect((await publish((await save(yaml, { samples: ['BADGE|gate-1|ada|opened'] })).data)).http).toBe(200);
    await setup.post('/ingest/ndjson?source=badges', 'BADGE|gate-2|grace|opened');
    expect(await setup.count("Ext.BadgeHolder.:String = 'grace' AND Stream = 'Authentication'")).toBe(1);
  });

  it('[S13][T-EXTRACTOR] each change and each read of events has left its entry', async () => {
    const { clusterId } = setup.company.a;
    const { rows } = await sql<{ action: string }>`select distinct action from audit_entry
      where cluster_id = ${clusterId} and action like 'extractor.%' order by action`.execute(
      setup.test.platform.postgres.platform,
    );
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(
        [
          'clone',
          'disable',
          'draft.discard',
          'publish',
          'remove',
          'restore',
          'samples.remove',
          'save',
          'unparsed',
        ].map((name) => `extractor.${name}`),
      ),
    );
  });
});
