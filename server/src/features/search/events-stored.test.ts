import { describe, expect, it } from 'vitest';
import { createEventsStored } from './events-stored.ts';

// How often the engine is asked how much there is to read.

const HOUR_MS = 3_600_000;
const query = async () => ({ sql: 'SELECT 1 FROM events', params: {}, settings: {}, scopes: ['main'] });

/** An engine with so many events at all and in the range, that counts its questions. */
function engine(all: number, inRange: number) {
  const asked: string[] = [];
  const columns = [{ name: 'rows', type: 'UInt64' }];
  let now = 0;
  const stored = createEventsStored(
    {
      rowsOfEach: async (_tenant, { sql }) => {
        asked.push(sql);
        return { columns, rows: [[sql.includes('SELECT Scope') ? all : inRange]] };
      },
    },
    () => now,
  );
  return {
    stored,
    asked,
    later: (ms: number) => {
      now += ms;
    },
  };
}

describe('how many events a query would read', () => {
  it('[T-asking] the newest rows of a table are asked for without asking again how densely they lie', async () => {
    const { stored, asked, later } = engine(1_000_000, 240_000);
    const every = { of: 'Dns', spanMs: 24 * HOUR_MS };
    for (let round = 0; round < 5; round += 1)
      expect(await stored.toRead('t', { query, few: 800, every })).toBeCloseTo(240_000, -1);
    expect(asked).toHaveLength(2);
    const hour = { of: 'Dns', spanMs: HOUR_MS };
    expect(await stored.toRead('t', { query, few: 800, every: hour })).toBeCloseTo(10_000, -1);
    expect(asked).toHaveLength(2);
    await stored.toRead('t', { query, few: 800, every: { ...every, of: 'Other' } });
    await stored.toRead('other tenant', { query, few: 800, every });
    expect(asked).toHaveLength(5);
    later(61_000);
    await stored.toRead('t', { query, few: 800, every });
    expect(asked).toHaveLength(7);
  });

  it('[R-E12] what filters is asked for each time, and nothing is where the tenant has little', async () => {
    const { stored, asked } = engine(1_000_000, 7);
    for (let round = 0; round < 3; round += 1) expect(await stored.toRead('t', { query, few: 800 })).toBe(7);
    expect(asked).toHaveLength(4);
    expect(await stored.toRead('t', { query, few: 2_000_000 })).toBe(1_000_000);
    expect(asked).toHaveLength(4);
  });
});
