import { describe, expect, it } from 'vitest';
import { GelfChunks, GelfStream } from './gelf-frames.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (message: Uint8Array | undefined) => message && new TextDecoder().decode(message);

describe('GelfStream', () => {
  it('cuts behind null bytes wherever the stream is broken, and cuts what is too long', () => {
    const whole = bytes('{"a":1}\0\0{"b":2}\0{"c"');
    for (let size = 1; size <= whole.length; size += 1) {
      const stream = new GelfStream();
      const found: (string | undefined)[] = [];
      for (let at = 0; at < whole.length; at += size)
        found.push(...stream.push(whole.subarray(at, at + size)).map((message) => text(message.bytes)));
      expect(found).toEqual(['{"a":1}', '{"b":2}']);
      expect(stream.pendingBytes).toBe(4);
      expect(stream.end()).toHaveLength(1);
    }
    const long = new GelfStream();
    long.push(new Uint8Array(3_000_000).fill(65));
    expect(long.push(bytes('\0'))).toMatchObject([{ length: 3_000_000, bytes: { length: 1024 * 1024 } }]);
  });
});

/** One chunk: number of so many. */
function chunk(id: number, number: number, count: number, content: string): Uint8Array {
  return Uint8Array.from([0x1e, 0x0f, id, 0, 0, 0, 0, 0, 0, 0, number, count, ...bytes(content)]);
}

describe('GelfChunks', () => {
  it('joins chunks in any order, for each sender and message, and ignores one that comes twice', () => {
    const chunks = new GelfChunks();
    expect(text(chunks.push(bytes('{}'), 'a', 0).message)).toBe('{}');
    expect(chunks.push(chunk(1, 1, 3, 'mid'), 'a', 1)).toEqual({ lost: [] });
    expect(chunks.push(chunk(1, 1, 3, 'xxx'), 'a', 1).message).toBeUndefined();
    expect(chunks.push(chunk(1, 0, 3, 'other'), 'b', 2).message).toBeUndefined();
    expect(chunks.push(chunk(1, 2, 3, 'end'), 'a', 3).message).toBeUndefined();
    expect(text(chunks.push(chunk(1, 0, 3, 'begin'), 'a', 4).message)).toBe('beginmidend');
  });

  it('says whose messages are lost: unfinished for five seconds, impossible, or too many at once', () => {
    const chunks = new GelfChunks();
    chunks.push(chunk(1, 0, 2, 'x'), 'a', 0);
    chunks.push(chunk(2, 0, 2, 'x'), 'b', 4_000);
    expect(chunks.push(bytes('{}'), 'c', 5_000).lost).toEqual(['a']);
    expect(chunks.push(chunk(3, 5, 2, 'x'), 'd', 5_000).lost).toEqual(['d']);
    expect(chunks.push(chunk(3, 0, 200, 'x'), 'd', 5_000).lost).toEqual(['d']);
    const flood = new GelfChunks();
    let lost = 0;
    for (let n = 0; n < 5_000; n += 1) lost += flood.push(chunk(n % 256, 0, 2, 'x'), `s${n}`, 0).lost.length;
    expect(lost).toBe(5_000 - 4_096);
    expect(flood.expire(6_000)).toHaveLength(4_096);
  });
});
