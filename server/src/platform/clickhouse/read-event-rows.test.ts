import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readEventRows } from './read-event-rows.ts';
import { createResultMemory, RESULT_MEMORY_LIMITS } from './result-memory.ts';

const KIB = 1024;
const META = '{"meta":[{"name":"x","type":"String"}]}\n';

/** An answer whose only row is as long as wanted, made a chunk at a time; counts what was asked for. */
function hugeAnswer(rowBytes: number) {
  const sent = { bytes: 0 };
  function* chunks() {
    yield Buffer.from(`${META}{"row":["`);
    for (; sent.bytes < rowBytes; sent.bytes += 64 * KIB) yield Buffer.alloc(64 * KIB, 'x');
    yield Buffer.from('"]}\n');
  }
  return { sent, stream: Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * KIB }) };
}

async function rowsOf(reader: ReturnType<typeof readEventRows>): Promise<(readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const batch of reader.batches) rows.push(...batch);
  return rows;
}

describe('reading rows of the engine', () => {
  it('[S08] stops at a row beyond the limit, holds no more of it, and closes the stream', async () => {
    const memory = createResultMemory({ ...RESULT_MEMORY_LIMITS, rowBytes: 512 * KIB });
    const { sent, stream } = hugeAnswer(300 * KIB * KIB);
    const reader = readEventRows(stream, undefined, { memory, tenant: 'a' });
    expect(await reader.columns()).toEqual([{ name: 'x', type: 'String' }]);
    await expect(rowsOf(reader)).rejects.toMatchObject({
      kind: 'bad-input',
      message: expect.stringContaining('A row of the result is larger than 0.5 MiB, the limit for one row'),
      details: { limit: 'row_bytes', allowed: 512 * KIB },
    });
    expect(sent.bytes).toBeLessThan(1024 * KIB);
    expect(memory.peakBytes()).toBeLessThanOrEqual(512 * KIB);
    expect(memory.heldBytes()).toBe(0);
    expect(stream.destroyed).toBe(true);
  });

  it('[S08] reads a row within the limit, and gives its memory back', async () => {
    const memory = createResultMemory();
    const { stream } = hugeAnswer(4 * KIB * KIB);
    const [row] = await rowsOf(readEventRows(stream, undefined, { memory, tenant: 'a' }));
    expect(String(row?.[0])).toHaveLength(4 * KIB * KIB);
    expect(memory.peakBytes()).toBeGreaterThan(4 * KIB * KIB);
    expect(memory.heldBytes()).toBe(0);
  });
});

describe('the memory of results', () => {
  it('[S08] holds small answers of everybody, however much one tenant holds', () => {
    const MIB = KIB * KIB;
    const limits = { rowBytes: MIB, resultBytes: 8 * MIB, tenantBytes: 12 * MIB, processBytes: 20 * MIB };
    const memory = createResultMemory(limits);
    const first = memory.hold('a');
    expect(() => first.set(9 * MIB)).toThrow('The result is larger than 8 MiB');
    first.set(8 * MIB);
    expect(() => memory.hold('a').set(5 * MIB)).toThrow(
      'Large results of other queries use all the result memory',
    );
    memory.hold('b').set(8 * MIB);
    expect(() => memory.hold('c').set(5 * MIB)).toThrow(
      'Large results of other queries use all the result memory',
    );
    memory.hold('a').set(MIB);
    memory.hold('c').set(MIB);
    expect(memory.heldBytes()).toBe(18 * MIB);
    first.release();
    expect(memory.heldBytes()).toBe(10 * MIB);
    memory.hold('c').set(5 * MIB);
  });
});
