import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { createArrivalMarks } from './arrival-marks.ts';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
let platform: TestPlatform;

beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform?.close());
beforeEach(() =>
  platform.postgres.inTenant('c', (trx) => sql`delete from arrival_mark where cluster_id = 'c'`.execute(trx)),
);

const marks = () =>
  platform.postgres.inTenant('c', async (trx) => {
    const { rows } = await sql<{ scope_id: string; range_from: number; range_to: number }>`
      select scope_id, range_from, range_to from arrival_mark where cluster_id = 'c'`.execute(trx);
    return rows;
  });
/** Writes of marks meanwhile. */
const writesOf = async (work: () => Promise<unknown>): Promise<number> => {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const writes = spy.mock.calls.filter(([text]) => JSON.stringify(text).includes('insert into arrival_mark'));
  spy.mockRestore();
  return writes.length;
};
const isMarked = async (scopeId: string, ms: number) =>
  (await marks()).some((mark) => mark.scope_id === scopeId && mark.range_from <= ms && mark.range_to > ms);

describe('marks of arrivals', () => {
  it('are on disk before the promise resolves, for every ingest time, old ones too', async () => {
    const arrivals = createArrivalMarks(platform.postgres);
    for (const ms of [T0, T0 + 4 * MINUTE, T0 + 30 * MINUTE, T0 - 600 * MINUTE, T0 + 31 * MINUTE]) {
      await arrivals.expect('c', 's', ms);
      expect(await isMarked('s', ms)).toBe(true);
    }
  });

  it('cost a scope that receives all the time one row and a write every few minutes', async () => {
    const arrivals = createArrivalMarks(platform.postgres);
    const writes = await writesOf(async () => {
      for (let second = 0; second < 3600; second += 1) {
        const ms = T0 + second * 1000;
        await arrivals.expect('c', 's', ms);
        // The prolonging goes on behind.
        const isAhead = async () => expect(await isMarked('s', ms + MINUTE)).toBe(true);
        if (second % 60 === 0) await vi.waitFor(isAhead, 30_000);
      }
    });
    expect(writes).toBeLessThan(60);
    expect(await marks()).toHaveLength(1);
    expect(await isMarked('s', T0 + 3599_000)).toBe(true);
  });

  it('of many scopes at once are written together', async () => {
    const arrivals = createArrivalMarks(platform.postgres);
    const scopes = Array.from({ length: 500 }, (_, n) => `s${n}`);
    const writes = await writesOf(() => Promise.all(scopes.map((scope) => arrivals.expect('c', scope, T0))));
    expect(writes).toBe(1);
    expect(await marks()).toHaveLength(500);
  });

  it('are refused, not assumed, while they cannot be written', async () => {
    const arrivals = createArrivalMarks({ ...platform.postgres, platform: broken() });
    await expect(arrivals.expect('c', 's', T0)).rejects.toThrow('no database');
    expect(await marks()).toEqual([]);
  });
});

function broken(): TestPlatform['postgres']['platform'] {
  const failing = { transaction: () => ({ execute: () => Promise.reject(new Error('no database')) }) };
  return failing as unknown as TestPlatform['postgres']['platform'];
}
