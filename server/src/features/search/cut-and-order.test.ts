import {
  forgetSearches,
  type InputOf,
  invokeJob,
  listSearchHistory,
  searchHistogram,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { evenPieces } from './newest-pieces.ts';
import { runPieces } from './run-pieces.ts';
import { insertEvents } from './testing/insert-events.ts';

// Where a result is cut, in which order it comes, and what is told of it.

const NOW = Date.UTC(2026, 5, 10, 12);
const EVENTS = 3000;
let server: TestApp;
let company: Company;
let ssid: string;

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  ssid = await company.signIn('engineer');
  await insertEvents(server.platform.eventStore, company.a.clusterId, EVENTS, (index) => {
    const n = index + 1;
    return {
      Scope: company.a.scope,
      Stream: 'Dns',
      TimeGenerated: NOW - n * 20_000,
      DvcHostname: n % 5 === 0 ? '' : `host${n % 700}`,
      EventID: n,
      Ext: n % 2 === 0 ? { size: n } : {},
      Raw: `event number ${n}`,
    };
  });
});
afterAll(() => server?.close());

const asked = (query: string, rest: object = {}) => ({
  scope_id: company.a.scope,
  query,
  from: 'now-24h',
  to: 'now',
  ...rest,
});

async function search(query: string, rest: object = {}) {
  const params = { clusterId: company.a.clusterId };
  const input = { job_type: 'kql', ...asked(query, rest) } as InputOf<typeof invokeJob>;
  const taskid = (await server.call(invokeJob, { ssid, params, input })).data[0]?.id ?? '';
  for (;;) {
    const { body } = await server.call(taskState, { ssid, params: { ...params, taskid } });
    if (body.task_stage === 'EXECUTED') break;
    if (body.task_stage === 'FAILURE') throw new Error(body.message);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const page = { form: 'rows', pagesize: 10_000 } as const;
  return (await server.call(taskResult, { ssid, params: { ...params, taskid }, input: page })).body;
}

const cut = async (query: string, rest: object = {}) => {
  const { total_count, truncated } = await search(query, rest);
  return [total_count, truncated];
};

describe('rows that a search keeps', () => {
  it('[R-C2] are the first 1,000 of events, all that the query takes, and all groups', async () => {
    expect(await cut('Events | project EventID')).toEqual([1000, true]);
    expect(await cut('Events | project EventID | take 50000')).toEqual([EVENTS, false]);
    expect(await cut('Events | take 2500 | project EventID')).toEqual([2500, false]);
    expect(await cut('Events | top 1500 by EventID')).toEqual([1500, false]);
    expect(await cut('Events | summarize count() by bin(TimeGenerated, 1m), EventID')).toEqual([
      EVENTS,
      false,
    ]);
    expect(await cut('Events | distinct EventID')).toEqual([EVENTS, false]);
    expect(await cut('range x from 1 to 60000 step 1')).toEqual([30_000, true]);
    expect(await cut('range x from 1 to 60000 step 1 | take 55000')).toEqual([50_000, true]);
  });

  it('[R-C2] are never more than its caller asks for, where it asks', async () => {
    expect(await cut('Events | take 2500')).toEqual([2500, false]);
    expect(await cut('Events | take 2500', { row_limit: 10 })).toEqual([10, true]);
    expect(await cut('Events | summarize count() by EventID', { row_limit: 10 })).toEqual([10, true]);
  });
});

describe('the order that was chosen for a result', () => {
  const ids = async (query: string, column: string, descending = false) => {
    const { rows, columns } = await search(query, { sort: { column, descending }, row_limit: 5 });
    return rows.map((row) => row[columns.findIndex(({ name }) => name === 'EventID')]);
  };

  it('[R-C3] sorts all of the answer before it is cut', async () => {
    expect(await ids('Events', 'TimeGenerated')).toEqual([3000, 2999, 2998, 2997, 2996]);
    expect(await ids('Events', 'TimeGenerated', true)).toEqual([1, 2, 3, 4, 5]);
    expect(await ids('Events', 'EventID', true)).toEqual([3000, 2999, 2998, 2997, 2996]);
    expect(await ids('Events', 'Ext.size')).toEqual([2, 4, 6, 8, 10]);
    expect(await ids('Events | summarize n = count() by EventID', 'EventID', true)).toEqual([
      3000, 2999, 2998, 2997, 2996,
    ]);
  });

  it('[R-C3] puts blanks last, keeps the rows that the query takes, and leaves unknown columns alone', async () => {
    const hosts = async (descending: boolean) => {
      const sort = { column: 'DvcHostname', descending };
      const { rows } = await search('Events | take 20 | project EventID, DvcHostname', { sort });
      return rows;
    };
    for (const descending of [false, true]) {
      const rows = await hosts(descending);
      expect(rows.map(([id]) => Number(id)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
      expect(rows.slice(-4).map(([, host]) => host)).toEqual(['', '', '', '']);
      expect(rows[0]?.[1]).toBe(descending ? 'host9' : 'host1');
    }
    expect(await ids('Events', 'Nothing')).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the figures beside a result', () => {
  const histogram = async (query: string, rest: object = {}) => {
    const params = { clusterId: company.a.clusterId };
    return (await server.call(searchHistogram, { ssid, params, input: { ...asked(query), ...rest } })).data;
  };

  it('[R-C2] tell how many rows there are, where the events counted are the rows', async () => {
    expect(await histogram('Events | where EventID > 10 | extend x = 1 | sort by x asc')).toMatchObject({
      total: EVENTS - 10,
      counts_rows: true,
    });
    expect(await histogram('Events | take 20')).toMatchObject({ counts_rows: false });
    expect(await histogram('Events | summarize count() by EventID')).toMatchObject({ counts_rows: false });
  });

  it('[R-C11] stack by eight values; the rest is no empty value', async () => {
    for (const stack_by of ['DvcHostname', 'EventID']) {
      const { series, total, stack_by: by } = await histogram('Events', { stack_by, buckets: 100 });
      expect(by).toBe(stack_by);
      expect(series.map((one) => one.value === null).indexOf(true)).toBe(8);
      expect(series).toHaveLength(9);
      const empty = series.find((one) => one.value === '')?.counts.reduce((a, b) => a + b, 0);
      expect(empty).toBe(stack_by === 'EventID' ? undefined : EVENTS / 5);
      expect(series.flatMap((one) => one.counts).reduce((a, b) => a + b, 0)).toBe(total);
    }
  });

  it('[R-C15] stack by any field, and say which one it is', async () => {
    expect(await histogram('Events', { stack_by: 'Ext.size' })).toMatchObject({ stack_by: 'Ext.size' });
    const made = await histogram('Events | extend Odd = EventID % 2', { stack_by: 'Odd' });
    expect(made).toMatchObject({ stack_by: 'Odd' });
    expect(made.series.map(({ value }) => value).sort()).toEqual(['0', '1']);
    expect(await histogram('Events', { stack_by: 'Nothing' })).toMatchObject({ stack_by: 'Stream' });
  });

  it('[R-C10] show progress that never runs backwards, also where a join finds more to read', async () => {
    const steps = [
      { rowsRead: 97, totalRows: 100 },
      { rowsRead: 120, totalRows: 400 },
      { rowsRead: 400, totalRows: 400 },
    ];
    const shares: number[] = [];
    const run = runPieces({
      pieces: evenPieces({ from: 0, to: 2 * 3_600_000 }, 2 * 3_600_000),
      rowLimit: undefined,
      signal: undefined,
      onProgress: ({ share }) => shares.push(share),
      start: async (_range, _rows, onProgress) => {
        for (const step of steps) onProgress({ ...step, bytesRead: 0, elapsedMs: 0 });
        return {
          batches: (async function* () {})(),
          decode: (row) => row,
          receivedBytes: () => 0,
          missingShards: () => [],
        };
      },
    });
    for await (const _ of run.batches);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(0)).toBeCloseTo(0.485);
    expect(shares.at(-1)).toBe(1);
  });
});

describe('recent searches', () => {
  it('[R-C15] name a text once, with how often and its last range, and forget all of it', async () => {
    const params = { clusterId: company.a.clusterId };
    const list = async (search = '') =>
      (
        await server.call(listSearchHistory, {
          ssid,
          params,
          input: { scope_id: company.a.scope, search, limit: 100 },
        })
      ).data;
    const query = 'print remembered = 1';
    await search(query);
    await search('print another = 2');
    server.platform.clock.advance(1000);
    await search(query, { from: 'now-7d' });
    const entries = (await list('print')).filter((one) => one.query === query);
    expect(entries).toMatchObject([{ times: 2, from: 'now-7d', status: 'done', rows: 1 }]);
    expect((await list('another')).map(({ times }) => times)).toEqual([1]);
    const input = { scope_id: company.a.scope, ids: [entries[0]?.id ?? ''] };
    expect((await server.call(forgetSearches, { ssid, params, input })).data).toEqual({ removed: 2 });
    expect((await list()).some((one) => one.query === query)).toBe(false);
  });
});
