import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import type { DomainEvent, NewDomainEvent } from './domain-event.ts';
import { createEventConsumer, type EventConsumerDeps } from './event-consumer.ts';
import { pruneEvents } from './prune-events.ts';
import { drainAll } from './testing/drain-all.ts';
import { writeEvents } from './write-events.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await testPlatform();
});
afterEach(() => platform?.close());

const event = (objectId: string, clusterId = 'a'): NewDomainEvent => ({
  clusterId,
  scopeId: 's',
  kind: 'case.changed',
  objectId,
  actor: { userId: 'u1', name: 'Ana' },
  details: { to: 'CLOSED' },
  atMs: platform.clock.now(),
});
const act = (objectId: string, clusterId = 'a') =>
  platform.postgres.inTenant(clusterId, (trx) => writeEvents(trx, [event(objectId, clusterId)]));

/** A consumer that remembers what it got. */
function remembering(name = 'probe', handle?: EventConsumerDeps['handle']) {
  const got: DomainEvent[] = [];
  const { postgres, clock, log } = platform;
  const consumer = createEventConsumer({
    postgres,
    clock,
    log,
    name,
    handle: async (trx, events) => {
      await handle?.(trx, events);
      got.push(...events);
    },
  });
  return {
    consumer,
    drain: () => drainAll(postgres, consumer),
    objects: () => got.map((one) => one.objectId),
    got,
  };
}

describe('events and their consumers', () => {
  it('each consumer gets every event once, in order, of all tenants, from its own position', async () => {
    const first = remembering('first');
    const second = remembering('second');
    expect(await first.drain()).toBe(0);
    await act('one');
    await second.drain();
    await act('two', 'b');
    await act('three');
    expect(await first.drain()).toBe(3);
    expect(first.objects()).toEqual(['one', 'two', 'three']);
    expect(first.got[1]).toMatchObject({
      clusterId: 'b',
      actor: { userId: 'u1', name: 'Ana' },
      details: { to: 'CLOSED' },
    });
    // A new consumer begins with what comes.
    await second.drain();
    expect(second.objects()).toEqual(['two', 'three']);
    expect(await first.drain()).toBe(0);
  });

  it('what is rolled back never happened, and an event that becomes visible late is not passed over', async () => {
    const { consumer, drain, objects } = remembering();
    await drain();
    await expect(
      platform.postgres.inTenant('a', async (trx) => {
        await writeEvents(trx, [event('undone')]);
        throw new Error('half way');
      }),
    ).rejects.toThrow('half way');
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const slow = platform.postgres.inTenant('a', async (trx) => {
      await writeEvents(trx, [event('slow')]);
      written();
      await held;
    });
    await isWritten;
    await act('fast');
    // The smaller number is still hidden: neither may be taken.
    expect(await consumer.drain()).toBe(0);
    finish();
    await slow;
    await drain();
    expect(objects()).toEqual(['slow', 'fast']);
  });

  it('two processes share the work: no event is handled twice', async () => {
    const one = remembering();
    const two = remembering();
    await one.drain();
    for (let at = 0; at < 30; at += 1) await act(`o${at}`);
    await Promise.all([one.drain(), two.drain()]);
    await one.drain();
    const all = [...one.objects(), ...two.objects()];
    expect(all).toHaveLength(30);
    expect(new Set(all).size).toBe(30);
  });

  it('a failed batch leaves nothing behind and comes again; an event that always fails is left out and counted', async () => {
    const { consumer, objects } = remembering('probe', async (trx, events) => {
      await sql`insert into platform_setting (name, value) values (${`seen ${events[0]?.objectId}`}, 'true')`.execute(
        trx,
      );
      if (events.some((one) => one.objectId === 'bad')) throw new Error('cannot');
    });
    await consumer.drain();
    for (const id of ['good', 'bad', 'after']) await act(id);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await consumer.drain();
      platform.clock.set(platform.clock.now() + 600_000);
    }
    expect(objects()).toEqual(['good', 'after']);
    const seen = await sql<{
      name: string;
    }>`select name from platform_setting where name like 'seen%' order by name`.execute(
      platform.postgres.platform,
    );
    expect(seen.rows.map((row) => row.name)).toEqual(['seen after', 'seen good']);
    const { rows } = await sql`select given_up from event_consumer`.execute(platform.postgres.platform);
    expect(rows).toEqual([{ given_up: 1 }]);
  });

  it('a tenant sees its own events alone, and old handled ones go', async () => {
    const { drain } = remembering();
    await drain();
    await act('mine');
    await act('theirs', 'b');
    const seen = await platform.postgres.inTenant('a', (trx) =>
      sql`select object_id from domain_event`.execute(trx),
    );
    expect(seen.rows).toEqual([{ object_id: 'mine' }]);
    await expect(
      platform.postgres.inTenant('a', (trx) => writeEvents(trx, [event('planted', 'b')])),
    ).rejects.toThrow('row-level security');
    const later = platform.clock.now() + 8 * 86_400_000;
    expect(await pruneEvents(platform.postgres, later)).toBe(0);
    await drain();
    expect(await pruneEvents(platform.postgres, later)).toBe(2);
  });

  it('started, it handles what is written elsewhere without being asked', async () => {
    const { consumer, drain, objects } = remembering();
    await drain();
    await consumer.start();
    try {
      await act('news');
      await expect.poll(objects, { timeout: 15_000 }).toEqual(['news']);
    } finally {
      await consumer.stop();
    }
  });

  it('started, it holds on to nothing of the times that it slept', async () => {
    const { consumer, drain, objects } = remembering();
    await drain();
    const warned: string[] = [];
    const note = ({ name }: Error) => void warned.push(name);
    process.on('warning', note);
    await consumer.start();
    try {
      // More sleeps than Node lets listeners of one signal pile up without a word.
      for (let n = 1; n <= 20; n += 1) {
        await act(`news ${n}`);
        await expect.poll(() => objects().length, { timeout: 15_000 }).toBe(n);
      }
    } finally {
      await consumer.stop();
      process.off('warning', note);
    }
    expect(warned).not.toContain('MaxListenersExceededWarning');
  });
});
