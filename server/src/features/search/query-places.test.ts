import { describe, expect, it } from 'vitest';
import { createQueryPlaces, type QueryPlaces } from './query-places.ts';
import { givesWay, QUEUE_LIMITS } from './query-queues.ts';

const limits = {
  ...QUEUE_LIMITS,
  interactive: { ...QUEUE_LIMITS.interactive, places: 3, placesPerTenant: 2, waitingPerTenant: 2 },
};

describe('places of the query queues', () => {
  it('keeps a tenant to its share, so that another starts at once', async () => {
    const places = createQueryPlaces(limits);
    const first = await places.take('a', 'interactive');
    await places.take('a', 'interactive');
    const started: string[] = [];
    const third = places.take('a', 'interactive').then(() => started.push('a3'));
    await places.take('b', 'interactive').then(() => started.push('b1'));
    expect(started).toEqual(['b1']);
    first();
    first(); // giving back twice counts once
    await third;
    expect(started).toEqual(['b1', 'a3']);
  });

  it('does not let searches take the places of detections', async () => {
    const places = createQueryPlaces(limits);
    for (const tenant of ['a', 'b', 'c']) await places.take(tenant, 'interactive');
    await expect(places.hold('a', 'detections', async () => 'ran')).resolves.toBe('ran');
  });

  it('refuses by count and lets a waiting query leave', async () => {
    const places = createQueryPlaces(limits);
    await places.take('a', 'interactive');
    await places.take('a', 'interactive');
    const abort = new AbortController();
    const leaving = places.take('a', 'interactive', abort.signal);
    places.take('a', 'interactive').catch(() => undefined);
    await expect(places.take('a', 'interactive')).rejects.toMatchObject({ kind: 'too-many' });
    abort.abort(new Error('stopped'));
    await expect(leaving).rejects.toThrow('stopped');
  });
});

describe('threads of the engine', () => {
  const standingOf = (places: QueryPlaces, tenant: string) => ({ isStepped: true, ...places.load(tenant) });
  const placesOf = (engineThreads: number) => {
    const clock = { now: 0 };
    const places = createQueryPlaces(
      QUEUE_LIMITS,
      undefined,
      () => clock.now,
      () => engineThreads,
    );
    return { places, clock };
  };

  it('[S08] are parted while several tenants ask: each further query of one gets half of what is left', async () => {
    const { places, clock } = placesOf(16);
    const b = await places.take('b', 'interactive');
    const threads = [];
    for (const _ of [1, 2, 3, 4]) {
      await places.take('a', 'interactive');
      threads.push(places.load('a').threads);
    }
    expect(threads).toEqual([8, 4, 2, 1]);
    clock.now += 60_000;
    expect(places.load('b').threads).toBe(8);
    b();
    // Of b nothing was heard for a minute; a is not parted from what nobody wants.
    expect(places.load('a').threads).toBeNull();
  });

  it('[S08] are not all held by one tenant: what finds none waits, and starts beside another after a while', async () => {
    const { places, clock } = placesOf(2);
    const started: string[] = [];
    const asks = (tenant: string, name: string) =>
      places.take(tenant, 'interactive').then((done) => {
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
    expect(places.load('a')).toMatchObject({ own: 1, threads: 1 });
    clock.now += 2_000;
    await asks('b', 'b2').then((done) => done());
    await second;
    expect(started).toEqual(['a1', 'b1', 'b2', 'a2']);
    (await first)();
    await third;
    expect(started.at(-1)).toBe('a3');
  });

  it('[S08] are left to others for longer by a tenant whose queries have run for much of the last seconds', async () => {
    const { places, clock } = placesOf(2);
    const first = await places.take('a', 'interactive');
    clock.now += 8_000;
    (await places.take('b', 'interactive'))();
    expect(givesWay('interactive', standingOf(places, 'a'))).toBe(true);
    expect(givesWay('interactive', { ...standingOf(places, 'b'), isStepped: false })).toBe(true);
    expect(givesWay('interactive', standingOf(places, 'b'))).toBe(false);
    expect(givesWay('detections', standingOf(places, 'a'))).toBe(false);
    const started: string[] = [];
    const second = places.take('a', 'interactive').then((done) => {
      started.push('a2');
      return done;
    });
    clock.now += 2_000;
    (await places.take('b', 'interactive'))();
    await new Promise(setImmediate);
    expect(started).toEqual([]);
    clock.now += 8_000;
    (await places.take('b', 'interactive'))();
    (await second)();
    first();
    // A minute later it is a tenant like any other.
    clock.now += 60_000;
    (await places.take('b', 'interactive'))();
    (await places.take('a', 'panels'))();
    expect(places.load('a').usesMuch).toBe(false);
    expect(givesWay('interactive', standingOf(places, 'a'))).toBe(false);
  });

  it('a tenant that is alone has all of them', async () => {
    const { places } = placesOf(2);
    for (const _ of [1, 2, 3, 4]) await places.take('a', 'interactive');
    expect(places.load('a')).toEqual({ own: 4, others: false, threads: null, usesMuch: false });
  });
});

describe('places of exports', () => {
  const exports = { ...QUEUE_LIMITS.exports, places: 2, mostPlaces: 4, patienceMs: 5 };
  const limitsOfExports = { ...QUEUE_LIMITS, exports };

  it('[S21] two tenants that hold all places for an hour keep no other from exporting', async () => {
    let now = 0;
    const places = createQueryPlaces(limitsOfExports, undefined, () => now);
    for (const tenant of ['a', 'b']) await places.take(tenant, 'exports');
    const started: string[] = [];
    const waits = (tenant: string) => places.take(tenant, 'exports').then(() => started.push(tenant));
    // Tenant a asks for more first: its second export waits for the end of its own.
    void waits('a').catch(() => undefined);
    const others = [waits('c'), waits('d')];
    expect(places.load('c')).toEqual({ own: 0, others: true, threads: null, usesMuch: false });
    now += exports.patienceMs;
    await Promise.all(others);
    expect(started).toEqual(['c', 'd']);
    const fifth = waits('e');
    now += exports.patienceMs;
    await new Promise((resolve) => setTimeout(resolve, 3 * exports.patienceMs));
    expect(started).toEqual(['c', 'd']);
    expect(places.load('a')).toEqual({ own: 1, others: true, threads: null, usesMuch: false });
    void fifth.catch(() => undefined);
  });
});
