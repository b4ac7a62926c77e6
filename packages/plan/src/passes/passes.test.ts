import { describe, expect, it } from 'vitest';
import type { Once, Plan, PlanNode, Scalar, Union, Values } from '../plan-node.ts';
import { call, columnReference, constant } from '../scalar.ts';
import { planOf, SAMPLE_PLANS } from '../testing/sample-plans.ts';
import { validatePlan } from '../validate-plan.ts';
import { visitPlan } from '../walk-plan.ts';
import { capRows } from './cap-rows.ts';
import { extractPaths } from './extract-paths.ts';
import { flattenUnions } from './flatten-unions.ts';
import { foldScalar } from './fold-constants.ts';
import { pruneColumns } from './prune-columns.ts';
import { isReduced, joinSharedScalars, placeSingles } from './share-tables.ts';

const sample = (name: string): PlanNode => (SAMPLE_PLANS.get(name) as Plan).root;
const SCAN = sample('scan');
const VALUES = sample('values') as Values;
const text = (id: number) => columnReference(id, 'string');
const long = (id: number) => columnReference(id, 'long');
const whole = (value: number | bigint) => constant('long', String(value));

describe('fold constants', () => {
  const day = 864_000_000_000n;
  const ticksOf = (iso: string): bigint => BigInt(Date.parse(iso)) * 10_000n;

  it.each<[string, Scalar, Scalar]>([
    ['a sum', call('long', 'add', whole(2), whole(3)), whole(5)],
    ['a difference', call('long', 'subtract', whole(2), whole(3)), whole(-1)],
    ['a product', call('long', 'multiply', whole(-4), whole(5)), whole(-20)],
    [
      'what stands inside',
      call('long', 'add', call('long', 'multiply', whole(2), whole(3)), whole(1)),
      whole(7),
    ],
    [
      'a moment before another',
      call(
        'datetime',
        'subtract',
        constant('datetime', ticksOf('2026-03-02T00:00:00Z').toString()),
        constant('timespan', day.toString()),
      ),
      constant('datetime', ticksOf('2026-03-01T00:00:00Z').toString()),
    ],
    [
      'the start of a day, and of days behind it',
      call(
        'datetime',
        'startofday',
        constant('datetime', ticksOf('2026-03-02T13:14:15Z').toString()),
        whole(-1),
      ),
      constant('datetime', ticksOf('2026-03-01T00:00:00Z').toString()),
    ],
    [
      'the start of a day before 1970',
      call('datetime', 'startofday', constant('datetime', ticksOf('1969-12-31T23:00:00Z').toString())),
      constant('datetime', ticksOf('1969-12-31T00:00:00Z').toString()),
    ],
    ['a sign', call('int', 'negate', constant('int', 5)), constant('int', -5)],
    ['the sign of zero', call('real', 'negate', constant('real', 0)), constant('real', -0)],
    ['a real as a whole number', call('long', 'tolong', constant('real', -2.9)), whole(-2)],
    ['a real beyond int', call('int', 'toint', constant('real', 3e9)), constant('int', -2147483648)],
    ['a long beyond int', call('int', 'toint', whole(4294967297)), constant('int', 1)],
  ])('%s', (_, before, after) => {
    expect(foldScalar(before)).toEqual(after);
  });

  const most = (2n ** 63n - 1n).toString();
  it.each<[string, Scalar]>([
    ['a sum beyond 64 bits', call('long', 'add', constant('long', most), whole(1))],
    ['an int beyond 32 bits', call('int', 'multiply', constant('int', 65536), constant('int', 65536))],
    ['the negative of the least long', call('long', 'negate', constant('long', (-(2n ** 63n)).toString()))],
    ['reals', call('real', 'add', constant('real', 0.1), constant('real', 0.2))],
    ['a division', call('long', 'divide', whole(1), whole(0))],
    ['null', call('long', 'add', constant('long', null), whole(1))],
    ['texts', call('string', 'add', constant('string', '1'), constant('string', '2'))],
    ['a column', call('long', 'add', long(11), whole(0))],
  ])('leaves %s to the engine', (_, scalar) => {
    expect(foldScalar(scalar)).toEqual(scalar);
  });
});

describe('flatten unions', () => {
  const inner = sample('union') as Union;
  const outer = (column: Scalar): Union => ({
    kind: 'union',
    columns: [{ id: 31, type: 'string' }],
    branches: [
      { input: inner, columns: [column] },
      {
        input: { ...VALUES, columns: [{ id: 33, type: 'string' }], rows: [['c']], ordinal: 34 },
        columns: [text(33)],
      },
    ],
  });

  it('puts the branches of a union in its place, with the values that they give', () => {
    const { root } = flattenUnions(planOf(outer(call('string', 'toupper', text(30))), 31));
    expect(root.kind === 'union' && root.branches.map(({ input, columns }) => [input.kind, columns])).toEqual(
      [
        ['scan', [call('string', 'toupper', text(1))]],
        ['values', [call('string', 'toupper', text(10))]],
        ['values', [text(33)]],
      ],
    );
  });

  it('leaves a union whose rows something else is worked out of', () => {
    const plan = planOf(outer(call('string', 'strcat', text(30), text(30))), 31);
    expect(flattenUnions(plan)).toEqual(plan);
  });
});

describe('extract paths', () => {
  const member = (of: Scalar, name: string): Scalar =>
    call('dynamic', 'member', of, constant('string', name));
  const ext = columnReference(2, 'dynamic');
  const shown = (expression: Scalar): Plan =>
    planOf({ kind: 'compute', input: SCAN, items: [{ id: 41, expression }] }, 41);
  const scanOf = (plan: Plan) =>
    plan.root.kind === 'compute' && plan.root.input.kind === 'scan' ? plan.root.input.columns : [];
  const itemsOf = (plan: Plan) => (plan.root.kind === 'compute' ? plan.root.items : []);

  it('reads a path as text in a column of its own', () => {
    const plan = extractPaths(shown(call('string', 'tostring', member(member(ext, 'user'), 'na.me'))));
    const made = scanOf(plan).find(
      ({ type, source }) =>
        type === 'string' && source.kind === 'path' && source.path.length === 2 && source.path[1] === 'na.me',
    );
    expect(made?.source).toEqual({ kind: 'path', name: 'Ext', path: ['user', 'na.me'] });
    expect(itemsOf(plan)).toEqual([{ id: 41, expression: text(made?.id ?? -1) }]);
    expect(validatePlan(plan)).toEqual([]);
  });

  it('tells a field whose name holds a dot from a field below another', () => {
    const dotted = member(ext, 'a.b');
    const plan = extractPaths(shown(call('bool', 'equal', dotted, member(member(ext, 'a'), 'b'))));
    const paths = scanOf(plan).flatMap(({ id, source }) =>
      id >= 100 && source.kind === 'path' ? [source.path] : [],
    );
    expect(paths).toEqual(expect.arrayContaining([['a.b'], ['a', 'b']]));
  });

  it('says of a path what is known of the values there', () => {
    const read = (name: string) => call('string', 'tostring', member(ext, name));
    const both = call('bool', 'and', ...['text', 'number', 'above', 'none'].map(read));
    const known = [
      { path: 'text', isText: true },
      { path: 'number', isText: false },
      { path: 'above', isText: true },
      { path: 'above.below', isText: true },
    ];
    const sources = new Map(
      scanOf(extractPaths(shown(both), known)).flatMap(({ type, source }) =>
        type === 'string' && source.kind === 'path' && source.path.length === 1
          ? [[source.path[0], { isLeaf: source.isLeaf, isText: source.isText }] as const]
          : [],
      ),
    );
    expect(sources.get('text')).toEqual({ isLeaf: true, isText: true });
    expect(sources.get('number')).toEqual({ isLeaf: true });
    expect(sources.get('above')).toEqual({});
    expect(sources.get('none')).toEqual({ isLeaf: true, isText: true });
  });

  it('makes one column of one path, however often it is read', () => {
    const plan = extractPaths(shown(call('bool', 'equal', member(ext, 'a'), member(ext, 'a'))));
    expect(scanOf(plan).length - 4).toBe(1);
    expect(plan.nextId).toBe(101);
  });

  it.each<[string, Scalar]>([
    ['a name that the row holds', call('dynamic', 'member', ext, text(1))],
    ['a path of a column that is computed', member(call('dynamic', 'parse_json', text(1)), 'a')],
    ['a path of a path of the scan', member(columnReference(3, 'dynamic'), 'a')],
  ])('leaves %s', (_, expression) => {
    const plan = shown(expression);
    expect(extractPaths(plan)).toEqual(plan);
  });
});

describe('prune columns', () => {
  const read = (plan: Plan, kind: PlanNode['kind']): number[] => {
    const found: number[] = [];
    visitPlan(plan.root, (node) => {
      if (node.kind === kind && 'columns' in node) found.push(...node.columns.map(({ id }) => id));
    });
    return found;
  };

  it('reads of a scan what the result and the conditions need', () => {
    expect(read(pruneColumns(planOf(SCAN, 1)), 'scan')).toEqual([1]);
    const filter: PlanNode = { kind: 'filter', input: SCAN, predicate: call('bool', 'isnotempty', text(3)) };
    expect(read(pruneColumns(planOf(filter, 1)), 'scan')).toEqual([1, 3]);
  });

  it('drops what is computed and not read, and what only that read', () => {
    const root: PlanNode = {
      kind: 'compute',
      input: { kind: 'compute', input: SCAN, items: [{ id: 60, expression: text(3) }] },
      items: [
        { id: 61, expression: text(60) },
        { id: 62, expression: text(1) },
      ],
    };
    const { root: pruned } = pruneColumns(planOf(root, 62));
    expect(pruned).toMatchObject({
      items: [{ id: 62 }],
      input: { items: [], input: { columns: [{ id: 1 }] } },
    });
  });

  it('keeps keys, as they say which rows there are', () => {
    const root = sample('aggregate');
    expect(pruneColumns(planOf(root, 21)).root).toMatchObject({ keys: [{ id: 20 }], items: [{ id: 21 }] });
    expect(pruneColumns(planOf(root, 20)).root).toMatchObject({ keys: [{ id: 20 }], items: [] });
    const unique = sample('unique-by');
    expect(read(pruneColumns(planOf(unique, 0, 'datetime')), 'scan')).toEqual([0, 1, 3]);
  });

  it('keeps the columns that steps remember of the rows they matched', () => {
    const steps = sample('match-steps') as Extract<PlanNode, { kind: 'match-steps' }>;
    const remembering: PlanNode = {
      ...steps,
      input: SCAN,
      steps: steps.steps.map((step) => ({ ...step, condition: text(3) })),
    };
    expect(read(pruneColumns(planOf(remembering, 48, 'long')), 'scan')).toContain(0);
  });

  it('drops a column of rows with its cells', () => {
    expect(pruneColumns(planOf(VALUES, 11)).root).toMatchObject({
      columns: [{ id: 11 }],
      rows: [['1'], [null]],
    });
  });

  it('drops a column of a union in every branch', () => {
    const wide: Union = {
      kind: 'union',
      columns: [
        { id: 30, type: 'string' },
        { id: 31, type: 'long' },
      ],
      branches: [
        { input: SCAN, columns: [text(1), constant('long', null)] },
        { input: VALUES, columns: [text(10), long(11)] },
      ],
    };
    const { root } = pruneColumns(planOf(wide, 31));
    expect(root).toMatchObject({
      columns: [{ id: 31 }],
      branches: [{ columns: [{ kind: 'constant' }] }, { columns: [{ id: 11 }] }],
    });
    expect(read({ ...planOf(wide, 31), root }, 'scan')).toEqual([]);
    expect(read({ ...planOf(wide, 31), root }, 'values')).toEqual([11]);
  });

  it('keeps of a shared table what any of its uses reads, in the same places', () => {
    const { root } = pruneColumns({
      ...(SAMPLE_PLANS.get('a shared table') as Plan),
      columns: [{ name: 'n', id: 61, type: 'long' }],
    });
    const uses = root.kind === 'join' ? [root.left as Once, root.right as Once] : [];
    expect(uses.map(({ columns }) => columns.map(({ type }) => type))).toEqual([
      ['string', 'long'],
      ['string', 'long'],
    ]);
  });
});

describe('place single tables', () => {
  it('puts a table with one use in its place, under the ids that it has there', () => {
    const plan = placeSingles(planOf(sample('once'), 51, 'long'));
    expect(plan.root.kind).toBe('aggregate');
    expect(validatePlan(plan)).toEqual([]);
  });

  it('leaves a table with two uses', () => {
    const plan = SAMPLE_PLANS.get('a shared table') as Plan;
    expect(placeSingles(plan)).toEqual(plan);
  });
});

describe('join shared scalars', () => {
  const scalar = (plan: PlanNode, column: number): Scalar => ({
    kind: 'subquery',
    type: 'long',
    plan,
    column,
  });
  const asking = (below: Scalar): Plan =>
    planOf(
      {
        kind: 'filter',
        input: {
          kind: 'sort',
          input: VALUES,
          keys: [{ expression: long(11), descending: true, nullsFirst: false }],
        },
        predicate: call('bool', 'less', long(11), below),
      },
      10,
    );

  it('joins the one value of a shared table to the rows, below their order', () => {
    const plan = joinSharedScalars(asking(scalar(sample('once'), 51)));
    expect(plan.root).toMatchObject({
      kind: 'filter',
      predicate: { args: [{ id: 11 }, { kind: 'column', id: 100 }] },
      input: {
        kind: 'sort',
        input: { kind: 'join', join: 'inner', right: { input: { kind: 'aggregate', keys: [] } } },
      },
    });
    expect(plan.nextId).toBeGreaterThan(100);
    expect(validatePlan(plan)).toEqual([]);
  });

  it('leaves the value of a table that nothing else reads', () => {
    const plan = asking(scalar(sample('aggregate'), 21));
    expect(joinSharedScalars(plan)).toEqual(plan);
  });
});

describe('cap rows', () => {
  const limit = (count: number): Plan => planOf({ kind: 'limit', input: SCAN, count }, 1);

  it('stops after so many rows, and leaves a query that stops before', () => {
    expect(capRows(planOf(SCAN, 1), 10).root).toEqual({ kind: 'limit', input: SCAN, count: 10 });
    expect(capRows(limit(7), 10).root).toEqual(limit(7).root);
    expect(capRows(limit(10), 10).root).toEqual(limit(10).root);
    expect(capRows(limit(11), 10).root).toMatchObject({ count: 10, input: { count: 11 } });
  });
});

describe('a table that is worth keeping', () => {
  it.each([
    ['aggregate', true],
    ['limit', true],
    ['unique-by', true],
    ['match-steps', true],
    ['filter', false],
    ['compute', false],
    ['values', false],
  ])('%s: %s', (name, isWorth) => {
    expect(isReduced(sample(name))).toBe(isWorth);
  });

  it('is none where it reads nothing stored', () => {
    expect(isReduced({ kind: 'limit', input: VALUES, count: 1 })).toBe(false);
  });
});
