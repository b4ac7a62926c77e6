import { call, constant, type Plan } from '@tyrian/plan';
import { type SharedColumns, stored } from '../shared-columns.ts';
import { type LiteralList, listArguments, listsOf } from './literal-lists.ts';
import type { Literal } from './literal-need.ts';

// One pass over a window that tells which of many literals its events hold: events of one scope and stream that hold the same
// ones are told together. So it is known what is within one event, and not only what is somewhere in the window.

/**
 * A plan, and what its rows mean: scope, stream, numbers of literals as JSON, from 1, how many events hold these, and marks of
 * the events as JSON.
 */
export interface LiteralProbe {
  readonly plan: Plan;
  /** The same for a window of so many events that their marks cannot be held: only what stands alone is marked. */
  readonly planOfMany: Plan;
  /** In the order of their numbers. */
  readonly literals: readonly Literal[];
}

/** Events of a group that are marked; of more, nobody asks for these alone. */
const MOST_MARKED = 5_000;

/** Literals of one pass; their text is some hundred kilobytes. */
const MOST_LITERALS = 20_000;
/** Lists of one pass: the engine's work to read a query grows faster than the query. */
const MOST_LISTS = 60;

/** Passes that tell of all of the literals. */
export function literalProbes(literals: readonly Literal[]): readonly LiteralProbe[] {
  const passes: LiteralList[][] = [];
  let room = 0;
  for (const list of listsOf(literals)) {
    if (list.literals.length > room || (passes.at(-1)?.length ?? MOST_LISTS) === MOST_LISTS) {
      passes.push([]);
      room = MOST_LITERALS;
    }
    room -= list.literals.length;
    passes.at(-1)?.push(list);
  }
  return passes.map(probeOf);
}

const probeOf = (lists: readonly LiteralList[]): LiteralProbe => ({
  literals: lists.flatMap((list) => list.literals),
  plan: planOf(lists, MOST_MARKED),
  planOfMany: planOf(lists, 1),
});

function planOf(lists: readonly LiteralList[], mostMarked: number): Plan {
  const columns: SharedColumns = new Map();
  const [scope, stream] = [stored(columns, 'Scope'), stored(columns, 'Stream')];
  const uid = stored(columns, 'EventUid');
  const asked = lists.flatMap((list) => [
    constant('string', list.isWhole ? 'equals' : 'within'),
    ...listArguments(list, columns),
  ]);
  const held = call('string', 'literals_held', ...asked);
  const scopeId = columns.size;
  const streamId = scopeId + 1;
  const heldId = scopeId + 2;
  const countId = scopeId + 3;
  const marksId = scopeId + 4;
  return {
    root: {
      kind: 'aggregate',
      input: { kind: 'scan', stream: null, columns: [...columns.values()] },
      keys: [
        { id: scopeId, expression: scope },
        { id: streamId, expression: stream },
        { id: heldId, expression: held },
      ],
      items: [
        { id: countId, type: 'long', fn: 'count', args: [] },
        { id: marksId, type: 'string', fn: 'event_marks', args: [uid, constant('long', mostMarked)] },
      ],
    },
    columns: [
      { id: scopeId, type: 'string', name: 'Scope' },
      { id: streamId, type: 'string', name: 'Stream' },
      { id: heldId, type: 'string', name: 'Held' },
      { id: countId, type: 'long', name: 'Events' },
      { id: marksId, type: 'string', name: 'Marks' },
    ],
    nextId: marksId + 1,
  };
}
