import type { CaseGraph } from '@tyrian/contract';

// Places a case's signals and entities in three columns: suspects, signals, targets. Entities stand near the
// signals that name them, so that lines cross little.

export const RELATION_ROW = 38;

type GraphNode = CaseGraph['nodes'][number];

export interface PlacedNode extends GraphNode {
  readonly column: 'suspects' | 'signals' | 'targets';
  /** Middle of the row, px. */
  readonly y: number;
  /** For a signal, the id that lists use. */
  readonly signalId: string;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly role: 'suspect' | 'target';
  /** SVG path; x runs from 0 to 100. */
  readonly path: string;
}

const COLUMN_X = { suspects: [0, 27], signals: [36, 64], targets: [73, 100] } as const;

export function layOutRelations(graph: CaseGraph): {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly height: number;
} {
  const signals = graph.nodes.filter((node) => node.kind === 'signal');
  const entities = graph.nodes.filter((node) => node.kind === 'entity');
  const left = entities.filter((node) => node.role === 'suspect' || node.role === 'both');
  const right = entities.filter((node) => node.role === 'target');
  const rows = Math.max(signals.length, left.length, right.length, 1);
  const height = rows * RELATION_ROW + 8;
  const order = new Map(signals.map((node, index) => [node.id, index]));
  const placed = [
    ...column(signals, 'signals', height, graph),
    ...column(byNeighbours(left, graph, order), 'suspects', height, graph),
    ...column(byNeighbours(right, graph, order), 'targets', height, graph),
  ];
  const at = new Map(placed.map((node) => [node.id, node]));
  const edges = graph.edges.flatMap((edge): PlacedEdge[] => {
    const from = at.get(edge.from);
    const to = at.get(edge.to);
    return from && to ? [{ from: edge.from, to: edge.to, role: edge.role, path: pathBetween(from, to) }] : [];
  });
  return { nodes: placed, edges, height };
}

function column(
  nodes: readonly GraphNode[],
  name: PlacedNode['column'],
  height: number,
  graph: CaseGraph,
): PlacedNode[] {
  const step = height / Math.max(1, nodes.length);
  return nodes.map((node, index) => ({
    ...node,
    column: name,
    y: step * (index + 0.5),
    signalId: node.kind === 'signal' ? signalIdOf(node, graph) : '',
  }));
}

/** Edges name the signal by the id that lists use; a signal without an edge is known by its node id. */
function signalIdOf(node: GraphNode, graph: CaseGraph): string {
  const edge = graph.edges.find((one) => one.from === node.id || one.to === node.id);
  return edge?.signal_id ?? node.id.replace(/^signal[:|]/, '');
}

/** Sorted by the mean row of the signals that each is joined to. */
function byNeighbours(
  nodes: readonly GraphNode[],
  graph: CaseGraph,
  order: ReadonlyMap<string, number>,
): readonly GraphNode[] {
  const mean = (node: GraphNode): number => {
    const rows = graph.edges
      .filter((edge) => edge.from === node.id || edge.to === node.id)
      .map((edge) => order.get(edge.from) ?? order.get(edge.to) ?? 0);
    return rows.length === 0
      ? Number.MAX_SAFE_INTEGER
      : rows.reduce((sum, row) => sum + row, 0) / rows.length;
  };
  return [...nodes].sort((a, b) => mean(a) - mean(b));
}

function pathBetween(a: PlacedNode, b: PlacedNode): string {
  const [left, right] = COLUMN_X[a.column][0] <= COLUMN_X[b.column][0] ? [a, b] : [b, a];
  const x1 = COLUMN_X[left.column][1];
  const x2 = COLUMN_X[right.column][0];
  const middle = (x1 + x2) / 2;
  return `M ${x1} ${left.y} C ${middle} ${left.y}, ${middle} ${right.y}, ${x2} ${right.y}`;
}
