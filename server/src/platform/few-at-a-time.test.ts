import { describe, expect, it } from 'vitest';
import { fewAtATime } from './few-at-a-time.ts';

/** Work that waits until the test lets it end. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, { done: () => void; fail: (error: Error) => void }>();
  const work = (item: string) =>
    new Promise<string>((resolve, reject) => {
      begun.push(item);
      ends.set(item, { done: () => resolve(item.toUpperCase()), fail: reject });
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, ends, work, settled };
}

describe('working on a few at a time', () => {
  it('begins the next when one ends, and keeps the order of the items', async () => {
    const { begun, ends, work, settled } = held();
    const all = fewAtATime(['a', 'b', 'c'], 2, work);
    expect(begun).toEqual(['a', 'b']);
    ends.get('b')?.done();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.get('c')?.done();
    ends.get('a')?.done();
    expect(await all).toEqual(['A', 'B', 'C']);
  });

  it('fails with the first failure, and begins nothing more', async () => {
    const { begun, ends, work, settled } = held();
    const all = fewAtATime(['a', 'b', 'c', 'd'], 2, work);
    ends.get('a')?.fail(new Error('no answer'));
    await expect(all).rejects.toThrow('no answer');
    ends.get('b')?.done();
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('gives nothing for no items', async () => {
    expect(await fewAtATime([], 4, () => Promise.reject(new Error('never asked')))).toEqual([]);
  });
});
