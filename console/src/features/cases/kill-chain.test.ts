import type { CaseGraph, CaseSignal } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { killChain, tacticName } from './kill-chain.ts';
import { layOutRelations } from './lay-out-relations.ts';

const signal = (signal_id: string, tactic: string, technique: string, first_time: number) =>
  ({ signal_id, name: signal_id, tactic, technique, sub_technique: '', first_time }) as CaseSignal;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const D1 = Date.UTC(2026, 2, 4, 10);
const D2 = Date.UTC(2026, 2, 5, 10);

describe('the kill-chain grid', () => {
  it('orders tactics as ATT&CK does and days by time, one chip a technique', () => {
    const grid = killChain(
      [
        signal('late', 'Exfiltration', 'T1041', D2),
        signal('first', 'Initial Access', 'T1190', D1),
        signal('again', 'Initial Access', 'T1190', D1 + 1),
        signal('odd', 'Something else', 'X1', D1),
      ],
      day,
    );
    expect(grid.tactics).toEqual(['Initial Access', 'Exfiltration', 'Something else']);
    expect(grid.days.map((one) => one.label)).toEqual(['2026-03-04', '2026-03-05']);
    const chips = grid.days[0]?.cells.get('Initial Access');
    expect(chips?.map((chip) => [chip.technique, chip.signals.length])).toEqual([['T1190', 2]]);
  });

  it('knows a tactic in the ways that sources write it', () => {
    for (const name of ['credential-access', 'Credential access', 'TA0006 Credential Access']) {
      expect(tacticName(name)).toBe('Credential Access');
    }
  });
});

describe('the relations of a case', () => {
  const node = (id: string, kind: 'signal' | 'entity', role: CaseGraph['nodes'][number]['role']) => ({
    id,
    kind,
    type: kind === 'signal' ? 'signal' : 'host',
    label: id,
    role,
    score: 5,
  });
  const graph: CaseGraph = {
    nodes: [
      node('g1', 'signal', 'signal'),
      node('g2', 'signal', 'signal'),
      node('low', 'entity', 'suspect'),
      node('high', 'entity', 'suspect'),
      node('hurt', 'entity', 'target'),
    ],
    edges: [
      { from: 'low', to: 'g2', role: 'suspect', signal_id: 's2' },
      { from: 'high', to: 'g1', role: 'suspect', signal_id: 's1' },
      { from: 'g1', to: 'hurt', role: 'target', signal_id: 's1' },
    ],
  };

  it('places suspects, signals and targets in columns, near what they are joined to', () => {
    const { nodes, edges } = layOutRelations(graph);
    const at = (id: string) => nodes.find((one) => one.id === id);
    expect(nodes.map((one) => one.column)).toEqual(['signals', 'signals', 'suspects', 'suspects', 'targets']);
    expect(at('high')?.y).toBeLessThan(at('low')?.y ?? 0);
    expect(at('g1')?.signalId).toBe('s1');
    expect(edges).toHaveLength(3);
    expect(edges.every((edge) => /^M [\d.]+ [\d.]+ C /.test(edge.path))).toBe(true);
  });

  it('draws nothing for edges to nodes that are not there', () => {
    const edges = [{ from: 'gone', to: 'g1', role: 'suspect' as const, signal_id: 's1' }];
    expect(layOutRelations({ ...graph, edges }).edges).toEqual([]);
  });
});
