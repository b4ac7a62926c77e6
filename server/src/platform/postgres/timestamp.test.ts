import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { epochOf, type Timestamp, timestamp, timestampList, withTimestamps } from './timestamp.ts';

type MomentTables = { moment: { name: string; at: Timestamp; ended_at: Timestamp | null } };

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
  const { platform: db } = platform.postgres;
  await sql`create table moment (name text, at timestamptz not null, ended_at timestamptz)`.execute(db);
  await sql`create index moment_at on moment (at)`.execute(db);
});
afterAll(() => platform?.close());

const moments = () => platform.postgres.platform.withTables<MomentTables>();

/** Before 1970, in the first year and before it, of five digits; the first and the last day that both sides know. */
const MOMENTS = [
  0,
  1,
  -1,
  1_763_863_227_123,
  1_763_863_227_999,
  Date.UTC(1890, 0, 1, 12, 34, 56, 789),
  -62_135_596_800_000,
  -62_167_219_200_001,
  -210_866_803_200_000,
  253_402_300_800_000,
  8_639_999_913_600_000,
];

describe('points in time', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/St_Johns'])(
    'are the same milliseconds when they are read again, in %s too',
    async (timeZone) => {
      process.env.TZ = timeZone;
      const read = await platform.postgres.platform.transaction().execute(async (trx) => {
        await sql`select set_config('timezone', ${timeZone}, true)`.execute(trx);
        const one = trx.withTables<MomentTables>();
        await one.deleteFrom('moment').execute();
        for (const ms of MOMENTS)
          await one
            .insertInto('moment')
            .values(withTimestamps({ name: String(ms), at: ms, ended_at: null }, 'at', 'ended_at'))
            .execute();
        return one.selectFrom('moment').select(['name', 'at', 'ended_at']).orderBy('at').execute();
      });
      const sorted = [...MOMENTS].sort((a, b) => a - b);
      expect(read).toEqual(sorted.map((ms) => ({ name: String(ms), at: ms, ended_at: null })));
    },
  );

  it('beyond the days of both sides become the first or the last, so that a range may end there', async () => {
    const [first, last] = [timestamp(-8_640_000_000_000_000), timestamp(8_640_000_000_000_000)];
    const { rows } = await sql`select ${first} as first, ${last} as last`.execute(platform.postgres.platform);
    expect(rows).toEqual([{ first: -210_866_803_200_000, last: 8_639_999_913_600_000 }]);
  });

  it('compare, come as lists and as epoch milliseconds for arithmetic', async () => {
    await moments().deleteFrom('moment').execute();
    const at = [1_763_863_227_123, 1_763_863_227_124];
    await sql`insert into moment (name, at) select 'x', at from unnest(${timestampList(at)}) as at`.execute(
      platform.postgres.platform,
    );
    const rows = await moments()
      .selectFrom('moment')
      .select(['at', epochOf('at').as('ms')])
      .where('at', '>', timestamp(1_763_863_227_123))
      .execute();
    expect(rows).toEqual([{ at: 1_763_863_227_124, ms: 1_763_863_227_124 }]);
  });

  it('are looked up in the index of their column', async () => {
    const plan = await platform.postgres.platform.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return sql<Record<string, string>>`explain select from moment where at < ${timestamp(1)}`.execute(trx);
    });
    expect(JSON.stringify(plan.rows)).toMatch(/Index Cond: \(at </);
  });

  it('are columns of type timestamptz, and only what takes time is counted in milliseconds', async () => {
    const { rows } = await sql<{ name: string; type: string }>`
      select table_name || '.' || column_name as name, udt_name as type from information_schema.columns
      where table_schema = 'public' and column_name ~ '_(ms|at|until|since|start)$' order by 1`.execute(
      platform.postgres.platform,
    );
    expect(rows.filter(({ type }) => type !== 'timestamptz').map(({ name }) => name)).toEqual([
      'incident_case.on_hold_ms',
      'incident_case.worked_ms',
      'rule.last_duration_ms',
      'rule_hour.cpu_ms',
      'rule_hour.query_ms',
      'rule_preview_result.cpu_ms',
      'rule_preview_result.query_ms',
      'search_history.elapsed_ms',
      'search_task.engine_ms',
    ]);
    expect(rows.length).toBeGreaterThan(100);
  });
});
