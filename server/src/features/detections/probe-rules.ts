import {
  call,
  columnReference,
  constant,
  type Plan,
  rewriteScalar,
  type Scalar,
  type ScanColumn,
  visitScalar,
} from '@tyrian/plan';
import { allOf, type RuleCover } from './rule-cover.ts';

// Most rules find nothing in most windows. So one query counts, for many rules and all scopes of a tenant at once, the
// events that pass their covers, and only rules with some run theirs.

/** How large the conditions of one query may be together, in parts of expressions. */
const MOST_PARTS = 2_500;

type Columns = Map<string, ScanColumn>;

function shared(columns: Columns, column: Pick<ScanColumn, 'source' | 'type'>): ScanColumn {
  const name = JSON.stringify([column.source, column.type]);
  const known = columns.get(name) ?? { ...column, id: columns.size };
  columns.set(name, known);
  return known;
}

const stored = (columns: Columns, name: 'Stream' | 'Scope'): Scalar =>
  columnReference(shared(columns, { source: { kind: 'column', name }, type: 'string' }).id, 'string');

/** The condition of a cover over columns that all covers share. */
function conditionOf({ parts, threshold }: RuleCover, reaches: boolean, columns: Columns): Scalar {
  const ways = parts.map(({ scan, condition }) => {
    const ids = new Map(scan.columns.map((column) => [column.id, shared(columns, column).id]));
    const moved = (scalar: Scalar): Scalar =>
      rewriteScalar(scalar, (part) =>
        part.kind === 'column' ? { ...part, id: ids.get(part.id) ?? part.id } : part,
      );
    const { stream } = scan;
    const all = [
      ...(stream === null
        ? []
        : [call('bool', 'equal', stored(columns, 'Stream'), constant('string', stream))]),
      moved(condition),
      ...(reaches && threshold?.also ? [moved(threshold.also)] : []),
    ];
    return allOf(all) ?? constant('bool', true);
  });
  const [first] = ways;
  return ways.length === 1 && first ? first : call('bool', 'or', ...ways);
}

/**
 * A plan with a row for each scope that has events of their streams: the scope, and for each cover how many events pass it.
 * `reaches` counts only what the thresholds of the covers ask for.
 */
export function probePlan(covers: readonly RuleCover[], reaches = false): Plan {
  const columns: Columns = new Map();
  const scope = stored(columns, 'Scope');
  const conditions = covers.map((cover) => conditionOf(cover, reaches, columns));
  const streams = new Set(covers.flatMap(({ parts }) => parts.map(({ scan }) => scan.stream)));
  const ofStreams = call(
    'bool',
    'in',
    stored(columns, 'Stream'),
    ...[...streams].sort().map((name) => constant('string', name)),
  );
  const firstId = columns.size;
  const key = { id: firstId, expression: scope };
  const items = conditions.map((condition, at) => ({
    id: firstId + 1 + at,
    type: 'long' as const,
    fn: 'countif',
    args: [condition],
  }));
  const scan = { kind: 'scan', stream: null, columns: [...columns.values()] } as const;
  const input = streams.has(null) ? scan : ({ kind: 'filter', input: scan, predicate: ofStreams } as const);
  return {
    root: { kind: 'aggregate', input, keys: [key], items },
    columns: [
      { id: key.id, type: 'string', name: 'Scope' },
      ...items.map(({ id, type }, at) => ({ id, type, name: `c${at}` })),
    ],
    nextId: firstId + 1 + items.length,
  };
}

/** Parts covers so that the conditions of one query do not grow too large. */
export function inQueries<T extends { readonly cover: RuleCover }>(probes: readonly T[]): T[][] {
  const queries: T[][] = [];
  let room = 0;
  for (const probe of probes) {
    const parts = sizeOf(probe.cover);
    if (parts > room || queries.length === 0) {
      queries.push([]);
      room = MOST_PARTS;
    }
    room -= parts;
    queries.at(-1)?.push(probe);
  }
  return queries;
}

function sizeOf({ parts, threshold }: RuleCover): number {
  let size = 0;
  const count = (): void => {
    size += 1;
  };
  for (const { condition } of parts) visitScalar(condition, count);
  if (threshold?.also) visitScalar(threshold.also, count);
  return size;
}
