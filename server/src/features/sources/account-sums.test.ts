import { expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createAccountLedger } from './account-ledger.ts';
import type { AccountLine } from './account-store.ts';
import { addCounts, imbalanceOf, noSums } from './account-sums.ts';

it('[T-ACCOUNTING] accepted = stored + spooled + rejected, whatever a batch came to', () => {
  const sums = noSums();
  const batches = [
    { received: 10, stored: 10, parse_error: 1, no_extractor: 2, raw_bytes: 900 },
    { received: 5, stored: 5, spooled: 5 },
    { received: 4, stored: 2, 'malformed-action': 1, 'unsupported-action': 1 },
    { received: 3, stored: 1, 'dropped-by-rule': 2 },
    { lost: 7 },
    { refused_busy: 1 },
    { repeated_batch: 1, received: 0, stored: 0 },
  ];
  for (const counts of batches) {
    addCounts(sums, counts);
    expect(imbalanceOf(sums)).toBe(0);
  }
  expect(sums).toMatchObject({
    accepted: 29,
    stored: 13,
    spooled: 5,
    rejected: 11,
    unparsed: 3,
    rawBytes: 900,
  });
  // A refused request holds nobody knows how many records: its sender keeps them.
  expect(Object.fromEntries(sums.reasons)).toEqual({
    ...{ 'malformed-action': 1, 'unsupported-action': 1, 'dropped-by-rule': 2, lost: 7 },
    refused_busy: 1,
  });
  addCounts(sums, { received: 1 });
  expect(imbalanceOf(sums)).toBe(1);
});

it('[T-ACCOUNTING] accounts are written in batches by source and minute, and wait while the database is away', async () => {
  let nowMs = Date.UTC(2026, 2, 1, 10, 0, 50);
  let isAway = true;
  const written: AccountLine[][] = [];
  const ledger = createAccountLedger({
    clock: { now: () => nowMs },
    log: createLog('silent'),
    store: {
      add: async (lines) => {
        if (isAway) throw new Error('away');
        written.push([...lines]);
      },
    },
  });
  for (let n = 0; n < 1_000; n += 1) ledger.add('t', 'a', { received: 1, stored: 1 });
  ledger.add('t', 'b', { received: 1, stored: 1 });
  ledger.add('t', 'b', { 'no-time': 1 });
  await ledger.tick();
  expect(written).toEqual([]);
  nowMs += 11_000;
  await ledger.tick();
  isAway = false;
  ledger.add('t', 'a', { lost: 2 });
  await ledger.write();
  expect(written).toHaveLength(1);
  expect(written[0]?.map(({ sourceId, accepted, rejected }) => [sourceId, accepted, rejected])).toEqual([
    ['a', 1_000, 0],
    ['b', 1, 0],
    ['a', 2, 2],
  ]);
  await ledger.write();
  expect(written).toHaveLength(1);
});
