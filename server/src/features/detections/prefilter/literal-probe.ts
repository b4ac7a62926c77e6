import type { Plan } from '@tyrian/plan';
import { type SharedColumns, stored } from '../shared-columns.ts';
import { type LiteralList, listArguments, listsOf } from './literal-lists.ts';
import type { Literal } from './literal-need.ts';

// One pass over a window that tells which of many literals the events of each scope and stream hold.

/** A plan, and what its rows mean: scope, stream, and for each list what was found of it. */
export interface LiteralProbe {
  readonly plan: Plan;
  readonly lists: readonly LiteralList[];
}

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

function probeOf(lists: readonly LiteralList[]): LiteralProbe {
  const columns: SharedColumns = new Map();
  const [scope, stream] = [stored(columns, 'Scope'), stored(columns, 'Stream')];
  const asked = lists.map((list) => ({
    fn: list.isWhole ? 'literals_met' : 'literals_counted',
    args: listArguments(list, columns),
  }));
  const scopeId = columns.size;
  const streamId = scopeId + 1;
  const items = asked.map((one, at) => ({ id: streamId + 1 + at, type: 'dynamic' as const, ...one }));
  return {
    lists,
    plan: {
      root: {
        kind: 'aggregate',
        input: { kind: 'scan', stream: null, columns: [...columns.values()] },
        keys: [
          { id: scopeId, expression: scope },
          { id: streamId, expression: stream },
        ],
        items,
      },
      columns: [
        { id: scopeId, type: 'string', name: 'Scope' },
        { id: streamId, type: 'string', name: 'Stream' },
        ...items.map(({ id, type }, at) => ({ id, type, name: `l${at}` })),
      ],
      nextId: streamId + 1 + items.length,
    },
  };
}
