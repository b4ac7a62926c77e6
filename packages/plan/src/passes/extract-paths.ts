import type { KqlType } from '@tyrian/catalog';
import type { ColumnId, Plan, PlanNode, Scalar, ScanColumn } from '../plan-node.ts';
import { columnReference } from '../scalar.ts';
import { rewritePlan, visitPlan } from '../walk-plan.ts';

// `tostring(Ext.a.b)` becomes a column of the scan of its own, so that ClickHouse reads the one subcolumn and not
// every field of the source. A conversion around the path is taken along, because it decides how it is read.

const READ_AS: Readonly<Record<string, KqlType>> = { tostring: 'string' };

/** Where values stand below a stored dynamic column. */
export interface ValuePath {
  /** Its names, with dots between them. */
  readonly path: string;
  /** Each value there is a text. */
  readonly isText: boolean;
}

interface Found {
  readonly root: ColumnId;
  readonly path: readonly string[];
}

/**
 * Gives every path below a stored dynamic column a scan column of its own. `values` are the paths of all values in the events
 * that are read, where that is known.
 */
export function extractPaths(plan: Plan, values?: readonly ValuePath[]): Plan {
  const known = values && knownPaths(values);
  const roots = storedDynamicColumns(plan.root);
  if (roots.size === 0) return plan;
  const made = new Map<string, ScanColumn & { readonly root: ColumnId }>();
  let nextId = plan.nextId;
  const column = (found: Found, type: KqlType): Scalar => {
    const key = JSON.stringify([found.root, type, found.path]);
    const same = made.get(key);
    if (same) return columnReference(same.id, type);
    const id = nextId++;
    const name = roots.get(found.root) ?? '';
    made.set(key, {
      id,
      type,
      root: found.root,
      source: { kind: 'path', name, path: found.path, ...known?.(found.path) },
    });
    return columnReference(id, type);
  };
  // Bottom up: the member access becomes a column first, then `tostring(column)` becomes a typed one.
  const pathOf = new Map<ColumnId, Found>();
  const change = (scalar: Scalar): Scalar => {
    if (scalar.kind !== 'call') return scalar;
    const [first, second] = scalar.args;
    if (scalar.fn === 'member' && first?.kind === 'column' && second?.kind === 'constant') {
      const above = pathOf.get(first.id);
      if (!above && !roots.has(first.id)) return scalar;
      if (typeof second.value !== 'string' || second.type !== 'string') return scalar;
      const found: Found = above
        ? { root: above.root, path: [...above.path, second.value] }
        : { root: first.id, path: [second.value] };
      const made = column(found, 'dynamic');
      if (made.kind === 'column') pathOf.set(made.id, found);
      return made;
    }
    const type = READ_AS[scalar.fn];
    const found = first?.kind === 'column' ? pathOf.get(first.id) : undefined;
    return type && found ? column(found, type) : scalar;
  };
  const root = rewritePlan(plan.root, (node) => node, change);
  return { ...plan, root: rewritePlan(root, (node) => addColumns(node, [...made.values()])), nextId };
}

/** Tells what is known of a path that is read. */
function knownPaths(
  values: readonly ValuePath[],
): (path: readonly string[]) => { readonly isLeaf?: true; readonly isText?: true } {
  const above = new Set(values.flatMap(({ path }) => pathsAbove(path)));
  const others = new Set(values.filter(({ isText }) => !isText).map(({ path }) => path));
  return (names) => {
    const path = names.join('.');
    if (above.has(path)) return {};
    return { isLeaf: true, ...(others.has(path) ? {} : { isText: true }) };
  };
}

/** The paths that a value lies below. */
const pathsAbove = (path: string): readonly string[] => {
  const names = path.split('.');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('.'));
};

function storedDynamicColumns(root: PlanNode): Map<ColumnId, string> {
  const found = new Map<ColumnId, string>();
  visitPlan(root, (node) => {
    if (node.kind !== 'scan') return;
    for (const { id, type, source } of node.columns)
      if (type === 'dynamic' && source.kind === 'column') found.set(id, source.name);
  });
  return found;
}

function addColumns(node: PlanNode, made: readonly (ScanColumn & { readonly root: ColumnId })[]): PlanNode {
  if (node.kind !== 'scan') return node;
  const own = new Set(node.columns.map((column) => column.id));
  const added = made
    .filter((column) => own.has(column.root))
    .map(({ id, type, source }): ScanColumn => ({ id, type, source }));
  return added.length === 0 ? node : { ...node, columns: [...node.columns, ...added] };
}
