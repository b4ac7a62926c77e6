import { call, columnReference, constant, type Scalar, type Scan } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { FEWEST_CALLS, withEqualPiecesShared } from './share-equal-pieces.ts';
import { commaList, name, type Select, type Sql, sql, textParameter } from './sql.ts';
import { printed } from './testing/printed.ts';

const SCAN: Scan = {
  kind: 'scan',
  stream: null,
  columns: [
    { id: 1, type: 'string', source: { kind: 'column', name: 'DnsQuery' } },
    { id: 2, type: 'string', source: { kind: 'column', name: 'EventType' } },
  ],
};

/** Ends of different kinds, so that none are looked for together. */
const ends = (at: number): Scalar =>
  call('bool', 'endswith', columnReference(1, 'string'), constant('string', `${at}x${at}`));
const kind = call(
  'bool',
  'in_ci',
  columnReference(2, 'string'),
  constant('string', 'a'),
  constant('string', 'b'),
);

/** So many conditions, each of the same kinds of events and with an end of its own, counted in one query. */
const counted = (conditions: number) =>
  printed(
    {
      kind: 'aggregate',
      input: SCAN,
      keys: [],
      items: Array.from({ length: conditions }, (_, at) => ({
        ...({ id: 10 + at, type: 'long', fn: 'countif' } as const),
        args: [call('bool', 'and', kind, ends(at))],
      })),
    },
    Array.from({ length: conditions }, (_, at) => [10 + at, 'long'] as const),
  ).sql;

const times = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

describe('equal calls of a long query', () => {
  it('[R-E2] are written once, whatever condition they stand in', () => {
    const long = counted(100);
    expect(times(long, /lower\(`DnsQuery`\)/g)).toBe(1);
    expect(times(long, /lower\(`EventType`\)/g)).toBe(1);
    expect(times(long, /endsWith\(t\d+, /g)).toBe(99);
    expect(times(long, /IN \{p\d+:Array\(String\)\}/g)).toBe(1);
  });

  it('stay as they are in a short one', () => {
    expect(times(counted(3), /lower\(`DnsQuery`\)/g)).toBe(3);
  });
});

describe('pieces of a clause', () => {
  const column = name('DnsQuery');
  const padding = {
    alias: 'pad',
    sql: sql`f(${commaList(Array.from({ length: FEWEST_CALLS }, () => sql`g()`))})`,
  };
  const selecting = (...pieces: readonly Sql[]): Select => ({
    items: [...pieces.map((piece, at) => ({ alias: `a${at}`, sql: piece })), padding],
    ...{
      source: { kind: 'nothing' },
      arrayJoin: [],
      where: [],
      groupBy: [],
      orderBy: [],
      limitBy: [],
      limit: null,
    },
  });
  /** Whether two pieces that are made anew each time come out as one. */
  const becomeOne = (make: () => Sql): boolean => {
    const shared = withEqualPiecesShared(selecting(sql`f(${make()}, 1)`, sql`f(${make()}, 2)`));
    const [one, other] = (shared?.items ?? []).map((item) =>
      item.sql.kind === 'text' ? item.sql.values[0] : null,
    );
    return one !== undefined && one === other;
  };

  it('become one when they are the same call', () => {
    expect(becomeOne(() => sql`lower(${column})`)).toBe(true);
    expect(becomeOne(() => sql`(lower(${column}) = ${textParameter('a')})`)).toBe(true);
    expect(becomeOne(() => sql`position(${column}, ')(')`)).toBe(true);
  });

  it('stay apart where a name may not stand for them', () => {
    expect(becomeOne(() => commaList([column, textParameter('a')]))).toBe(false);
    expect(becomeOne(() => sql`(${column}, ${textParameter('a')})`)).toBe(false);
    expect(becomeOne(() => sql`groupArray(2)(${column})`)).toBe(false);
    expect(becomeOne(() => sql`arrayMap(x -> lower(x), ${column})`)).toBe(false);
    expect(becomeOne(() => sql`lower(${column}) = ${textParameter('a')}`)).toBe(false);
  });

  it('stay apart when they are not equal', () => {
    let at = 0;
    expect(becomeOne(() => sql`endsWith(${column}, ${textParameter(String(at++))})`)).toBe(false);
  });
});
