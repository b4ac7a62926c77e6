import {
  call,
  inputsOf,
  type Plan,
  type PlanNode,
  rewriteScalar,
  type Scalar,
  type Scan,
  type ScanColumn,
  visitScalar,
} from '@tyrian/plan';

// Most rules find nothing in most windows. What the filters directly above the scan of a rule let through is all that the
// rule can be about: without such an event it has no rows. So one query counts, for many rules of a stream at once, the
// events that pass these filters, and only rules with some run theirs. The filters are those of the compiled rule, so the
// count and the rule cannot disagree.

/** The events that a rule can be about: those of a scan that pass all filters. */
export interface RuleCover {
  readonly scan: Scan;
  readonly filters: readonly Scalar[];
}

const hasPlan = (scalar: Scalar): boolean => {
  let found = false;
  visitScalar(scalar, (part) => {
    if (part.kind === 'subquery' || part.kind === 'in-subquery') found = true;
  });
  return found;
};

/** Reads the cover off a plan; null when it has several scans, filters nothing at first, or asks other tables. */
export function coverOf(plan: Plan): RuleCover | null {
  const path: PlanNode[] = [];
  let node = plan.root;
  for (let inputs = inputsOf(node); node.kind !== 'scan'; inputs = inputsOf(node)) {
    const [input] = inputs;
    if (!input || inputs.length > 1) return null;
    path.push(node);
    node = input;
  }
  const filters: Scalar[] = [];
  for (const above of path.reverse()) {
    if (above.kind !== 'filter') break;
    filters.push(above.predicate);
  }
  return filters.length === 0 || filters.some(hasPlan) ? null : { scan: node, filters };
}

/** Covers that one query can count: those that read the same stored table. */
export const probeKey = ({ scan }: RuleCover): string => `${scan.stream ?? '*'} ${scan.scope ?? ''}`;

/** A plan with one row, which counts for each cover the events that pass its filters. All must have one probe key. */
export function probePlan(covers: readonly RuleCover[]): Plan | null {
  const [first] = covers;
  if (!first) return null;
  const columns = new Map<string, ScanColumn>();
  const shared = (column: ScanColumn): ScanColumn => {
    const name = JSON.stringify([column.source, column.type]);
    const known = columns.get(name) ?? { ...column, id: columns.size };
    columns.set(name, known);
    return known;
  };
  const conditions = covers.map(({ scan, filters }) => {
    const ids = new Map(scan.columns.map((column) => [column.id, shared(column).id]));
    const moved = filters.map((filter) =>
      rewriteScalar(filter, (part) =>
        part.kind === 'column' ? { ...part, id: ids.get(part.id) ?? part.id } : part,
      ),
    );
    return moved.length === 1 && moved[0] ? moved[0] : call('bool', 'and', ...moved);
  });
  const firstId = columns.size;
  const items = conditions.map((condition, at) => ({
    id: firstId + at,
    type: 'long' as const,
    fn: 'countif',
    args: [condition],
  }));
  return {
    root: {
      kind: 'aggregate',
      input: { ...first.scan, columns: [...columns.values()] },
      keys: [],
      items,
    },
    columns: items.map(({ id, type }, at) => ({ id, type, name: `c${at}` })),
    nextId: firstId + items.length,
  };
}
