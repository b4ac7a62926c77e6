import type { OutputOf, Signal, signalGraphData } from '@tyrian/contract';

type Graph = OutputOf<typeof signalGraphData>;

/** Signals of the selection, those connected to them by an entity, and the entities, as nodes and edges. */
export function graphOf(
  selected: readonly Signal[],
  connected: readonly Signal[],
  truncated: boolean,
): Graph {
  const chosen = new Set(selected.map((signal) => signal.signal_id));
  const signals = [...selected, ...connected.filter((signal) => !chosen.has(signal.signal_id))];
  const nodes = new Map<string, Graph['nodes'][number]>();
  const edges: Graph['edges'] = [];
  for (const signal of signals) {
    const isChosen = chosen.has(signal.signal_id);
    const inCase = signal.case_ids.length > 0;
    nodes.set(signal.signal_id, {
      id: signal.signal_id,
      type: 'signal',
      label: signal.name,
      role: 'signal',
      score: signal.score,
      in_case: inCase,
      selected: isChosen,
    });
    const join = (role: 'suspect' | 'target', entity: Signal['suspects'][number]) => {
      const id = `${entity.type}:${entity.value}`;
      const known = nodes.get(id);
      nodes.set(id, {
        id,
        type: entity.type,
        label: entity.value,
        role: known && known.role !== role ? 'compromised' : role,
        score: null,
        in_case: inCase || (known?.in_case ?? false),
        selected: isChosen || (known?.selected ?? false),
      });
      const [from, to] = role === 'suspect' ? [id, signal.signal_id] : [signal.signal_id, id];
      edges.push({ from, to, signal_id: signal.signal_id });
    };
    for (const entity of signal.suspects) join('suspect', entity);
    for (const entity of signal.targets) join('target', entity);
  }
  return { nodes: [...nodes.values()], edges, truncated };
}
