import { expect, it } from 'vitest';
import { accountingRun } from './testing/accounting-run.ts';

// bench/accounting.ts is the same with a million events and more kills.

it('[T-ways] accounts for every event of every acknowledging way while server and event store are killed and the spool is full', async () => {
  const accounts = await accountingRun({
    ...{ eventsPerWay: 6_000, eventsPerBatch: 100, sendersPerWay: 2, datagrams: 2_000 },
    ...{ serverKills: 1, storeKills: 1, spoolMib: 1 },
  });
  for (const { way, sent, accepted, rejected, stored, distinct } of accounts.ways) {
    expect([way, accepted + rejected, stored, distinct]).toEqual([way, sent, accepted, accepted]);
  }
  expect(accounts.ways).toHaveLength(5);
  expect(accounts.spoolFull).toBeGreaterThan(0);
  // Of datagrams nobody has a receipt, but none is stored twice.
  const { udp } = accounts;
  expect(udp.stored).toBe(udp.distinct);
  expect(udp.stored + udp.lost).toBeLessThanOrEqual(udp.sent);
}, 300_000);
