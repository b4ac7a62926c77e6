import { describe, expect, it } from 'vitest';
import { lastOfList, MsgpackStream, MsgpackStreamError } from './msgpack-stream.ts';

/** Messages as MessagePack, from hexadecimal digits. */
const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (message: Uint8Array) =>
  [...message].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const MESSAGES = [
  'c0',
  // ["a", {"b": 1.5, "c": [true, nil]}]
  '92a16182a162cb3ff8000000000000a16392c3c0',
  // bin 8, str 16, ext 8, array 16, map 16
  'c4020102',
  'da00026869',
  'c703000a0b0c',
  'dc000201ff',
  'de0001a1610f',
  'd7000000000a00000001',
];

describe('MsgpackStream', () => {
  it('cuts messages wherever the stream is broken', () => {
    const all = MESSAGES.join('');
    for (let size = 1; size <= all.length / 2; size += 1) {
      const stream = new MsgpackStream(1_000);
      const found: string[] = [];
      const whole = bytes(all);
      for (let at = 0; at < whole.length; at += size)
        found.push(...stream.push(whole.subarray(at, at + size)).map(hexOf));
      expect(found).toEqual(MESSAGES);
      expect(stream.pendingBytes).toBe(0);
    }
  });

  it('refuses what is no MessagePack, and lengths and counts that lie', () => {
    expect(() => new MsgpackStream(100).push(bytes('c1'))).toThrow(MsgpackStreamError);
    // A list of four thousand million values, a text of as many bytes.
    expect(() => new MsgpackStream(100).push(bytes('ddffffffff'))).toThrow(MsgpackStreamError);
    const waiting = new MsgpackStream(100);
    expect(waiting.push(bytes('dbffffffff'))).toEqual([]);
    expect(() => waiting.push(new Uint8Array(100))).toThrow(MsgpackStreamError);
  });

  it('takes any depth without a stack', () => {
    const deep = new Uint8Array(1_000_001).fill(0x91);
    deep[1_000_000] = 0xc0;
    expect(new MsgpackStream(2_000_000).push(deep)).toHaveLength(1);
  });

  it('finds the last value of a list', () => {
    expect(hexOf(lastOfList(bytes('93a1619201a16281a16303')) ?? new Uint8Array())).toBe('81a16303');
    expect(lastOfList(bytes('90'))).toBeUndefined();
    expect(lastOfList(bytes('81a16303'))).toBeUndefined();
  });
});
