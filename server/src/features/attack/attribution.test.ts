import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { attackKnowledge, knowledgeOf } from './attack-content.ts';
import { attribute } from './attribute.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
let app: DetectionApp;
let ID: string;

beforeAll(async () => {
  app = await detectionApp(T0);
  const signal = { tactic: 'Credential Access', technique: 'T1003', sub_technique: 'T1003.006' };
  const query = '// Finds replication by accounts.\nProcessEvent | where CommandLine == "tool"';
  const draft = detectionDraft(query, { description: 'Replication of a directory', signal });
  ID = (await app.call(contract.addWorkbook, { properties: draft })).data.ID;
  while (await app.scheduler.round());
  const { clock } = app.test.platform;
  clock.advance(60_000);
  await app.store([
    { time: clock.now(), columns: { CommandLine: 'tool', ActorUsername: 'ana', DvcHostname: 'pc-1' } },
  ]);
  await app.runAfter(2);
});
afterAll(() => app?.test.close());

describe('attribution', () => {
  it('[C129] names groups and campaigns with the techniques they share and how rare each is, and saves nothing', async () => {
    const { data } = await app.call(contract.attributeWorkbook, { ID }, 'analyst');
    expect(data.techniques).toEqual([{ id: 'T1003.006', name: 'DCSync' }]);
    expect(data.total_count).toBeGreaterThan(3);
    const users = attackKnowledge().actors;
    for (const { actor, score, techniques } of data.data) {
      expect(score).toBeGreaterThan(0);
      expect(users.get(actor.id)?.techniques.some((id) => id.startsWith('T1003'))).toBe(true);
      expect(techniques[0]).toMatchObject({ id: 'T1003.006', used_by: expect.any(Number) });
    }
    const scores = data.data.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect((await app.call(contract.workbookAttributions, { ID }, 'analyst')).data).toEqual([]);
    expect(await app.call(contract.attributeWorkbook, { ID }, 'analyst')).toMatchObject({ data });
  });

  it('[C128] keeps what somebody accepts, with who did, until it is taken back', async () => {
    const accept = (actor_id: string, accepted: boolean) =>
      app.call(contract.acceptAttribution, { ID, actor_id, accepted }, 'analyst');
    expect((await accept('G0016', true)).http).toBe(200);
    await accept('G0016', true);
    const kept = await app.call(contract.workbookAttributions, { ID });
    expect(kept.data).toMatchObject([{ actor: { id: 'G0016', name: 'APT29' } }]);
    expect(kept.data[0]?.accepted_by).not.toBe('');
    expect((await accept('G9999', true)).http).toBe(404);
    await accept('G0016', false);
    expect((await app.call(contract.workbookAttributions, { ID })).data).toEqual([]);
  });

  it('[C127] names whom signals remind of, of the scope alone', async () => {
    const list = await app.call(contract.listSignals, {
      start: T0 - 1,
      end: app.test.platform.clock.now(),
      view: 'all',
    });
    const signal_ids = list.data.data.map(({ signal_id }) => signal_id);
    const { data } = await app.call(contract.attributeSignals, { signal_ids }, 'analyst');
    expect(data.techniques).toEqual([{ id: 'T1003.006', name: 'DCSync' }]);
    expect(data.data.length).toBeGreaterThan(0);
    const foreign = await app.call(contract.attributeSignals, { signal_ids }, 'engineerOfB', {
      clusterId: app.company.b.clusterId,
      scopeId: app.company.b.scope,
    });
    expect(foreign.http).toBe(404);
  });

  it('[C127] rare techniques count more, sub-techniques meet their technique by half, and software is found by name', () => {
    const actor = { aliases: [], software: [] };
    const technique = (id: string) => ({ id, name: id, tactics: [], platforms: [] });
    const knowledge = knowledgeOf({
      ...{ version: '1', tactics: [], campaigns: [] },
      techniques: ['T0001', 'T0002', 'T0002.001', 'T0003'].map(technique),
      groups: [
        { ...actor, id: 'G0001', name: 'Rare', techniques: ['T0001', 'T0003'], software: ['S0001'] },
        { ...actor, id: 'G0002', name: 'Common', techniques: ['T0002', 'T0003'] },
        { ...actor, id: 'G0003', name: 'Other', techniques: ['T0002.001', 'T0003'] },
      ],
      software: [{ id: 'S0001', name: 'Mimikatz', aliases: ['mimi tool'], techniques: [] }],
    });
    const asked = attribute(knowledge, { techniques: ['T0001', 'T0002'], text: '' });
    expect(asked.data.map(({ actor: { id } }) => id)).toEqual(['G0001', 'G0002', 'G0003']);
    expect(asked.data[2]?.techniques).toMatchObject([{ id: 'T0002', is_exact: false, used_by: 2 }]);
    const named = attribute(knowledge, { techniques: [], text: 'runs C:\\tools\\MIMIKATZ.exe now' });
    expect(named.software).toEqual([{ id: 'S0001', name: 'Mimikatz' }]);
    expect(named.data).toMatchObject([{ actor: { id: 'G0001' }, software: [{ id: 'S0001' }] }]);
    expect(attribute(knowledge, { techniques: [], text: 'mimikatzen' }).data).toEqual([]);
  });
});

describe('what a workbook says of itself', () => {
  it('[C130] is written from its content, the same each time, saved or as it stands in the editor', async () => {
    const { data } = await app.call(contract.workbookDocumentation, { ID }, 'analyst');
    expect(data.markdown).toContain('# Tool use');
    expect(data.markdown).toContain('It runs every minute over what came in.');
    expect(data.markdown).toContain('[T1003.006 DCSync](https://attack.mitre.org/techniques/T1003/006)');
    expect(data.markdown).toContain('Finds replication by accounts.');
    expect(data.markdown).toContain('### What it means');
    expect((await app.call(contract.workbookDocumentation, { ID }, 'analyst')).data).toEqual(data);
    const properties = { ...(detectionDraft('ProcessEvent\n// ```\n| take 1') as object), name: 'A `b` *c*' };
    const draft = await app.call(contract.workbookDocumentation, { properties }, 'analyst');
    expect(draft.data.markdown).toContain('# A \\`b\\` \\*c\\*');
    expect(draft.data.markdown).toContain('````kql');
    expect((await app.call(contract.workbookDocumentation, { ID: 'nobody' }, 'analyst')).http).toBe(404);
  });

  it('[C131] is the knowledge base of its signals with their techniques, of rules of packs too', async () => {
    const { data } = await app.call(contract.workbookKnowledge, { ID }, 'analyst');
    expect(data).toMatchObject({ name: 'Tool use', kb: '## What it means\nA test.' });
    expect(data.techniques).toMatchObject([{ id: 'T1003.006', tactics: ['Credential Access'] }]);
  });
});
