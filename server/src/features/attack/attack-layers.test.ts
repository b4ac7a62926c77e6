import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
const DAY = 24 * 3_600_000;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, ['native-certutil-download']);
  await app.scheduler.round();
  await app.store([{ time: T0 }]);
});
afterAll(() => app?.test.close());

type Against = contract.InputOf<typeof contract.attackComparison>['against'];
const compare = async (against: Against) =>
  (await app.call(contract.attackComparison, { against }, 'analyst')).data;
const exported = async () =>
  (await app.call(contract.exportLayer, { name: 'Our coverage' }, 'analyst')).data.layer;
const save = (layer: object) => app.call(contract.saveLayer, { layer }, 'analyst');

describe('layers of the ATT&CK Navigator', () => {
  it('[S2-59] a layer that leaves is loaded again and equal', async () => {
    const layer = await exported();
    expect(layer).toMatchObject({
      name: 'Our coverage',
      domain: 'enterprise-attack',
      versions: { attack: '18', layer: '4.5' },
    });
    const techniques = layer.techniques as { techniqueID: string; score: number }[];
    expect(techniques).toHaveLength(691);
    const kept = await save(layer);
    expect(kept.data).toMatchObject({ name: 'Our coverage', attack_version: '18', unknown: [] });
    const found = await compare({ kind: 'layer', layer_id: kept.data.layer_id });
    expect(found).toMatchObject({ has_states: true, techniques: [], figures: { better: 0, worse: 0 } });
    expect(found.figures.named).toBe(techniques.filter(({ score }) => score > 0).length);
    const marks = contract.marksOf(contract.navigatorLayerSchema.parse(layer));
    const again = contract.marksOf(contract.navigatorLayerSchema.parse(await exported()));
    expect(again).toEqual(marks);
  });

  it('[S2-59] tells what became better and worse since a layer of our own', async () => {
    const before = await save(await exported());
    const signal = { tactic: 'Execution', technique: 'T1129', sub_technique: '' };
    const added = await app.call(contract.addWorkbook, {
      properties: detectionDraft('ProcessEvent | where CommandLine == "tool"', { signal }),
    });
    const off = { ID: 'native-certutil-download', enabled: false };
    await app.call(contract.setWorkbookVisibility, off);
    const found = await compare({ kind: 'layer', layer_id: before.data.layer_id });
    expect(found.techniques).toContainEqual({
      id: 'T1129',
      name: 'Shared Modules',
      now: 'on',
      before: 'none',
    });
    expect(found.figures.better).toBe(1);
    await app.call(contract.setWorkbookVisibility, { ...off, enabled: true });
    await app.call(contract.setWorkbookVisibility, { ID: added.data.ID, enabled: false });
    expect(await compare({ kind: 'layer', layer_id: before.data.layer_id })).toMatchObject({
      techniques: [{ id: 'T1129', now: 'off', before: 'none' }],
    });
  });

  it('[S2-59] compares with the layer of an actor, and with the group itself, with the same result', async () => {
    const actors = (await app.call(contract.attackActors, {}, 'analyst')).data;
    const group = actors.find(({ id }) => id === 'G0016');
    expect(group).toMatchObject({ name: 'APT29', kind: 'group' });
    const direct = await compare({ kind: 'actor', actor_id: 'G0016' });
    expect(direct).toMatchObject({ name: 'APT29', has_states: false, unknown: [] });
    expect(direct.techniques).toHaveLength(group?.techniques ?? 0);
    expect(direct.figures.named).toBe(group?.techniques);
    // As MITRE writes the layers of groups: a score, no states, and a technique of another version.
    const layer = {
      name: 'APT29 (G0016)',
      versions: { attack: '17', navigator: '5.1.0', layer: '4.5' },
      domain: 'enterprise-attack',
      techniques: [
        ...direct.techniques.map(({ id }) => ({ techniqueID: id, score: 1, color: '', enabled: true })),
        { techniqueID: 'T1086', score: 1 },
        { techniqueID: 'T1129', score: 0 },
      ],
    };
    const kept = await save(layer);
    expect(kept.data).toMatchObject({ techniques: direct.techniques.length + 1, unknown: ['T1086'] });
    const viaLayer = await compare({ kind: 'layer', layer_id: kept.data.layer_id });
    expect(viaLayer.techniques).toEqual(direct.techniques);
    expect(viaLayer.unknown).toEqual(['T1086']);
  });

  it('[S2-59] refuses a layer that marks nothing or is for another domain, and deletes what is no longer wanted', async () => {
    const technique = { techniqueID: 'T1059', score: 0 };
    expect((await save({ name: 'Empty', techniques: [technique] })).text).toContain('marks no technique');
    const mobile = { name: 'Mobile', domain: 'mobile-attack', techniques: [{ ...technique, score: 1 }] };
    expect((await save(mobile)).http).toBe(422);
    expect((await save({ name: 'Odd', techniques: [{ techniqueID: 'X', score: 1 }] })).http).toBe(422);
    const all = (await app.call(contract.listLayers, {}, 'analyst')).data;
    expect(all.map(({ name }) => name)).toEqual(['APT29 (G0016)', 'Our coverage', 'Our coverage']);
    for (const { layer_id } of all) await app.call(contract.removeLayer, { layer_id }, 'analyst');
    expect((await app.call(contract.listLayers, {}, 'analyst')).data).toEqual([]);
    const gone = { layer_id: all[0]?.layer_id };
    expect((await app.call(contract.removeLayer, gone, 'analyst')).http).toBe(404);
  });
});

describe('earlier days', () => {
  const keep = async () => {
    const { clusterId } = app.company.a;
    const job = app.test.composed.jobs.find(
      ({ kind }) => kind === 'attack-snapshots-of-tenant',
    ) as Job<object>;
    const call = { clusterId, signal: new AbortController().signal, progress: async () => undefined };
    return job.run({}, call as never);
  };
  const days = async () => (await app.call(contract.attackHistory, {}, 'analyst')).data.map(({ day }) => day);

  it('[S2-59] keeps a day when something changed, and tells what changed since', async () => {
    await keep();
    expect(await days()).toEqual(['2026-03-04']);
    app.test.platform.clock.advance(DAY / 2);
    await app.store([{ time: app.test.platform.clock.now() }]);
    app.test.platform.clock.advance(DAY / 2);
    await keep();
    expect(await days()).toEqual(['2026-03-04']);
    const off = { ID: 'native-certutil-download', enabled: false };
    await app.call(contract.setWorkbookVisibility, off);
    const list = await app.call(contract.listWorkbooks, { pagesize: 1000 });
    const others = list.data.data.filter(({ properties }) => properties.technique === 'T1105');
    for (const { ID } of others) await app.call(contract.setWorkbookVisibility, { ID, enabled: false });
    const found = await compare({ kind: 'day', day: '2026-03-05' });
    expect(found).toMatchObject({ name: '2026-03-04', has_states: true });
    expect(found.techniques).toContainEqual(expect.objectContaining({ id: 'T1105', now: 'off' }));
    expect(found.figures.worse).toBeGreaterThanOrEqual(1);
    app.test.platform.clock.advance(DAY);
    await keep();
    expect(await days()).toEqual(['2026-03-06', '2026-03-04']);
    const refused = await app.call(contract.attackComparison, {
      against: { kind: 'day', day: '2026-03-01' },
    });
    expect(refused.http).toBe(404);
  });

  it('[S2-59] removes days that are older than two years', async () => {
    const job = app.test.composed.jobs.find(({ kind }) => kind === 'attack-upkeep') as Job<object>;
    app.test.platform.clock.advance(729 * DAY);
    const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
    await job.run({}, call as never);
    expect(await days()).toEqual(['2026-03-06']);
  });
});
