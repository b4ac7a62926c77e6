import { describe, expect, it } from 'vitest';
import { givesWay, QUEUE_LIMITS } from './query-queues.ts';
import { createQuerySlots, type QuerySlots } from './query-slots.ts';

const limits = {
  ...QUEUE_LIMITS,
  interactive: { ...QUEUE_LIMITS.interactive, slots: 3, slotsPerTenant: 2, waitingPerTenant: 2 },
};

describe('slots of the query queues', () => {
  it('keeps a tenant to its share, so that another starts at once', async () => {
    const slots = createQuerySlots(limits);
    const first = await slots.acquire('a', 'interactive');
    await slots.acquire('a', 'interactive');
    const started: string[] = [];
    const third = slots.acquire('a', 'interactive').then(() => started.push('a3'));
    await slots.acquire('b', 'interactive').then(() => started.push('b1'));
    expect(started).toEqual(['b1']);
    first();
    first(); // giving back twice counts once
    await third;
    expect(started).toEqual(['b1', 'a3']);
  });

  it('does not let searches take the slots of detections', async () => {
    const slots = createQuerySlots(limits);
    for (const tenant of ['a', 'b', 'c']) await slots.acquire(tenant, 'interactive');
    await expect(slots.runInSlot('a', 'detections', async () => 'ran')).resolves.toBe('ran');
  });

  it('refuses by count and lets a waiting query leave', async () => {
    const slots = createQuerySlots(limits);
    await slots.acquire('a', 'interactive');
    await slots.acquire('a', 'interactive');
    const abort = new AbortController();
    const leaving = slots.acquire('a', 'interactive', abort.signal);
    slots.acquire('a', 'interactive').catch(() => undefined);
    await expect(slots.acquire('a', 'interactive')).rejects.toMatchObject({ kind: 'too-many' });
    abort.abort(new Error('stopped'));
    await expect(leaving).rejects.toThrow('stopped');
  });
});

describe('threads of the engine', () => {
  const standingOf = (slots: QuerySlots, tenant: string) => ({ isStepped: true, ...slots.load(tenant) });
  const slotsOf = (engineThreads: number) => {
    const clock = { now: 0 };
    const slots = createQuerySlots(
      QUEUE_LIMITS,
      undefined,
      () => clock.now,
      () => engineThreads,
    );
    return { slots, clock };
  };

  it('[S08] are parted while several tenants ask: each further query of one gets half of what is left', async () => {
    const { slots, clock } = slotsOf(16);
    const b = await slots.acquire('b', 'interactive');
    const threads = [];
    for (const _ of [1, 2, 3, 4]) {
      await slots.acquire('a', 'interactive');
      threads.push(slots.load('a').threads);
    }
    expect(threads).toEqual([8, 4, 2, 1]);
    clock.now += 60_000;
    expect(slots.load('b').threads).toBe(8);
    b();
    // Of b nothing was heard for a minute; a is not parted from what nobody wants.
    expect(slots.load('a').threads).toBeNull();
  });

  it('[S08] are not all held by one tenant: what finds none waits, and starts beside another after a while', async () => {
    const { slots, clock } = slotsOf(2);
    const started: string[] = [];
    const asks = (tenant: string, name: string) =>
      slots.acquire(tenant, 'interactive').then((done) => {
        started.push(name);
        return done;
      });
    const first = asks('a', 'a1');
    const b = await asks('b', 'b1');
    const second = asks('a', 'a2');
    const third = asks('a', 'a3');
    await new Promise(setImmediate);
    expect(started).toEqual(['a1', 'b1']);
    b();
    expect(slots.load('a')).toMatchObject({ own: 1, threads: 1 });
    clock.now += 2_000;
    await asks('b', 'b2').then((done) => done());
    await second;
    expect(started).toEqual(['a1', 'b1', 'b2', 'a2']);
    (await first)();
    await third;
    expect(started.at(-1)).toBe('a3');
  });

  it('[S08] are left to others for longer by a tenant whose queries have run for much of the last seconds', async () => {
    const { slots, clock } = slotsOf(2);
    const first = await slots.acquire('a', 'interactive');
    clock.now += 8_000;
    (await slots.acquire('b', 'interactive'))();
    expect(givesWay('interactive', standingOf(slots, 'a'))).toBe(true);
    expect(givesWay('interactive', { ...standingOf(slots, 'b'), isStepped: false })).toBe(true);
    expect(givesWay('interactive', standingOf(slots, 'b'))).toBe(false);
    expect(givesWay('detections', standingOf(slots, 'a'))).toBe(false);
    const started: string[] = [];
    const second = slots.acquire('a', 'interactive').then((done) => {
      started.push('a2');
      return done;
    });
    clock.now += 2_000;
    (await slots.acquire('b', 'interactive'))();
    await new Promise(setImmediate);
    expect(started).toEqual([]);
    clock.now += 8_000;
    (await slots.acquire('b', 'interactive'))();
    (await second)();
    first();
    // A minute later it is a tenant like any other.
    clock.now += 60_000;
    (await slots.acquire('b', 'interactive'))();
    (await slots.acquire('a', 'panels'))();
    expect(slots.load('a').usesMuch).toBe(false);
    expect(givesWay('interactive', standingOf(slots, 'a'))).toBe(false);
  });

  it('a tenant that is alone has all of them', async () => {
    const { slots } = slotsOf(2);
    for (const _ of [1, 2, 3, 4]) await slots.acquire('a', 'interactive');
    expect(slots.load('a')).toEqual({ own: 4, others: false, threads: null, usesMuch: false });
  });
});

describe('slots of exports', () => {
  const exports = { ...QUEUE_LIMITS.exports, slots: 2, maxSlots: 4, patienceMs: 5 };
  const limitsOfExports = { ...QUEUE_LIMITS, exports };

  it('[S21] two tenants that hold all slots for an hour keep no other from exporting', async () => {
    let now = 0;
    const slots = createQuerySlots(limitsOfExports, undefined, () => now);
    for (const tenant of ['a', 'b']) await slots.acquire(tenant, 'exports');
    const started: string[] = [];
    const waits = (tenant: string) => slots.acquire(tenant, 'exports').then(() => started.push(tenant));
    // Tenant a asks for more first: its second export waits for the end of its own.
    void waits('a').catch(() => undefined);
    const others = [waits('c'), waits('d')];
    expect(slots.load('c')).toEqual({ own: 0, others: true, threads: null, usesMuch: false });
    now += exports.patienceMs;
    await Promise.all(others);
    expect(started).toEqual(['c', 'd']);
    const fifth = waits('e');
    now += exports.patienceMs;
    await new Promise((resolve) => setTimeout(resolve, 3 * exports.patienceMs));
    expect(started).toEqual(['c', 'd']);
    expect(slots.load('a')).toEqual({ own: 1, others: true, threads: null, usesMuch: false });
    void fifth.catch(() => undefined);
  });
});
