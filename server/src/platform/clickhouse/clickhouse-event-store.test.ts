import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

interface Row {
  readonly Scope: string;
  readonly Raw: string;
}

const lines = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      JSON.stringify({
        TimeGenerated: '2026-01-02T03:04:05.678Z',
        EventUid: randomUUID(),
        Stream: 'Generic',
        ...row,
      }),
    )
    .join('\n');

describe('the event store', () => {
  let platform: TestPlatform;
  let clusterId: string;
  beforeAll(async () => {
    platform = await testPlatform();
    clusterId = await platform.newTenant();
    await platform.eventStore.insertRows(
      clusterId,
      Buffer.from(lines([...'ab'].map((scope) => ({ Scope: scope, Raw: `of ${scope}` })))),
      { dedupToken: 'first' },
    );
  });
  afterAll(() => platform.close());

  const count = async (cluster: string, scopes: readonly string[] | 'all' = 'all') =>
    Number(
      (await platform.eventStore.rows(cluster, { sql: 'select count() from events', scopes })).rows[0]?.[0],
    );

  it('stores a batch once, however often it is sent', async () => {
    const body = lines([{ Scope: 'c', Raw: 'it\'s \\ "quoted"\nnewline' }]);
    for (const attempt of [1, 2, 3]) {
      const sent = attempt === 2 ? Readable.from([Buffer.from(body)]) : Buffer.from(body);
      await platform.eventStore.insertRows(clusterId, sent, { dedupToken: 'again' });
    }
    expect(await count(clusterId, ['c'])).toBe(1);
  });

  it('lets the engine itself filter by scope', async () => {
    expect(await count(clusterId, ['a'])).toBe(1);
    expect(await count(clusterId, ["a' or 1=1 --"])).toBe(0);
    expect(await count(clusterId, [])).toBe(0);
  });

  it('keeps tenants in databases of their own', async () => {
    const other = await platform.newTenant();
    expect(await count(other)).toBe(0);
    await expect(platform.eventStore.query('../x', { sql: 'select 1', scopes: 'all' })).rejects.toThrow(
      'not a cluster id',
    );
  });

  it.each([
    ["select * from url('http://127.0.0.1:1/', CSV)", 497],
    ["select * from file('/etc/passwd', CSV)", 497],
    ["insert into events (Raw) values ('x')", 497],
    ['drop table events', 497],
    ['select throwIf(number = 3) from numbers(10)', 395],
    ['select throwIf(number = 300000) from numbers(1000000)', 395],
    ['select nonsense', 47],
    ['select 1 settings max_memory_usage = 1000000000000', 452],
  ])('refuses as an error of the engine: %s', async (statement, code) => {
    await expect(
      platform.eventStore.rows(clusterId, { sql: statement, scopes: 'all' }),
    ).rejects.toMatchObject({
      name: 'EventStoreError',
      code,
    });
  });

  it('passes values as typed parameters', async () => {
    const value = 'a\'b"c\\d\ne\tf {p1:String} 日本';
    const { rows } = await platform.eventStore.rows(clusterId, {
      sql: 'select {p0:String}, {p1:Array(String)}, {p2:Nullable(Int64)}',
      params: { p0: value, p1: [value, ''], p2: null },
      scopes: 'all',
    });
    expect(rows).toEqual([[value, [value, ''], null]]);
  });

  it('takes parameters of half a megabyte', async () => {
    const many = Array.from({ length: 20_000 }, (_one, index) => `value number ${index}`);
    const { rows } = await platform.eventStore.rows(clusterId, {
      sql: 'select length({p0:Array(String)})',
      params: { p0: many },
      scopes: 'all',
    });
    expect(Number(rows[0]?.[0])).toBe(many.length);
  });

  it('reports progress and streams rows in batches', async () => {
    const seen: number[] = [];
    const answer = await platform.eventStore.query(clusterId, {
      sql: 'select number from numbers(300000)',
      scopes: 'all',
      onProgress: (progress) => seen.push(progress.rowsRead),
    });
    let rows = 0;
    for await (const batch of answer.batches) rows += batch.length;
    expect(rows).toBe(300_000);
    expect(seen.at(-1)).toBe(300_000);
    expect(answer.columns).toEqual([{ name: 'number', type: 'UInt64' }]);
  });

  const running = async (queryId: string) => {
    const found = await platform.eventStore.systemRows(
      'select query_id from system.processes where query_id = {id:String}',
      { id: queryId },
    );
    return found.length;
  };

  const slow = 'select sum(sleepEachRow(0.01)) from numbers(100000) settings max_block_size = 10';

  it('ends an aborted query on the engine', async () => {
    const queryId = randomUUID();
    const controller = new AbortController();
    const asked = platform.eventStore
      .rows(clusterId, { sql: slow, scopes: 'all', queryId, signal: controller.signal })
      .catch((error: Error) => error);
    while ((await running(queryId)) === 0) await sleep(20);
    controller.abort();
    // How soon is what bench/cancel-query.ts measures; on its own it would end in a quarter of an hour.
    await expect.poll(() => running(queryId), { timeout: 60_000, interval: 10 }).toBe(0);
    expect(await asked).toBeInstanceOf(Error);
  });

  it('cancels a query by its id', async () => {
    const queryId = randomUUID();
    const asked = platform.eventStore
      .rows(clusterId, { sql: slow, scopes: 'all', queryId })
      .catch((error: Error) => error);
    while ((await running(queryId)) === 0) await sleep(20);
    expect(await platform.eventStore.cancel(queryId)).toBe(true);
    expect(await asked).toMatchObject({ name: 'EventStoreError', code: 394 });
    expect(await platform.eventStore.cancel(queryId)).toBe(false);
  });
});
