import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type AttackMatrix,
  attackActors,
  attackComparison,
  attackGaps,
  attackHistory,
  attackMatrix,
  attackTactics,
  exportLayer,
  listLayers,
  saveLayer,
  setWorkbookVisibility,
  subtechniqueData,
  techniqueData,
  techniqueSignals,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { AttackPage } from './attack-page.tsx';

const engineer = sampleAccess({ role: 'Security Engineer' });
const figures = { active: 0, blind: 0, total: 0, signal_count: 0 };
const cell = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, state: 'none' as const, platforms: ['Linux'], sub: [] },
  ...figures,
  ...more,
});
const MATRIX: AttackMatrix = {
  version: '18.1',
  tactics: [
    {
      id: 'TA0002',
      name: 'Execution',
      techniques: [
        cell('T1059', 'Command and Scripting Interpreter', {
          ...{ state: 'blind', blind: 1, total: 2, signal_count: 9 },
          sub: [{ id: 'T1059.001', name: 'PowerShell', state: 'blind', ...figures, total: 1 }],
        }),
        cell('T1129', 'Shared Modules'),
      ],
    },
    {
      id: 'TA0040',
      name: 'Impact',
      techniques: [cell('T1496', 'Resource Hijacking', { state: 'proven', active: 1, total: 1 })],
    },
  ],
  coverage: { covered: 2, active: 1, total: 3, percent: 33.3 },
  states: { none: 1, off: 0, blind: 1, on: 0, proven: 1 },
  rules: 3,
  signals: 9,
  unknown: ['T1086'],
};
const RULE = {
  ...{ rule_id: 'w1', name: 'Shell of a web server', kind: 'own' as const, pack: null, enabled: true },
  ...{ state: 'blind' as const, stage: 'prod' as const, techniques: ['T1059'], streams: ['ProcessEvent'] },
  lacks: { streams: ['ProcessEvent'], fields: [], sources: ['lab'] },
  proof: null,
};
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  calls = stubCalls([
    [attackTactics, () => ({ version: '18.1', notice: 'From MITRE', tactics: [], platforms: ['Linux'] })],
    [attackMatrix, () => MATRIX],
    [attackActors, () => [{ id: 'G0016', name: 'APT29', kind: 'group', aliases: [], techniques: 2 }]],
    [attackHistory, () => [{ day: '2026-03-04', covered: 1, active: 1, total: 3 }]],
    [listLayers, () => []],
    [
      attackComparison,
      () => ({
        ...{ name: 'APT29', has_states: false, unknown: [] },
        techniques: [{ id: 'T1059.001', name: 'PowerShell', now: 'blind', before: null }],
        figures: { named: 1, watched: 0, blind: 1, better: 0, worse: 0 },
      }),
    ],
    [
      techniqueData,
      () => ({
        ...{ id: 'T1059', name: 'Command and Scripting Interpreter', state: 'blind', parent: null },
        ...{ active: 0, blind: 1, total: 1, tactics: ['Execution'], platforms: ['Linux'] },
        ...{ rules: [RULE], streams: [], actors: [] },
      }),
    ],
    [subtechniqueData, () => []],
    [techniqueSignals, () => ({ start: 0, end: 1, interval_ms: 1, total: 0, workbooks: [] })],
    [setWorkbookVisibility, () => ({ ID: 'w1', enabled: false })],
    [exportLayer, () => ({ layer: {} })],
    [
      saveLayer,
      () => ({
        layer_id: 'l1',
        name: 'Theirs',
        techniques: 1,
        attack_version: '',
        created: 1,
        author: 'Ana',
        unknown: [],
      }),
    ],
    [
      attackGaps,
      () => [
        {
          ...{ cause: 'stream', name: 'DnsEvent', kind: null, rule_count: 1 },
          techniques: [{ id: 'T1129', name: 'Shared Modules' }],
          rules: [{ rule_id: 'w2', name: 'Odd names' }],
        },
      ],
    ],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);
const BLIND = 'T1059 Command and Scripting Interpreter: On, but blind, 0 of 2 rules watch';

describe('the page of ATT&CK', () => {
  it('[S2-59] says each state in words, tells the share that is watched, and names what it cannot place', async () => {
    await renderScreen(<AttackPage />, { access: engineer });
    expect(await screen.findByText('1 of 3 techniques watched (33.3 %)')).toBeTruthy();
    expect(screen.getByRole('button', { name: BLIND })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^T1496 Resource Hijacking: Proven/ })).toBeTruthy();
    expect(screen.getByText(/T1086/)).toBeTruthy();
    expect(screen.getByText(/From MITRE/)).toBeTruthy();
  });

  it('[S2-59] keeps filters in the address, and asks the server with them', async () => {
    const { router } = await renderScreen(<AttackPage />, {
      access: engineer,
      url: '/?kind=own&platform=Linux',
    });
    fireEvent.click(await screen.findByRole('button', { name: /^On, but blind/ }));
    await waitFor(() => expect(router.state.location.search).toContain('state=blind'));
    await waitFor(() =>
      expect(inputs(attackMatrix.name).at(-1)).toMatchObject({
        addfilters: [
          { filter_key: 'platform', filter_value: 'Linux' },
          { filter_key: 'state', filter_value: 'blind' },
          { filter_key: 'kind', filter_value: 'own' },
        ],
      }),
    );
  });

  it('[S2-59] is walked by arrow keys, and opens sub-techniques', async () => {
    await renderScreen(<AttackPage />, { access: engineer });
    const first = await screen.findByRole('button', { name: BLIND });
    first.focus();
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toContain('T1129');
    fireEvent.keyDown(document.activeElement ?? first, { key: 'ArrowRight' });
    expect(document.activeElement?.textContent).toContain('T1496');
    fireEvent.click(screen.getByRole('button', { name: 'Sub-techniques of T1059: 1' }));
    expect(screen.getByRole('button', { name: /^T1059.001 PowerShell/ })).toBeTruthy();
  });

  it('[C114] a technique shows its rules with what each lacks, and they are switched there', async () => {
    await renderScreen(<AttackPage />, { access: engineer });
    fireEvent.click(await screen.findByRole('button', { name: BLIND }));
    const panel = await screen.findByRole('complementary', { name: 'Technique' });
    expect(await within(panel).findByText('What would cover this')).toBeTruthy();
    expect(within(panel).getByText('Nothing arrives in ProcessEvent')).toBeTruthy();
    expect(within(panel).getByText('Silent sources: lab')).toBeTruthy();
    fireEvent.click(within(panel).getByRole('switch', { name: 'Switch Shell of a web server on' }));
    await waitFor(() =>
      expect(inputs(setWorkbookVisibility.name)).toMatchObject([{ ID: 'w1', enabled: false }]),
    );
  });

  it('[S2-59] beside a group, what it uses stands out, also where only a sub-technique is', async () => {
    await renderScreen(<AttackPage />, { access: engineer, url: '/?against=actor:G0016' });
    expect(await screen.findByText('APT29: 0 of 1 techniques watched, blind 1, open 0')).toBeTruthy();
    expect(screen.getByRole('button', { name: `${BLIND}, named by the comparison` })).toBeTruthy();
    expect(inputs(attackComparison.name)).toMatchObject([{ against: { kind: 'actor', actor_id: 'G0016' } }]);
  });

  it('[S2-59] takes the layer of a file, and says when a file is none', async () => {
    const { router } = await renderScreen(<AttackPage />, { access: engineer });
    fireEvent.click(await screen.findByRole('button', { name: 'Layers' }));
    const dialog = await screen.findByRole('dialog');
    const input = dialog.querySelector('input[type=file]') as HTMLInputElement;
    const give = (text: string) =>
      fireEvent.change(input, {
        target: { files: [new File([text], 'a.json', { type: 'application/json' })] },
      });
    give('no layer');
    expect(await within(dialog).findByRole('alert')).toBeTruthy();
    give(JSON.stringify({ name: 'Theirs', techniques: [{ techniqueID: 'T1059', score: 1 }] }));
    await waitFor(() => expect(inputs(saveLayer.name)).toMatchObject([{ layer: { name: 'Theirs' } }]));
    await waitFor(() => expect(router.state.location.search).toContain('against=layer%3Al1'));
  });

  it('[S2-59] says what would cover more', async () => {
    await renderScreen(<AttackPage />, { access: engineer, url: '/?view=gaps' });
    expect(await screen.findByText('Bring in DnsEvent')).toBeTruthy();
    expect(screen.getByText('T1129 Shared Modules')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Odd names' })).toBeTruthy();
  });
});
