import { copyPlan } from '../copy-plan.ts';
import type { Aggregate, Join, Once, Plan, PlanNode, Scan, Union, Values } from '../plan-node.ts';
import { call, columnReference, constant } from '../scalar.ts';

// A plan for each kind of node, and some that hold plans in expressions. The ids below 100 belong to the samples.

const SCAN: Scan = {
  kind: 'scan',
  stream: 'Dns',
  columns: [
    { id: 0, type: 'datetime', source: { kind: 'column', name: 'TimeGenerated' } },
    { id: 1, type: 'string', source: { kind: 'column', name: 'DnsQuery' } },
    { id: 2, type: 'dynamic', source: { kind: 'column', name: 'Ext' } },
    { id: 3, type: 'string', source: { kind: 'path', name: 'Ext', path: ['a', 'b'] } },
  ],
};

const VALUES: Values = {
  kind: 'values',
  columns: [
    { id: 10, type: 'string' },
    { id: 11, type: 'long' },
  ],
  rows: [
    ['a', '1'],
    ['b', null],
  ],
  ordinal: 12,
};

const QUERY = columnReference(1, 'string');
const TIME = columnReference(0, 'datetime');
const COUNT: Aggregate = {
  kind: 'aggregate',
  input: SCAN,
  keys: [{ id: 20, expression: QUERY }],
  items: [{ id: 21, type: 'long', fn: 'count', args: [] }],
};
const JOIN: Join = {
  kind: 'join',
  join: 'leftouter',
  left: SCAN,
  right: VALUES,
  keys: [{ left: QUERY, right: columnReference(10, 'string') }],
};
const UNION: Union = {
  kind: 'union',
  columns: [{ id: 30, type: 'string' }],
  branches: [
    { input: SCAN, columns: [QUERY] },
    { input: VALUES, columns: [columnReference(10, 'string')] },
  ],
};

/** The use of a shared table as columns `from`, `from + 1`; what it holds has columns of its own behind them. */
function useOf(input: PlanNode, from: number): Once {
  let next = from + 2;
  const { node, idOf } = copyPlan(input, () => next++);
  return {
    kind: 'once',
    key: 1,
    input: node,
    columns: [
      { id: from, type: 'string', source: idOf(20) },
      { id: from + 1, type: 'long', source: idOf(21) },
    ],
  };
}

/** The kinds of node, each at the root of a plan; the compiler asks for the new one here. */
const ROOTS: { readonly [K in PlanNode['kind']]: Extract<PlanNode, { kind: K }> } = {
  scan: SCAN,
  'store-scan': {
    kind: 'store-scan',
    store: 'assets',
    uploads: ['u1', 'u2'],
    columns: [{ id: 45, type: 'string', cell: 1 }],
    scope: 'main',
  },
  values: VALUES,
  range: {
    kind: 'range',
    column: { id: 40, type: 'long' },
    from: constant('long', '1'),
    to: constant('long', '5'),
    step: constant('long', '2'),
  },
  filter: {
    kind: 'filter',
    input: SCAN,
    predicate: call('bool', 'equal', QUERY, constant('string', 'a.example')),
  },
  compute: {
    kind: 'compute',
    input: SCAN,
    items: [
      { id: 41, expression: call('string', 'toupper', QUERY) },
      { id: 42, expression: call('datetime', 'add', TIME, constant('timespan', '36000000000')) },
    ],
  },
  aggregate: COUNT,
  sort: {
    kind: 'sort',
    input: SCAN,
    keys: [
      { expression: TIME, descending: true, nullsFirst: false },
      { expression: call('string', 'tolower', QUERY), descending: false, nullsFirst: true },
    ],
  },
  limit: { kind: 'limit', input: SCAN, count: 7 },
  'unique-by': { kind: 'unique-by', input: SCAN, keys: [QUERY, columnReference(3, 'string')] },
  join: JOIN,
  union: UNION,
  expand: {
    kind: 'expand',
    input: SCAN,
    items: [{ source: columnReference(2, 'dynamic'), id: 43, type: 'dynamic' }],
    bagAsArray: false,
    index: { id: 44, type: 'long' },
    rowLimit: 3,
  },
  window: {
    kind: 'window',
    input: { kind: 'sort', input: SCAN, keys: [{ expression: TIME, descending: false, nullsFirst: true }] },
    partition: [QUERY],
    items: [{ id: 45, type: 'long', fn: 'row_number', args: [constant('long', '1')] }],
  },
  'match-steps': {
    kind: 'match-steps',
    input: { kind: 'sort', input: SCAN, keys: [{ expression: TIME, descending: false, nullsFirst: true }] },
    partition: [QUERY],
    steps: [
      {
        output: 'all',
        condition: call('bool', 'equal', columnReference(3, 'string'), constant('string', 'begin')),
        assignments: [{ id: 46, expression: constant('long', '1') }],
      },
      {
        output: 'last',
        condition: call('bool', 'greater', TIME, columnReference(47, 'datetime')),
        assignments: [],
      },
    ],
    declared: [{ id: 46, expression: constant('long', '0') }],
    kept: [{ id: 47, type: 'datetime', step: 0, source: 0 }],
    matchId: { id: 48, type: 'long' },
    numbered: true,
  },
  once: useOf(COUNT, 50),
};

/** Plans in expressions, and a table that is used twice. */
const NESTED: Readonly<Record<string, PlanNode>> = {
  'a scalar subquery': {
    kind: 'filter',
    input: VALUES,
    predicate: call('bool', 'less', columnReference(11, 'long'), {
      kind: 'subquery',
      type: 'long',
      plan: { ...COUNT, keys: [] },
      column: 21,
    }),
  },
  'a set from a table': {
    kind: 'filter',
    input: VALUES,
    predicate: {
      kind: 'in-subquery',
      type: 'bool',
      needle: columnReference(10, 'string'),
      plan: SCAN,
      column: 1,
    },
  },
  'a shared table': {
    kind: 'join',
    join: 'inner',
    left: useOf(COUNT, 50),
    right: useOf(COUNT, 60),
    keys: [{ left: columnReference(50, 'string'), right: columnReference(60, 'string') }],
  },
};

const RESULTS: Readonly<Record<string, number>> = { 'a shared table': 50 };

/** Every sample by its name, the result being its first columns. */
export const SAMPLE_PLANS: ReadonlyMap<string, Plan> = new Map(
  Object.entries({ ...ROOTS, ...NESTED }).map(([name, root]) => [name, planOf(root, RESULTS[name])]),
);

/** A plan that shows one column of its root. */
export function planOf(
  root: PlanNode,
  shown = firstOutput(root),
  type: Plan['columns'][0]['type'] = 'string',
): Plan {
  return { root, columns: [{ name: 'shown', id: shown, type }], nextId: 100 };
}

function firstOutput(node: PlanNode): number {
  switch (node.kind) {
    case 'scan':
      return 1;
    case 'store-scan':
    case 'values':
    case 'once':
    case 'union':
      return node.columns[0]?.id ?? 0;
    case 'range':
      return node.column.id;
    case 'aggregate':
      return node.keys[0]?.id ?? node.items[0]?.id ?? 0;
    case 'join':
      return firstOutput(node.left);
    default:
      return firstOutput(node.input);
  }
}
