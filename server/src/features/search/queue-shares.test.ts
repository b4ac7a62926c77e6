import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { QUEUE_LIMITS } from './query-queues.ts';
import { createQuerySlots } from './query-slots.ts';
import { createQueueShares } from './queue-shares.ts';

// Two processes, each with slots of its own, on one database.

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform?.close());

const process = (processId: string) => {
  const shares = createQueueShares({ postgres: platform.postgres, processId, log: platform.log });
  return { shares, slots: createQuerySlots(QUEUE_LIMITS, shares) };
};
const PLACES = QUEUE_LIMITS.interactive.slots;

describe('slots over all processes', () => {
  it('[R-E12] are parted among the processes that want some, and are whole again for one alone', async () => {
    const [a, b] = [process('a'), process('b')];
    const held = [];
    for (let n = 0; n < PLACES; n += 1) held.push(await a.slots.acquire(`a${n}`, 'interactive'));
    const ofB = [];
    for (let n = 0; n < PLACES / 2; n += 1) ofB.push(await b.slots.acquire(`b${n}`, 'interactive'));
    const share = (one: typeof a) => one.shares.of('interactive');
    await expect.poll(() => [share(a), share(b)], { timeout: 60_000 }).toEqual([0.5, 0.5]);
    // Other queues are wanted by nobody else.
    expect(a.shares.of('exports')).toBe(1);
    let started = 0;
    const waiting = ['b8', 'b9'].map((tenant) =>
      b.slots.acquire(tenant, 'interactive').then((giveBack) => {
        started += 1;
        return giveBack;
      }),
    );
    const further = a.slots.acquire('a9', 'interactive');
    let isFurther = false;
    void further.then(() => {
      isFurther = true;
    });
    // The first process gives up what it has too much of before anything of its own goes on.
    for (const giveBack of held.splice(0, PLACES / 2)) giveBack();
    await Promise.resolve();
    expect([isFurther, started]).toEqual([false, 0]);
    held.pop()?.();
    held.push(await further);
    // The second one goes home: all slots are the first one's again.
    for (const giveBack of ofB) giveBack();
    for (const giveBack of await Promise.all(waiting)) giveBack();
    await expect.poll(() => share(a), { timeout: 60_000 }).toBe(1);
    for (const giveBack of held) giveBack();
    await Promise.all([a.shares.stop(), b.shares.stop()]);
  });

  it('[R-E12] cost PostgreSQL nothing for a query that soon ends', async () => {
    const { shares, slots } = process('quick');
    for (let n = 0; n < 20; n += 1) await slots.runInSlot('t', 'interactive', async () => n);
    await shares.stop();
    expect(shares.of('interactive')).toBe(1);
    const rows = await platform.postgres.platform
      .withTables<{ query_share: { process_id: string } }>()
      .selectFrom('query_share')
      .select('process_id')
      .where('process_id', '=', 'quick')
      .execute();
    expect(rows).toEqual([]);
  });
});
