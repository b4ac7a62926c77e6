import { call, columnReference, constant, type Scalar, type Scan } from '@tyrian/plan';
import { expect, it } from 'vitest';
import { printed } from './testing/printed.ts';

const SCAN: Scan = {
  kind: 'scan',
  stream: null,
  columns: [
    { id: 1, type: 'string', source: { kind: 'column', name: 'DnsQuery' } },
    { id: 2, type: 'string', source: { kind: 'column', name: 'Raw' } },
  ],
};

const searches = (column: number, fn: string, needles: readonly string[]): readonly Scalar[] =>
  needles.map((needle) => call('bool', fn, columnReference(column, 'string'), constant('string', needle)));

const filtered = (...conditions: readonly Scalar[]) =>
  printed({ kind: 'filter', input: SCAN, predicate: call('bool', 'or', ...conditions) }, [[1, 'string']]);

it('looks for many texts at once, those without case as they are', () => {
  const { sql, params } = filtered(
    ...searches(1, 'contains', ['a', 'B', 'c d', '\u{1F525}', '\u00e9', 'f', 'g', 'h', '']),
    ...searches(1, 'contains_cs', ['1', '2', '3', '4', 'X']),
  );
  expect(sql).toContain('multiSearchAnyCaseInsensitive(`DnsQuery`');
  expect(sql).toContain('multiSearchAny(`DnsQuery`');
  // A letter with case beyond ASCII and the empty text are searches of their own.
  expect(sql.match(/positionCaseInsensitive/g)).toHaveLength(2);
  expect(Object.values(params)).toContainEqual(['a', 'B', 'c d', 'f', 'g', 'h']);
  expect(Object.values(params)).toContainEqual(['\u{1F525}', '1', '2', '3', '4', 'X']);
});

it('leaves few searches alone, and those of the text whose index they ask', () => {
  const words = ['alpha', 'beta0', 'gamma', 'delta', 'epsilon', 'omega', 'kappa'];
  expect(filtered(...searches(1, 'contains', words.slice(0, 5))).sql).not.toContain('multiSearch');
  const { sql } = filtered(...searches(2, 'contains', words));
  expect(sql.match(/lower\(`Raw`\) LIKE/g)).toHaveLength(words.length);
  const counted = printed(
    {
      ...{ kind: 'aggregate', input: SCAN, keys: [] },
      items: [
        { id: 3, type: 'long', fn: 'countif', args: [call('bool', 'or', ...searches(2, 'contains', words))] },
      ],
    },
    [[3, 'long']],
  );
  expect(counted.sql).toContain('multiSearchAnyCaseInsensitive(`Raw`');
  expect(counted.sql).not.toContain('LIKE');
});

it('parts more texts than the engine takes', () => {
  const words = Array.from({ length: 600 }, (_, n) => `word ${n}`);
  const { sql, params } = filtered(...searches(1, 'contains', words));
  expect(sql.match(/multiSearchAnyCaseInsensitive/g)).toHaveLength(3);
  expect(Object.values(params).flatMap((one) => (Array.isArray(one) ? one : []))).toEqual(
    expect.arrayContaining(words),
  );
});

it('looks up what stands behind the last sign, where several ends begin with it', () => {
  const { sql, params } = filtered(
    ...searches(1, 'endswith', [
      '\\CMD.exe',
      '\\pwsh.exe',
      '.bid',
      '\\a',
      '\\b\\c',
      '.by',
      'cmd',
      '\\\u00e9',
    ]),
  );
  expect(sql.match(/substringIndex\(\(lower\(`DnsQuery`\)/g)).toHaveLength(1);
  expect(Object.values(params)).toContainEqual(['cmd.exe', 'pwsh.exe', 'a']);
  // Two of a kind, one with a second backslash, one without a sign and one beyond ASCII.
  expect(sql.match(/endsWith/g)).toHaveLength(5);
  const exact = filtered(...searches(1, 'endswith_cs', ['/Sh', '/bash', '/zsh'])).sql;
  expect(exact).toContain('substringIndex(`DnsQuery`');
});

it('joins patterns of one text that match at its beginning', () => {
  const listed = (value: string) => `(?is)^\\[(?:.*[,\\[])?"${value}"[,\\]]`;
  const { sql, params } = filtered(
    ...searches(1, 'matches_regex', [listed('exe'), 'exe$', listed('vbs'), '^a{2,3}', listed('a|b')]),
    ...searches(2, 'matches_regex', [listed('exe')]),
  );
  // Two are no such patterns, and one is of another text.
  expect(sql.match(/match\(/g)).toHaveLength(4);
  const joined = ['exe', 'vbs', 'a|b'].map((value) => `(?:${listed(value)})`).join('|');
  expect(Object.values(params)).toContain(`(?-s)${joined}`);
});

it('joins no more patterns than the engine takes', () => {
  const patterns = Array.from({ length: 100 }, (_, at) => `^${'x'.repeat(50)}${at}`);
  const { sql, params } = filtered(...searches(1, 'matches_regex', patterns));
  expect(sql.match(/match\(/g)).toHaveLength(3);
  const lengths = Object.values(params).flatMap((one) => (typeof one === 'string' ? one.length : []));
  expect(Math.max(...lengths)).toBeLessThan(2_300);
});
