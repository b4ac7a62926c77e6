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
