import { expect, it } from 'vitest';
import { giveBackMemory } from './give-back-memory.ts';

it('[S07] takes their memory from bytes that have it for themselves', () => {
  const bytes = Buffer.alloc(1_000_000, 'x');
  giveBackMemory(bytes);
  expect(bytes.byteLength).toBe(0);
  giveBackMemory(bytes);
});

it('[S07] leaves bytes that share their memory with others as they are', () => {
  const whole = new Uint8Array(8).fill(7);
  giveBackMemory(whole.subarray(1));
  const shared = new Uint8Array(new SharedArrayBuffer(8)).fill(7);
  giveBackMemory(shared);
  expect([whole, shared]).toEqual([new Uint8Array(8).fill(7), new Uint8Array(8).fill(7)]);
});
