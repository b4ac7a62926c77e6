import { call, type Plan } from '@tyrian/plan';
import { type SharedColumns, stored } from '../shared-columns.ts';
import { type LiteralList, listArguments, listsOf } from './literal-lists.ts';
import type { Literal } from './literal-need.ts';

// One pass over a window that tells how many events of each scope and stream hold each of many literals.

/** A plan and what the numbers in its rows mean: scope, stream, the number of a literal, and the events that hold it. */
export interface LiteralProbe {
  readonly plan: Plan;
  /** By number, from 1. */
  readonly literals: readonly Literal[];
}

/** Literals of one pass; their text is some megabyte. */
const MOST_LITERALS = 40_000;

/** Passes that tell of all of the literals. */
export function literalProbes(literals: readonly Literal[]): readonly LiteralProbe[] {
  const passes: LiteralList[][] = [];
  let room = 0;
  for (const list of listsOf(literals)) {
    if (list.literals.length > room || passes.length === 0) {
      passes.push([]);
      room = MOST_LITERALS;
    }
    room -= list.literals.length;
    passes.at(-1)?.push(list);
  }
  return passes.map(probeOf);
}

function probeOf(lists: readonly LiteralList[]): LiteralProbe {
  const columns: SharedColumns = new Map();
  const [scope, stream] = [stored(columns, 'Scope'), stored(columns, 'Stream')];
  const held = call('dynamic', 'literals_held', ...listArguments(lists, columns));
  const number = columns.size;
  const [index, scopeId, streamId, numberId, count] = [
    number + 1,
    number + 2,
    number + 3,
    number + 4,
    number + 5,
  ];
  const input = {
    kind: 'expand',
    input: { kind: 'scan', stream: null, columns: [...columns.values()] },
    items: [{ source: held, id: number, type: 'string' }],
    bagAsArray: false,
    index: { id: index, type: 'long' },
    rowLimit: null,
  } as const;
  const keys = [
    { id: scopeId, expression: scope },
    { id: streamId, expression: stream },
    { id: numberId, expression: { kind: 'column', type: 'string', id: number } },
  ] as const;
  return {
    literals: lists.flatMap((list) => list.literals),
    plan: {
      root: { kind: 'aggregate', input, keys, items: [{ id: count, type: 'long', fn: 'count', args: [] }] },
      columns: [
        { id: scopeId, type: 'string', name: 'Scope' },
        { id: streamId, type: 'string', name: 'Stream' },
        { id: numberId, type: 'string', name: 'Literal' },
        { id: count, type: 'long', name: 'Events' },
      ],
      nextId: count + 1,
    },
  };
}
