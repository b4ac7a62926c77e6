import type { PlanColumn, PlanNode } from './plan-node.ts';

/** The columns that a node hands to the node above it. */
export function outputsOf(node: PlanNode): readonly PlanColumn[] {
  switch (node.kind) {
    case 'scan':
    case 'store-scan':
    case 'union':
    case 'once':
      return node.columns.map(({ id, type }) => ({ id, type }));
    case 'values':
      return [...node.columns, { id: node.ordinal, type: 'long' }];
    case 'range':
      return [node.column];
    case 'filter':
    case 'sort':
    case 'limit':
    case 'unique-by':
      return outputsOf(node.input);
    case 'compute':
      return [
        ...outputsOf(node.input),
        ...node.items.map((item) => ({ id: item.id, type: item.expression.type })),
      ];
    case 'aggregate':
      return [
        ...node.keys.map((key) => ({ id: key.id, type: key.expression.type })),
        ...node.items.map(({ id, type }) => ({ id, type })),
      ];
    case 'join':
      return [
        ...(node.join === 'rightsemi' || node.join === 'rightanti' ? [] : outputsOf(node.left)),
        ...(node.join === 'leftsemi' || node.join === 'leftanti' ? [] : outputsOf(node.right)),
      ];
    case 'expand':
      return [...outputsOf(node.input), ...node.items.map(({ id, type }) => ({ id, type })), node.index];
    case 'window':
      return [...outputsOf(node.input), ...node.items.map(({ id, type }) => ({ id, type }))];
    case 'match-steps':
      return [
        ...outputsOf(node.input),
        ...node.declared.map((item) => ({ id: item.id, type: item.expression.type })),
        node.matchId,
      ];
  }
}
