import { describe, expect, it } from 'vitest';
import { evtxLines, isEvtx } from './evtx-lines.ts';

async function linesOf(bytes: Buffer, size: number): Promise<string[]> {
  async function* stream() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const lines: string[] = [];
  for await (const part of evtxLines(stream())) lines.push(...part.toString().trim().split('\n'));
  return lines;
}

describe('event logs of Windows', () => {
  it('are known by their beginning, and say what of them cannot be read instead of leaving it out', async () => {
    const head = Buffer.alloc(4_096);
    head.write('ElfFile\0', 'latin1');
    expect(isEvtx(head)).toBe(true);
    expect(isEvtx(Buffer.from('{"a":1}'))).toBe(false);
    const broken = Buffer.alloc(65_536, 7);
    const empty = Buffer.alloc(65_536);
    for (const size of [1_000, 65_536, 1_000_000]) {
      const lines = await linesOf(Buffer.concat([head, broken, empty, Buffer.from('cut')]), size);
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        { EvtxFault: 'not a chunk of an event log' },
        { EvtxFault: 'the file ends within a chunk: 3 bytes are left' },
      ]);
    }
  });
});
