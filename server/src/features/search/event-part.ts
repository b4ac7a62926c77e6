import {
  type ColumnId,
  call,
  columnReference,
  constant,
  outputsOf,
  type Plan,
  type PlanNode,
  type Scalar,
  visitPlan,
} from '@tyrian/plan';

// Which events a query is about, before it groups, limits or joins them: the part of the plan that histogram and
// top values count. It is the longest chain of filters and computed columns above the first table.

export interface EventPart {
  readonly node: PlanNode;
  readonly timeColumn: ColumnId;
}

/** Null when the query reads no stored events (print, datatable, range, an uploaded table). */
export function eventPartOf(plan: Plan): EventPart | null {
  let part: PlanNode | null = null;
  let node: PlanNode = plan.root;
  for (;;) {
    const keepsRows = node.kind === 'filter' || node.kind === 'compute' || node.kind === 'sort';
    if (node.kind === 'scan' || node.kind === 'union') {
      part ??= node;
      break;
    }
    part = keepsRows ? (part ?? node) : null;
    if (node.kind === 'values' || node.kind === 'range' || node.kind === 'store-scan') return null;
    node = node.kind === 'join' ? node.left : node.input;
  }
  const bare = withoutSort(part);
  const timeColumn = columnNamed(bare, 'TimeGenerated');
  return timeColumn === null ? null : { node: bare, timeColumn };
}

/** Whether the rows of the result are the events that the query keeps, one for one. */
export function keepsEvents(plan: Plan): boolean {
  let node = plan.root;
  while (node.kind === 'filter' || node.kind === 'compute' || node.kind === 'sort') node = node.input;
  return node.kind === 'scan' || node.kind === 'union';
}

function withoutSort(node: PlanNode): PlanNode {
  if (node.kind === 'sort') return withoutSort(node.input);
  if (node.kind === 'filter' || node.kind === 'compute') return { ...node, input: withoutSort(node.input) };
  return node;
}

/** The column that is the stored column `name`, where it is still the same value for every row; else null. */
export function columnNamed(node: PlanNode, name: string): ColumnId | null {
  switch (node.kind) {
    case 'scan': {
      const isIt = ({ source }: (typeof node.columns)[number]): boolean =>
        source.kind === 'column' ? source.name === name : `${source.name}.${source.path.join('.')}` === name;
      return node.columns.find(isIt)?.id ?? null;
    }
    case 'filter':
    case 'compute':
    case 'sort':
    case 'limit':
    case 'unique-by':
    case 'expand':
    case 'window':
    case 'match-steps':
      return columnNamed(node.input, name);
    case 'join':
      return columnNamed(node.left, name);
    case 'union': {
      const ids = node.branches.map((branch) => columnNamed(branch.input, name));
      const index = node.columns.findIndex((_, position) =>
        node.branches.every((branch, b) => {
          const scalar = branch.columns[position];
          return scalar?.kind === 'column' && scalar.id === ids[b];
        }),
      );
      return node.columns[index]?.id ?? null;
    }
    default:
      return null;
  }
}

/**
 * The value of a field in the event part: a column that the query made or stored, or a path below `Ext`.
 * Null when the name is neither.
 */
export function fieldIn(plan: Plan, part: EventPart, field: string): Scalar | null {
  const outputs = new Map(outputsOf(part.node).map((column) => [column.id, column.type]));
  const named = plan.columns.find((column) => column.name === field)?.id;
  const id = named !== undefined && outputs.has(named) ? named : columnNamed(part.node, field);
  const type = id === null || id === undefined ? undefined : outputs.get(id);
  if (id !== null && id !== undefined && type) return columnReference(id, type);
  const ext = columnNamed(part.node, 'Ext');
  const path = field.startsWith('Ext.') ? field.slice(4).split('.') : [];
  if (ext === null || path.length === 0) return null;
  return path.reduce<Scalar>(
    (value, name) => call('dynamic', 'member', value, constant('string', name)),
    columnReference(ext, 'dynamic'),
  );
}

/** A field as text, for grouping; the engine cannot group by dynamic values. */
export function asText(field: Scalar): Scalar {
  return field.type === 'string' ? field : call('string', 'tostring', field);
}

/** The streams that a plan reads; `null` among them means every stream. */
export function streamsRead(plan: Plan): readonly (string | null)[] {
  const streams = new Set<string | null>();
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan') streams.add(node.stream);
  });
  return [...streams];
}
