import { getPriority } from 'node:os';
import { readRowBlocks } from '@tyrian/ingest';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { mayRestorePriority } from '../../platform/thread-priority.ts';
import { createDecodePool, type DecodePool } from './decode-pool.ts';
import type { RowChunk } from './ingest-batch.ts';

// What happens when content ends a decoding thread all the same: no neighbour pays for it, and no row is lost or doubled.

let pool: DecodePool;
afterEach(() => pool.close());

const frail = (silentMs?: number) =>
  createDecodePool({
    log: createLog('silent'),
    size: 1,
    script: new URL('./testing/frail-decode-worker.mjs', import.meta.url),
    ...(silentMs === undefined ? {} : { silentMs }),
  });

async function decode(text: string, clusterId = 'a', scopeId = 's') {
  const chunks: RowChunk[] = [];
  const result = await pool.decode(
    {
      clusterId,
      format: 'lines',
      body: Buffer.from(text),
      isGzip: false,
      hints: {},
      scopeId,
      sourceName: 'n',
      sourceAddress: '',
      batchId: '0123456789abcdef',
      receivedMs: 1_767_225_600_000,
    },
    (chunk) => chunks.push(chunk),
  );
  const rows = chunks.flatMap(({ body }) => readRowBlocks(body));
  return {
    chunks,
    result,
    raws: rows.map((row) => row.Raw),
    statuses: new Set(rows.map((row) => row.ParseStatus)),
  };
}

const good = (name: string) => Array.from({ length: 30 }, (_, n) => `{"of":"${name}","n":${n}}`);

it('[S06] a thread that ends costs no neighbour in it a row, and what ended it is stored once', async () => {
  pool = frail();
  const bad = [...good('bad'), '{"x":"END-THREAD"}'];
  const [a, poisoned, b] = await Promise.all([
    decode(good('a').join('\n')),
    decode(bad.join('\n')),
    decode(good('b').join('\n')),
  ]);
  expect(a.raws).toEqual(good('a'));
  expect(b.raws).toEqual(good('b'));
  expect([...b.statuses]).toEqual(['NLF']);
  expect(poisoned.raws).toEqual(bad);
  expect(poisoned.result).toMatchObject({ report: { counts: { received: 31, stored: 31 } } });
  expect((await decode('{"after":1}')).raws).toEqual(['{"after":1}']);
});

it('[S06] what cannot even be kept as text is refused, and not tried for ever', async () => {
  pool = frail();
  const { result } = await decode('END-ALWAYS');
  expect(result).toMatchObject({ fault: { fault: 'undecodable' } });
  expect((await decode('{"after":1}')).raws).toEqual(['{"after":1}']);
});

it('[S06] a thread that hangs is ended, and its bodies are read by others', async () => {
  pool = frail(3_000);
  const [hung, neighbour] = await Promise.all([decode('{"x":"HANG-THREAD"}'), decode('{"y":1}')]);
  expect(hung.raws).toEqual(['{"x":"HANG-THREAD"}']);
  expect(neighbour.raws).toEqual(['{"y":1}']);
});

/** Which thread read a body, and with which priority it ended. */
async function readBy(text: string, clusterId = 'a'): Promise<{ thread: number; priority: number }> {
  const { result } = await decode(text, clusterId);
  return JSON.parse('fault' in result ? result.fault.message : '');
}

const named = (size: number) =>
  createDecodePool({
    log: createLog('silent'),
    size,
    script: new URL('./testing/named-decode-worker.mjs', import.meta.url),
  });

it('[S06] no body waits for a thread that starts while there is another', async () => {
  pool = named(2);
  const first = await readBy('one');
  const together = await Promise.all([readBy('two'), readBy('three')]);
  expect(new Set(together.map(({ thread }) => thread))).toEqual(new Set([first.thread]));
  await expect
    .poll(
      async () => new Set((await Promise.all([readBy('a'), readBy('b')])).map(({ thread }) => thread)).size,
    )
    .toBe(2);
});

describe.runIf(process.platform === 'linux' && mayRestorePriority())('behind everything else', () => {
  const LARGE = 'x'.repeat(64 * 1024);
  const ordinary = getPriority();
  const behind = Math.max(15, ordinary);

  it('[S06] go a tenant whose bodies keep the threads busy, even with faults, and a large body', async () => {
    pool = named(1);
    expect((await readBy('one', 'busy')).priority).toBe(ordinary);
    expect((await readBy('two', 'busy')).priority).toBe(behind);
    expect((await readBy('one', 'quiet')).priority).toBe(ordinary);
    expect((await readBy(LARGE, 'another')).priority).toBe(behind);
  });

  it('[S06] goes no body while one that does not give way waits for its thread', async () => {
    pool = named(1);
    await readBy('one', 'first');
    const [large, small] = await Promise.all([readBy(LARGE, 'second'), readBy('small', 'third')]);
    expect([large.priority, small.priority]).toEqual([ordinary, ordinary]);
  });
});

it('uses the memory of large blocks again once it was given back, for rows of the same scope only', async () => {
  pool = createDecodePool({ log: createLog('silent'), size: 1 });
  const large = (name: string) => `{"${name}":"${name.repeat(400_000)}"}`;
  const memoryOf = async (name: string, scopeId: string) => {
    const { chunks, raws } = await decode(large(name), 'a', scopeId);
    expect(raws).toEqual([large(name)]);
    const [chunk] = chunks;
    if (chunk === undefined || chunks.length > 1) throw new Error(`${chunks.length} chunks`);
    return chunk;
  };
  const first = await memoryOf('a', 'one');
  const text = () => Buffer.from(first.body).toString('latin1');
  // Not given back yet: nobody else gets it.
  await memoryOf('b', 'one');
  expect(text()).toContain('aaaa');
  first.giveBack?.();
  await memoryOf('c', 'other');
  expect(text()).toContain('aaaa');
  await memoryOf('d', 'one');
  expect(text()).not.toContain('aaaa');
  expect(text()).toContain('dddd');
  // Small blocks are moved.
  const { chunks } = await decode('{"small":1}');
  expect(chunks.map(({ body, giveBack }) => [body.buffer instanceof ArrayBuffer, giveBack])).toEqual([
    [true, undefined],
  ]);
});
