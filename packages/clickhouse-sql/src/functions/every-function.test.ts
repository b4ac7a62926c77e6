import { createHash } from 'node:crypto';
import {
  AGGREGATES,
  call,
  columnReference,
  constant,
  type FunctionSignature,
  type KqlType,
  OPERATORS,
  type ParameterType,
  type Plan,
  type PlanNode,
  parameterFor,
  SCALAR_FUNCTIONS,
  type Scalar,
  scopeToTenant,
} from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { type PrintedQuery, printQuery } from '../print-query.ts';
import { columnOf, printed, printedScalar, ROWS } from '../testing/printed.ts';

// Every function and aggregation of the registry as SQL: over columns, and over constants that try to break out of it.

const plain = (type: ParameterType): KqlType =>
  type === 'any' || type === 'number' || type === 'common' ? 'long' : type;

function argumentsFor(
  fn: FunctionSignature,
  give: (type: KqlType, at: number, isConstant: boolean) => Scalar,
): Scalar[] {
  const repeated = fn.parameters.filter((one) => one.repeated).length;
  const count = fn.parameters.length + repeated;
  return Array.from({ length: count }, (_, at) => {
    const { type = 'any', constant: isConstant = false } = parameterFor(fn, at) ?? {};
    return give(plain(type), at, isConstant);
  });
}

const HARMLESS: Readonly<Record<KqlType, Scalar>> = {
  bool: constant('bool', true),
  int: constant('int', 1),
  long: constant('long', '1'),
  real: constant('real', 1.5),
  decimal: constant('decimal', '1.5'),
  string: constant('string', 'a'),
  datetime: constant('datetime', '17000000000000000'),
  timespan: constant('timespan', '36000000000'),
  guid: constant('guid', '00000000-0000-0000-0000-000000000001'),
  dynamic: constant('dynamic', '["a"]'),
};

const resultOf = (fn: FunctionSignature, args: readonly Scalar[]): KqlType =>
  fn.result === 'common' || fn.result === 'first' || fn.result === 'bound'
    ? (args[0]?.type ?? 'dynamic')
    : fn.result;

/** Settled by the compiler before there is a plan. */
const COMPILED_AWAY = new Set(['ingestion_time']);
const FUNCTIONS = [...SCALAR_FUNCTIONS, ...OPERATORS].filter(({ name }) => !COMPILED_AWAY.has(name));

const ofScalar = (fn: FunctionSignature, args: readonly Scalar[]): PrintedQuery =>
  printedScalar(call(resultOf(fn, args), fn.name, ...args));

/** Columns, but for what must be known before the query runs. */
const overColumns = (type: KqlType, at: number, isConstant: boolean): Scalar =>
  isConstant ? HARMLESS[type] : columnOf(type, at);

const LONGEST_SHOWN = 1200;

/** A piece of the text with the parameters that stand in it; of a very long one the beginning and a mark of the whole. */
function shown(piece: string, params: PrintedQuery['params']): string {
  const used = Object.entries(params).filter(([key]) => piece.includes(`{${key}:`));
  const whole = used.length > 0 ? `${piece} ${JSON.stringify(Object.fromEntries(used))}` : piece;
  if (whole.length <= LONGEST_SHOWN) return whole;
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  return `${whole.slice(0, LONGEST_SHOWN / 4)}… ${whole.length} characters, ${mark}`;
}

describe('the SQL of every function', () => {
  it.each(FUNCTIONS.map((fn) => ({ fn, name: fn.name })))('$name', ({ fn }) => {
    const { sql, params } = ofScalar(fn, argumentsFor(fn, overColumns));
    const piece = sql.slice('SELECT '.length, sql.lastIndexOf(' AS r0'));
    expect(shown(piece, params)).toMatchSnapshot();
  });
});

const ofAggregate = (fn: FunctionSignature, args: readonly Scalar[]): PrintedQuery => {
  const type = resultOf(fn, args);
  const item = { id: 30, type, fn: fn.name, args };
  return printed({ kind: 'aggregate', input: ROWS, keys: [], items: [item] }, [[30, type]]);
};

describe('the SQL of every aggregation', () => {
  it.each(AGGREGATES.map((fn) => ({ fn, name: fn.name })))('$name', ({ fn }) => {
    const { sql, params } = ofAggregate(fn, argumentsFor(fn, overColumns));
    const inner = sql.indexOf('(SELECT ') + '(SELECT '.length;
    expect(shown(sql.slice(inner, sql.lastIndexOf(' AS c30')), params)).toMatchSnapshot();
  });
});

/** In each hostile text; no name or word of ours holds it. */
const MARK = 'zq7x';
const HOSTILE = [
  `${MARK}`,
  `'${MARK}`,
  `\\'${MARK}`,
  `${MARK}\\`,
  `') OR 1=1 -- ${MARK}`,
  `\`${MARK}`,
  `"${MARK}"`,
  `{p0:String}${MARK}`,
  `${MARK}\u0000'`,
  `${MARK}\n;DROP TABLE events`,
  `/*${MARK}*/`,
  `[${MARK}](?i).*`,
  `%${MARK}_`,
  `$.${MARK}['a']`,
  `10.0.0.0/${MARK}`,
];

/** Text of ours: strings are closed, brackets too, and what the query says is nowhere in it. */
function faultsOf({ sql, params }: PrintedQuery): string[] {
  const faults = [];
  // Names of stored fields stand in backticks, in which every backtick and backslash is escaped.
  const bare = sql.replace(/`(?:[^`\\]|\\[\s\S])*`/g, 'name').replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, 'text');
  if (sql.replace(/`(?:[^`\\]|\\[\s\S])*`/g, '').includes(MARK)) faults.push('holds a value');
  if (/['`]/.test(bare)) faults.push('holds an open quote');
  if (bare.split('(').length !== bare.split(')').length) faults.push('holds an open bracket');
  if (/--|\/\*|;/.test(bare)) faults.push('holds a comment or a second statement');
  for (const [key] of sql.matchAll(/(?<=\{)p\d+(?=:)/g)) if (!(key in params)) faults.push(`lacks ${key}`);
  return faults;
}

describe('what a query says never stands in the SQL', () => {
  const hostile =
    (value: string) =>
    (type: KqlType): Scalar => {
      if (type === 'string') return constant('string', value);
      return type === 'dynamic'
        ? constant('dynamic', JSON.stringify([value, { [value]: value }]))
        : HARMLESS[type];
    };
  /** A function may look at a constant and find that it means nothing; the compiler has refused it by then. */
  const refused: string[] = [];
  const faults = (name: string, print: () => PrintedQuery): string[] => {
    try {
      return faultsOf(print());
    } catch (error) {
      refused.push(`${name}: ${String(error)}`);
      return [];
    }
  };

  it.each(HOSTILE)('in a call or an aggregation with %j', (value) => {
    for (const [all, print] of [
      [FUNCTIONS, ofScalar],
      [AGGREGATES, ofAggregate],
    ] as const)
      for (const fn of all)
        expect(
          faults(fn.name, () => print(fn, argumentsFor(fn, hostile(value)))),
          fn.name,
        ).toEqual([]);
  });

  it('and hardly a function looks at its constants', () => {
    expect([...new Set(refused.map((one) => one.split(':', 1)[0]))]).toEqual([]);
  });

  it.each(HOSTILE)('in rows, names of streams, scopes and fields, or conditions with %j', (value) => {
    const scan = {
      kind: 'scan',
      stream: value,
      columns: [
        { id: 40, type: 'string', source: { kind: 'column', name: value } },
        { id: 41, type: 'string', source: { kind: 'path', name: 'Ext', path: [value, 'a.b', value] } },
        { id: 42, type: 'dynamic', source: { kind: 'path', name: 'Ext', path: [value] } },
      ],
    } as const;
    const rows = {
      kind: 'values',
      columns: [
        { id: 50, type: 'string' },
        { id: 51, type: 'dynamic' },
      ],
      rows: [[value, JSON.stringify(value)]],
      ordinal: 52,
    } as const;
    const joined: PlanNode = {
      kind: 'join',
      join: 'inner',
      left: {
        kind: 'filter',
        input: scan,
        predicate: call('bool', 'equal', columnReference(41, 'string'), constant('string', value)),
      },
      right: rows,
      keys: [{ left: columnReference(40, 'string'), right: columnReference(50, 'string') }],
    };
    const plan: Plan = {
      root: joined,
      columns: [40, 41, 42, 50, 51].map((id) => ({
        id,
        name: value,
        type: id === 42 || id === 51 ? 'dynamic' : 'string',
      })),
      nextId: 100,
      render: { chart: value, properties: { [value]: value } },
    };
    const query = printQuery(scopeToTenant(plan, { database: 'tenant_t', scopes: [value, `${value}2`] }));
    expect(faultsOf(query)).toEqual([]);
    expect(Object.values(query.params).flat()).toEqual(expect.arrayContaining([value, `${value}2`]));
  });
});
