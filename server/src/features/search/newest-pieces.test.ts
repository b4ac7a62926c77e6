import { describe, expect, it } from 'vitest';
import { evenPieces, type GrowingRead, growingPieces, type Pieces } from './newest-pieces.ts';

const HOUR_MS = 3_600_000;
const DAY = { from: 0, to: 24 * HOUR_MS };
const wanted = (more: Partial<GrowingRead>) =>
  growingPieces({
    range: DAY,
    nowMs: DAY.to,
    rowLimit: 1_000,
    isFiltered: true,
    expected: async () => 5_000_000,
    ...more,
  });

/** All parts when each gives so many rows for each hour that it covers. */
async function parts(pieces: Pieces, rowsPerHour: number, most = 1_000) {
  const found: { from: number; to: number }[] = [];
  let rows = 0;
  for (let piece = await pieces.next(0); piece; piece = await pieces.next(rows)) {
    const { from, to } = piece.range ?? DAY;
    found.push({ from, to });
    rows += ((to - from) / HOUR_MS) * rowsPerHour;
    if (rows >= most) break;
  }
  return found;
}

describe('the parts of a range that is read newest first', () => {
  it('[R-E12] a rare word costs one query where the engine reads the range in a moment', async () => {
    expect(await parts(wanted({}), 0)).toEqual([DAY]);
  });

  it('[R-E12] a rare word costs one small part and one query for the rest among many events', async () => {
    const found = await parts(wanted({ expected: async () => 1_000_000_000 }), 0);
    expect(found).toHaveLength(2);
    const [first, rest] = found;
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBeLessThan(0.01 * DAY.to);
    expect(rest).toEqual({ from: 0, to: first?.from });
  });

  it('[R-E12] what is common stops after the newest part', async () => {
    const common = wanted({ expected: async () => 1_000_000_000 });
    expect(await parts(common, 1_000_000)).toHaveLength(1);
    const all = await parts(wanted({ isFiltered: false }), 5_000_000 / 24);
    expect(all).toHaveLength(1);
    expect((all[0]?.to ?? 0) - (all[0]?.from ?? 0)).toBeLessThan(0.01 * DAY.to);
  });

  it('[R-E12] what is uncommon takes parts as large as its hits say', async () => {
    const found = await parts(wanted({ expected: async () => 1_000_000_000 }), 500);
    expect(found.length).toBeLessThanOrEqual(4);
    expect(found.at(-1)?.from).toBeGreaterThan(0);
  });

  it.each([0, 7, 40, 900])('parts touch and cover the range when each hour gives %i rows', async (rows) => {
    const found = await parts(wanted({ expected: async () => 90_000_000 }), rows, Number.POSITIVE_INFINITY);
    expect(found[0]?.to).toBe(DAY.to);
    expect(found.at(-1)?.from).toBe(DAY.from);
    for (const [index, { to }] of found.slice(1).entries()) expect(to).toBe(found[index]?.from);
  });

  it('[S21] a read that takes everything goes by the hour', async () => {
    const found = await parts(evenPieces(DAY, DAY.to), 1, Number.POSITIVE_INFINITY);
    expect(found).toHaveLength(24);
    expect(found.at(-1)?.from).toBe(0);
  });

  it('takes a range that reaches beyond now from now on', async () => {
    const range = { from: 0, to: 1_000 * DAY.to };
    const [first] = await parts(wanted({ range, expected: async () => 100_000_000 }), 0);
    expect(first?.to).toBe(range.to);
    expect(DAY.to - (first?.from ?? 0)).toBeLessThan(DAY.to);
  });
});
