import {
  call,
  columnReference,
  constant,
  type JoinKind,
  type Plan,
  type PlanNode,
  type Scan,
  scopeToTenant,
} from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { type PrintedQuery, printQuery } from './print-query.ts';
import { printed } from './testing/printed.ts';

const SCAN: Scan = {
  kind: 'scan',
  stream: 'Dns',
  columns: [
    { id: 1, type: 'datetime', source: { kind: 'column', name: 'TimeGenerated' } },
    { id: 2, type: 'string', source: { kind: 'column', name: 'DnsQuery' } },
    { id: 3, type: 'dynamic', source: { kind: 'column', name: 'Ext' } },
    { id: 4, type: 'string', source: { kind: 'path', name: 'Ext', path: ['a', 'b'] } },
  ],
};
const [TIME, QUERY] = [columnReference(1, 'datetime'), columnReference(2, 'string')];
const VALUES: PlanNode = {
  kind: 'values',
  columns: [
    { id: 10, type: 'string' },
    { id: 11, type: 'long' },
  ],
  rows: [
    ['a', '1'],
    ["b'; --", null],
  ],
  ordinal: 12,
};
const COUNTED: PlanNode = {
  kind: 'aggregate',
  input: SCAN,
  keys: [{ id: 20, expression: QUERY }],
  items: [{ id: 21, type: 'long', fn: 'count', args: [] }],
};
const byTime: PlanNode = {
  kind: 'sort',
  input: SCAN,
  keys: [{ expression: TIME, descending: true, nullsFirst: false }],
};
const on = [{ left: QUERY, right: columnReference(10, 'string') }];
const join = (kind: JoinKind): PlanNode => ({
  kind: 'join',
  join: kind,
  left: SCAN,
  right: VALUES,
  keys: on,
});
const once = (from: number, source: number, input: PlanNode): PlanNode => ({
  kind: 'once',
  key: 1,
  input,
  columns: [{ id: from, type: 'string', source }],
});
const TWIN: PlanNode = {
  ...COUNTED,
  input: { ...SCAN, columns: [{ id: 52, type: 'string', source: { kind: 'column', name: 'DnsQuery' } }] },
  keys: [{ id: 50, expression: columnReference(52, 'string') }],
  items: [],
};

const text = ({ sql, params }: PrintedQuery): string => `${sql}\n${JSON.stringify(params)}`;

type Shown = readonly [root: PlanNode, shown: number, type?: 'string' | 'long' | 'datetime' | 'dynamic'];

/** Each kind of node by the column that it shows. */
const NODES: Readonly<Record<string, Shown>> = {
  'scan of one stream': [SCAN, 2],
  'scan of every stream, a path': [{ ...SCAN, stream: null }, 4],
  'scan of a stored object': [SCAN, 3, 'dynamic'],
  values: [VALUES, 10],
  range: [
    {
      kind: 'range',
      column: { id: 30, type: 'long' },
      from: constant('long', '1'),
      to: constant('long', '9'),
      step: constant('long', '2'),
    },
    30,
    'long',
  ],
  filter: [
    { kind: 'filter', input: SCAN, predicate: call('bool', 'equal', QUERY, constant('string', "x'")) },
    2,
  ],
  'filter on the sort key': [
    {
      kind: 'filter',
      input: SCAN,
      predicate: call('bool', 'greater', TIME, constant('datetime', '17000000000000001')),
    },
    2,
  ],
  'compute, then what reads it': [
    {
      kind: 'filter',
      input: {
        kind: 'compute',
        input: SCAN,
        items: [{ id: 31, expression: call('string', 'toupper', QUERY) }],
      },
      predicate: call('bool', 'equal', columnReference(31, 'string'), constant('string', 'A')),
    },
    31,
  ],
  aggregate: [COUNTED, 21, 'long'],
  'aggregate without keys': [{ ...COUNTED, keys: [] } as PlanNode, 21, 'long'],
  sort: [byTime, 2],
  limit: [{ kind: 'limit', input: byTime, count: 5 }, 2],
  'limit of a limit': [{ kind: 'limit', input: { kind: 'limit', input: SCAN, count: 5 }, count: 9 }, 2],
  'unique-by': [{ kind: 'unique-by', input: SCAN, keys: [QUERY] }, 2],
  'unique-by what is computed': [
    { kind: 'unique-by', input: SCAN, keys: [QUERY, call('string', 'tolower', QUERY)] },
    2,
  ],
  union: [
    {
      kind: 'union',
      columns: [{ id: 32, type: 'string' }],
      branches: [
        { input: SCAN, columns: [QUERY] },
        { input: VALUES, columns: [columnReference(10, 'string')] },
      ],
    },
    32,
  ],
  expand: [
    {
      kind: 'expand',
      input: SCAN,
      items: [{ source: columnReference(3, 'dynamic'), id: 33, type: 'dynamic' }],
      bagAsArray: false,
      index: { id: 34, type: 'long' },
      rowLimit: 3,
    },
    33,
    'dynamic',
  ],
  window: [
    {
      kind: 'window',
      input: byTime,
      partition: [QUERY],
      items: [{ id: 35, type: 'long', fn: 'row_number', args: [constant('long', '1')] }],
    },
    35,
    'long',
  ],
  'match-steps': [
    {
      kind: 'match-steps',
      input: byTime,
      steps: [
        { output: 'all', condition: call('bool', 'equal', QUERY, constant('string', 'a')), assignments: [] },
      ],
      declared: [],
      kept: [],
      matchId: { id: 36, type: 'long' },
      numbered: true,
    },
    36,
    'long',
  ],
  'a table used twice': [
    {
      kind: 'join',
      join: 'inner',
      left: once(40, 20, { ...COUNTED, items: [] } as PlanNode),
      right: once(41, 50, TWIN),
      keys: [{ left: columnReference(40, 'string'), right: columnReference(41, 'string') }],
    },
    40,
  ],
  'a scalar subquery': [
    {
      kind: 'filter',
      input: VALUES,
      predicate: call('bool', 'less', columnReference(11, 'long'), {
        kind: 'subquery',
        type: 'long',
        plan: { ...COUNTED, keys: [] } as PlanNode,
        column: 21,
      }),
    },
    10,
  ],
  'a set from a table': [
    {
      kind: 'filter',
      input: VALUES,
      predicate: {
        kind: 'in-subquery',
        type: 'bool',
        needle: columnReference(10, 'string'),
        plan: SCAN,
        column: 2,
      },
    },
    10,
  ],
};

describe('the SQL of each node', () => {
  it.each(Object.entries(NODES))('%s', (_, [root, shown, type = 'string']) => {
    expect(text(printed(root, [[shown, type]]))).toMatchSnapshot();
  });

  it.each<JoinKind>([
    'inner',
    'leftouter',
    'rightouter',
    'fullouter',
    'leftsemi',
    'leftanti',
    'rightsemi',
    'rightanti',
  ])('join %s', (kind) => {
    expect(text(printed(join(kind), [[kind.startsWith('right') ? 10 : 2, 'string']]))).toMatchSnapshot();
  });
});

describe('what every printed query holds', () => {
  const roots: Shown[] = [...Object.values(NODES), [join('fullouter'), 2]];

  it.each(roots.map((one) => ({ one })))(
    'every read of the stored table is tied to database and scopes (%#)',
    ({ one: [root, shown, type = 'string'] }) => {
      const { sql, params } = printed(root, [[shown, type]]);
      const reads = sql.match(/FROM `tenant_t`\.`events`/g) ?? [];
      const ties = [...sql.matchAll(/FROM `tenant_t`\.`events`\nWHERE \(`Scope` = \{(p\d+):String\}\)/g)];
      expect(ties).toHaveLength(reads.length);
      expect(sql.match(/`events`/g) ?? []).toHaveLength(reads.length);
      for (const [, key = ''] of ties) expect(params[key]).toBe('main');
    },
  );

  it.each(roots.map((one) => ({ one })))(
    'each parameter is there, in order, and used (%#)',
    ({ one: [root, shown, type = 'string'] }) => {
      const { sql, params } = printed(root, [[shown, type]]);
      const used = new Set([...sql.matchAll(/\{(p\d+):/g)].map(([, key]) => key));
      expect([...used].sort()).toEqual(Object.keys(params).sort());
      expect(Object.keys(params)).toEqual(Object.keys(params).map((_, n) => `p${n}`));
    },
  );

  it('two scopes are a list, none is an empty one, and ranges stand in the scan', () => {
    const plan: Plan = { root: SCAN, columns: [{ id: 2, name: 'q', type: 'string' }], nextId: 100 };
    const of = (scopes: readonly string[]) =>
      printQuery(
        scopeToTenant(plan, {
          database: 'tenant_t',
          scopes,
          timeRange: { from: 1, to: 2 },
          ingestRange: { from: 3, to: 4 },
        }),
      );
    expect(text(of(['main', 'lab']))).toMatchSnapshot();
    expect(of([]).params.p0).toEqual([]);
    expect(of([]).sql).toContain('(`Scope` IN {p0:Array(String)})');
  });

  it('a scan that nobody tied to a tenant throws', () => {
    const plan = { root: SCAN, columns: [], nextId: 100 } as unknown as Parameters<typeof printQuery>[0];
    expect(() => printQuery(plan)).toThrow('not tied to a tenant');
  });

  it('a limit, an aggregation and a join begin a new select, so that what stands above never reaches below', () => {
    const isA = call('bool', 'equal', QUERY, constant('string', 'a'));
    const { sql } = printed(
      { kind: 'filter', input: { kind: 'limit', input: SCAN, count: 5 }, predicate: isA },
      [[2, 'string']],
    );
    expect(sql.indexOf('LIMIT 5')).toBeLessThan(sql.indexOf('(c2 = '));
    const counted = printed(
      {
        kind: 'filter',
        input: COUNTED,
        predicate: call('bool', 'greater', columnReference(21, 'long'), constant('long', '1')),
      },
      [[21, 'long']],
    ).sql;
    expect(counted.indexOf('GROUP BY')).toBeLessThan(counted.lastIndexOf('WHERE'));
  });

  it('the order of a sort is written at the end and below a limit', () => {
    expect(printed(byTime, [[2, 'string']]).sql).toMatch(/ORDER BY `TimeGenerated` DESC NULLS LAST$/);
    expect(printed({ kind: 'limit', input: byTime, count: 5 }, [[2, 'string']]).sql).toMatch(
      /ORDER BY `TimeGenerated` DESC NULLS LAST\nLIMIT 5\)/,
    );
  });

  it('a row is kept for each value of every key, a computed one too', () => {
    const [root] = NODES['unique-by what is computed'] as [PlanNode, number];
    const { sql } = printed(root, [[2, 'string']]);
    expect(/LIMIT 1 BY ([^\n]*)/.exec(sql)?.[1]?.split(', ')).toHaveLength(2);
  });

  it.each([
    ['less', 17_000_000_000_000_001n, '> fromUnixTimestamp64Milli', '1700000000000'],
    ['less_or_equal', 17_000_000_000_000_001n, '>= fromUnixTimestamp64Milli', '1700000000001'],
    ['greater', 17_000_000_000_000_001n, '< fromUnixTimestamp64Milli', '1700000000001'],
    ['greater_or_equal', 17_000_000_000_000_001n, '<= fromUnixTimestamp64Milli', '1700000000000'],
    ['equal', 17_000_000_000_000_001n, '= {', '17000000000000001'],
  ])(
    'a moment %s a stored one is compared in whole milliseconds, rounded as the sign wants it',
    (fn, ticks, sign, bound) => {
      const predicate = call('bool', fn, constant('datetime', ticks.toString()), TIME);
      const { sql, params } = printed({ kind: 'filter', input: SCAN, predicate }, [[2, 'string']]);
      expect(sql).toContain(
        fn === 'equal'
          ? '(toUnixTimestamp64Milli(`TimeGenerated`) * 10000) = {'
          : `\`TimeGenerated\` ${sign}`,
      );
      expect(Object.values(params)).toContain(bound);
    },
  );

  it('a condition of iff that is null takes the second branch', () => {
    const rows: PlanNode = {
      kind: 'values',
      columns: [{ id: 70, type: 'bool' }],
      rows: [[null], [true]],
      ordinal: 71,
    };
    const chosen = call(
      'long',
      'iff',
      columnReference(70, 'bool'),
      constant('long', '1'),
      constant('long', '2'),
    );
    const { sql } = printed({ kind: 'compute', input: rows, items: [{ id: 72, expression: chosen }] }, [
      [72, 'long'],
    ]);
    expect(sql).toContain('if(ifNull(c70, false), ');
  });

  it('values of one content and several types are several parameters', () => {
    const items = [
      { id: 60, expression: constant('int', 7) },
      { id: 61, expression: constant('real', 7) },
    ];
    const { sql } = printed({ kind: 'compute', input: VALUES, items }, [
      [60, 'int'],
      [61, 'real'],
    ]);
    expect(sql).toMatch(/\{p\d:Int32\}/);
    expect(sql).toMatch(/\{p\d:Float64\}/);
  });

  it('values of one content are one parameter, others are not', () => {
    const both = (one: number | string, other: number | string) =>
      Object.values(
        printed(
          {
            kind: 'compute',
            input: VALUES,
            items: [
              { id: 60, expression: constant('real', one) },
              { id: 61, expression: constant('real', other) },
            ],
          },
          [
            [60, 'real'],
            [61, 'real'],
          ],
        ).params,
      ).filter((value) => typeof value === 'number' || ['nan', 'inf', '-inf', '-0'].includes(String(value)));
    expect(both(1.5, 1.5)).toEqual([1.5]);
    expect(both('NaN', 'Infinity')).toEqual(['nan', 'inf']);
    expect(both(0, -0)).toEqual([0, '-0']);
  });
});
