import { setTimeout as pause } from 'node:timers/promises';
import { RowBlock } from '@tyrian/ingest';
import { expect, it, vi } from 'vitest';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import { createLog } from '../../platform/log.ts';
import type { RowChunk } from './ingest-batch.ts';
import { createInsertGroups } from './insert-groups.ts';
import type { Spool } from './spool.ts';

// When rows of several batches become one insert.

function collectingGroups() {
  const inserts: string[] = [];
  let release: () => void = () => undefined;
  const held = { until: Promise.resolve() };
  const eventStore = {
    insertRows: async (_clusterId: string, body: AsyncIterable<Uint8Array>) => {
      let text = '';
      for await (const part of body) text += Buffer.from(part).toString();
      inserts.push(text);
      await held.until;
    },
  } as unknown as EventStore;
  const spool = { isEmpty: () => true } as unknown as Spool;
  return {
    inserts,
    groups: createInsertGroups({ eventStore, spool, log: createLog('silent') }),
    /** Inserts are answered no more until the answer is called. */
    hold: () => {
      held.until = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

const rows = (name: string, count = 1): RowChunk => ({
  body: new Uint8Array(Buffer.from(name)),
  rows: count,
  upTo: count,
});

it('[S11] rows wait for batches of their tenant that are being decoded, and not for those of others', async () => {
  const { groups, inserts } = collectingGroups();
  const [first, second, other] = [groups.expect('a'), groups.expect('a'), groups.expect('b')];
  const added = [groups.add('a', rows('1'))];
  first();
  await pause(50);
  expect(inserts).toEqual([]);
  added.push(groups.add('a', rows('2')));
  second();
  expect(await Promise.all(added)).toEqual(['stored', 'stored']);
  expect(inserts).toEqual(['12']);
  other();
});

it('[S11] rows wait half a second for a batch that takes long to decode, and no longer', async () => {
  vi.useFakeTimers();
  try {
    const { groups, inserts } = collectingGroups();
    groups.expect('a');
    const added = groups.add('a', rows('1'));
    await vi.advanceTimersByTimeAsync(499);
    expect(inserts).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(await added).toBe('stored');
  } finally {
    vi.useRealTimers();
  }
});

it('[S11] many rows wait for nothing, and few only for the insert before them', async () => {
  const { groups, inserts, hold } = collectingGroups();
  const done = groups.expect('a');
  const answer = hold();
  const many = groups.add('a', rows('many', 25_000));
  await vi.waitFor(() => expect(inserts).toEqual(['many']));
  done();
  const few = groups.add('a', rows('few'));
  await pause(50);
  expect(inserts).toEqual(['many']);
  answer();
  expect(await Promise.all([many, few])).toEqual(['stored', 'stored']);
  expect(inserts).toEqual(['many', 'few']);
  expect(groups.pendingBytes()).toBe(0);
  await groups.drain();
});

it('[S11] batches that come closely, one by one, are inserted together', async () => {
  vi.useFakeTimers();
  try {
    const { groups, inserts } = collectingGroups();
    const added: Promise<unknown>[] = [];
    for (let batch = 0; batch < 40; batch += 1) {
      const done = groups.expect('a');
      added.push(groups.add('a', rows('x')));
      done();
      await vi.advanceTimersByTimeAsync(200);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(added);
    expect(inserts.join('')).toHaveLength(40);
    expect(inserts.length).toBeLessThan(20);
  } finally {
    vi.useRealTimers();
  }
});

it('gives memory back when the engine took the rows whole, and after no other answer', async () => {
  const answers: EventStoreError[] = [];
  const eventStore = {
    insertRows: async () => {
      const refusal = answers.shift();
      if (refusal) throw refusal;
    },
  } as unknown as EventStore;
  const spooled: string[] = [];
  const spool = {
    isEmpty: () => true,
    add: async (_clusterId: string, token: string) => spooled.push(token),
  } as unknown as Spool;
  const groups = createInsertGroups({ eventStore, spool, log: createLog('silent') });
  const given: string[] = [];
  const block = new RowBlock().take();
  const add = (name: string) =>
    groups.add('a', { body: block, rows: 1, upTo: 1, giveBack: () => given.push(name) });
  expect(await add('whole')).toBe('stored');
  // Refused at first and stored anew: the answer may have come before all was sent.
  answers.push(new EventStoreError(117, 'INCORRECT_DATA'));
  expect(await add('around bad rows')).toBe('stored');
  answers.push(new EventStoreError(0, 'connection refused'));
  expect(await add('away')).toBe('spooled');
  expect([given, spooled.length]).toEqual([['whole'], 1]);
});
