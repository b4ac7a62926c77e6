import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { insertEvents } from './testing/insert-events.ts';

// A table that a query names several times is computed once: the engine reads its events once.

const EVENTS = 5000;
const schema = eventSchema([]);
let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await insertEvents(platform.eventStore, clusterId, EVENTS, (n) => ({
    TimeGenerated: Date.UTC(2026, 0, 1) + n * 1000,
    Scope: 's1',
    Stream: 'Dns',
    ActorUsername: `user${n % 10}`,
    SrcHostname: `host${n % 7}`,
  }));
});
afterAll(() => platform?.close());

async function run(kql: string, scopes: readonly string[] = ['s1']) {
  const compiled = compileKql(kql, { schema, now: new Date(), unknownColumns: 'warn' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const boundary = { database: `tenant_${clusterId}`, scopes: ['s1'] };
  const printed = printQuery(scopeToTenant(compiled.plan, boundary));
  let read = 0;
  const answer = await platform.eventStore.query(clusterId, {
    sql: printed.sql,
    params: printed.params,
    settings: printed.settings,
    scopes,
    onProgress: ({ rowsRead }) => {
      read = Math.max(read, rowsRead);
    },
  });
  const rows: unknown[] = [];
  for await (const batch of answer.batches) rows.push(...batch.map((row) => decodeRow(printed.columns, row)));
  return { rows, read, sql: printed.sql };
}

const GROUPED = 'let T = Dns | summarize n = count() by ActorUsername;';

describe('a table that is named several times', () => {
  it.each([
    [
      'join',
      `${GROUPED} T | join kind=inner (T | project ActorUsername, m = n) on ActorUsername | count`,
      [[10]],
    ],
    ['union', `${GROUPED} union T, T, T | count`, [[30]]],
    [
      'in',
      `${GROUPED} T | where ActorUsername in ((T | where n > 0 | project ActorUsername)) | count`,
      [[10]],
    ],
    [
      'toscalar',
      `${GROUPED} let all = toscalar(T | summarize sum(n)); T | extend whole = all | summarize sum(n), max(whole)`,
      [[EVENTS, EVENTS]],
    ],
    [
      'materialize of rows',
      'let T = materialize(Dns | extend r = rand()); T | where r == toscalar(T | summarize max(r)) | count',
      [[1]],
    ],
    [
      'a table within a table',
      `${GROUPED} let U = T | where n > 0 | top 3 by ActorUsername asc; union U, U, T | count`,
      [[16]],
    ],
  ])('is read once: %s', async (_, kql, rows) => {
    const result = await run(kql);
    expect(result.rows).toEqual(rows);
    // Beside the events only the kept rows are read.
    expect(result.read).toBeGreaterThanOrEqual(EVENTS);
    expect(result.read).toBeLessThan(kql.includes('rand()') ? 4 * EVENTS : EVENTS + 100);
  });

  it('is put in its place when it is named once, or when its uses filter stored events', async () => {
    expect((await run(`${GROUPED} T | count`)).sql).not.toContain('MATERIALIZED');
    const filtered = await run(
      'let T = Dns | where n_ == 1 or SrcHostname != ""; T | where ActorUsername == "user1" | join kind=inner (T | where ActorUsername == "user2" | take 1) on SrcHostname | count',
    );
    expect(filtered.sql).not.toContain('MATERIALIZED');
  });

  it('is held by the second lock on scopes as well', async () => {
    const result = await run(`${GROUPED} union T, T | count`, ['another']);
    expect(result.rows).toEqual([[0]]);
  });
});
