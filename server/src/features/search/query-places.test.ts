import { describe, expect, it } from 'vitest';
import { createQueryPlaces } from './query-places.ts';
import { QUEUE_LIMITS } from './query-queues.ts';

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
    expect(places.load('c')).toEqual({ own: 0, others: true });
    now += exports.patienceMs;
    await Promise.all(others);
    expect(started).toEqual(['c', 'd']);
    const fifth = waits('e');
    now += exports.patienceMs;
    await new Promise((resolve) => setTimeout(resolve, 3 * exports.patienceMs));
    expect(started).toEqual(['c', 'd']);
    expect(places.load('a')).toEqual({ own: 1, others: true });
    void fifth.catch(() => undefined);
  });
});
