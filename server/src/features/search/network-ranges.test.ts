import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerOverTexts, quoted } from './testing/answer-over-texts.ts';

// Ranges of addresses that are written in a query are compared by their bounds; those that are values, by the engine.

const RANGES = [
  'fe80::/10',
  '2001:db8:8000::/33',
  '::ffff:10.0.0.0/104',
  '::1/128',
  'fc00::/7',
  'FEC0::12/127',
];

/** First and last addresses of the ranges, their neighbours, and what is no address of IPv6. */
const ADDRESSES = [
  ...[
    'fe80::',
    'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fec0::',
  ],
  ...['2001:db8:8000::', '2001:db8:7fff:ffff::', '2001:db8:ffff::1', '2001:db9::'],
  ...['10.0.0.0', '10.255.255.255', '11.0.0.0', '9.255.255.255', '::ffff:10.1.2.3'],
  ...['::1', '::', '::2', 'fec0::11', 'fec0::12', 'fec0::13', 'fec0::14', 'fdff::1', 'fe00::', 'none', ''],
];

let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform?.close());

/** Whether each address is in the ranges: written in the query, and as values. */
const found = (written: string, asValues: string, ranges: readonly string[]) =>
  answerOverTexts(platform, clusterId, {
    columns: ['a', ...ranges.map((_, at) => `r${at}`)],
    rows: ADDRESSES.map((address) => [address, ...ranges]),
    query: `| project a, written = ${written}, asValues = ${asValues}`,
  });

describe('ranges of IPv6', () => {
  it('[T-sigma] several that are written in the query hold what they hold as values', async () => {
    const names = RANGES.map((_, at) => `r${at}`).join(', ');
    const rows = await found(
      `ipv6_is_in_any_range(a, ${RANGES.map(quoted).join(', ')})`,
      `ipv6_is_in_any_range(a, ${names})`,
      RANGES,
    );
    expect(rows.map(([address, written]) => [address, written])).toEqual(
      rows.map(([address, , asValues]) => [address, asValues]),
    );
    expect(new Set(rows.map(([, written]) => written))).toEqual(new Set([true, false, null]));
  });

  it.each(RANGES)('[T-sigma] %s holds what it holds as a value', async (range) => {
    const rows = await found(`ipv6_is_in_range(a, "${range}")`, 'ipv6_is_in_range(a, r0)', [range]);
    expect(rows.map(([address, written]) => [address, written])).toEqual(
      rows.map(([address, , asValue]) => [address, asValue]),
    );
    expect(rows.filter(([, written]) => written === true).length).toBeGreaterThan(0);
  });
});
