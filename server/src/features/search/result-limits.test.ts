import { type InputOf, invokeJob, taskResult, taskState } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { RESULT_MEMORY } from '../../platform/clickhouse/result-memory.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { createResultQuota, removeExpiredResults } from './kept-results.ts';
import { createSearchResultStore } from './search-result-store.ts';
import { createSearchTaskStore } from './search-task-store.ts';
import { KEPT_MS, removeOldSearchRecords } from './search-upkeep.ts';

let server: TestApp;
let company: Company;

beforeAll(async () => {
  server = await testApp();
  company = await seedCompany(server.platform);
});
afterAll(() => server?.close());

type Tenant = Pick<Company['a'], 'clusterId' | 'scope'>;

async function invoke(ssid: string, { clusterId, scope }: Tenant, query: string): Promise<string> {
  const input: InputOf<typeof invokeJob> = { job_type: 'kql', scope_id: scope, query };
  return (await server.call(invokeJob, { ssid, params: { clusterId }, input })).data[0]?.id ?? '';
}

async function ended(ssid: string, { clusterId }: Tenant, taskid: string) {
  for (;;) {
    const { body } = await server.call(taskState, { ssid, params: { clusterId, taskid } });
    if (body.task_stage === 'EXECUTED' || body.task_stage === 'FAILURE') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const run = async (ssid: string, tenant: Tenant, query: string) =>
  ended(ssid, tenant, await invoke(ssid, tenant, query));

/** One row of so many thousand bytes. */
const hugeRow = (kilobytes: number): string =>
  `range x from 1 to ${kilobytes} step 1 | summarize l = make_list(strcat(tostring(x), strrep("abcdefghij", 100)))`;

describe('a result that is too large', () => {
  it('[S08] refuses a row of 300 MB by the limit, holds little of four at once, and answers others', async () => {
    const [attacker, victim] = [await company.signIn('engineer'), await company.signIn('engineerOfB')];
    const huge = [hugeRow(300_000), hugeRow(40_000), hugeRow(40_001), hugeRow(40_002)].map((query) =>
      run(attacker, company.a, query),
    );
    let left = huge.length;
    for (const one of huge) void one.finally(() => left--);
    let answered = 0;
    while (left > 0) {
      const small = await run(victim, company.b, `print answer = ${answered}`);
      expect(small).toMatchObject({ task_state: 'SUCCESS' });
      answered += 1;
    }
    for (const end of await Promise.all(huge)) {
      expect(end).toMatchObject({ task_stage: 'FAILURE', task_state: 'FAILED' });
      expect(end.message).toContain('A row of the result is larger than 8 MiB, the limit for one row');
    }
    expect(answered).toBeGreaterThan(0);
    expect(RESULT_MEMORY.peakBytes()).toBeLessThanOrEqual(4 * RESULT_MEMORY.limits.rowBytes + 1024 * 1024);
    expect(RESULT_MEMORY.heldBytes()).toBe(0);
  });

  it('[S08] refuses a page beyond the limit, and answers it in smaller ones', async () => {
    const ssid = await company.signIn('engineer');
    const query = 'range x from 1 to 20 step 1 | extend text = strrep(strrep("0123456789", 1000), 200)';
    const taskid = await invoke(ssid, company.a, query);
    expect(await ended(ssid, company.a, taskid)).toMatchObject({ task_state: 'SUCCESS' });
    const params = { clusterId: company.a.clusterId, taskid };
    const page = (pagesize: number) =>
      server.call(taskResult, { ssid, params, input: { form: 'rows', pagesize } });
    const whole = await page(100);
    expect(whole.http).toBe(422);
    expect(whole.text).toContain('The page is larger than 32 MiB');
    const part = await page(3);
    expect(part.body.rows).toHaveLength(3);
  });
});

describe('results that are kept', () => {
  const results = () => createSearchResultStore(server.platform.eventStore);
  const quota = () => createResultQuota(server.platform.postgres, results());
  const tasksOf = async (clusterId: string) => {
    const { rows: kept } = await server.platform.eventStore.rows(clusterId, {
      sql: 'SELECT TaskId, uniq(FirstRow) FROM search_results GROUP BY TaskId',
      scopes: 'all',
    });
    const chunks = new Map(kept.map(([id, count]) => [String(id), Number(count)]));
    return server.platform.postgres.inTenant(clusterId, async (trx) => {
      const { rows } = await sql<{ id: string; kept_bytes: number }>`
        select id, kept_bytes from search_task t where cluster_id = ${clusterId}`.execute(trx);
      return new Map(rows.map((row) => [row.id, { ...row, chunks: chunks.get(row.id) ?? 0 }]));
    });
  };

  it('[S21] keep to the quota of a tenant: the largest go first, and they say so', async () => {
    const [greedy, modest] = [await company.signIn('engineer'), await company.signIn('analyst')];
    const query =
      'range x from 1 to 2000 step 1 | extend text = strrep(strcat(hash_sha256(x), hash_md5(x)), 4)';
    const small = await invoke(modest, company.a, 'print kept = 1');
    await ended(modest, company.a, small);
    const many: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      server.platform.clock.advance(1000);
      many.push(await invoke(greedy, company.a, query));
      await ended(greedy, company.a, many[index] ?? '');
    }
    const before = await tasksOf(company.a.clusterId);
    const each = before.get(many[2] ?? '')?.kept_bytes ?? 0;
    expect(each).toBeGreaterThan(10_000);
    expect(await quota().enforce(company.a.clusterId, each * 2.5)).toBeGreaterThan(0);
    // Few rows are kept within a second.
    const chunksOf = async (id: string) => (await tasksOf(company.a.clusterId)).get(id)?.chunks;
    await expect.poll(() => chunksOf(small), { timeout: 60_000 }).toBe(1);
    const after = await tasksOf(company.a.clusterId);
    expect(after.get(small)).toMatchObject({ chunks: 1 });
    expect(after.get(many[2] ?? '')).toMatchObject({ kept_bytes: each });
    expect(after.get(many[0] ?? '')).toMatchObject({ kept_bytes: 0, chunks: 0 });
    expect(await ended(greedy, company.a, many[0] ?? '')).toMatchObject({
      task_state: 'FAILED',
      message:
        'The results of this search were deleted to make room for newer searches of this tenant; run it again',
    });
    expect(await quota().enforce(company.a.clusterId, each * 2.5)).toBe(0);
  });

  it('[S21] count no rows that were withdrawn, and leave a search that showed none its reason', async () => {
    const { postgres } = server.platform;
    const { clusterId } = company.a;
    const ssid = await company.signIn('engineer');
    // Few rows are answered for a moment as they were.
    const large = 'range x from 1 to 900 step 1 | extend text = strrep("0123456789", 80)';
    const [withdrawn, unshown] = [await invoke(ssid, company.a, large), await invoke(ssid, company.a, large)];
    for (const id of [withdrawn, unshown]) await ended(ssid, company.a, id);
    await createSearchTaskStore(postgres).withdraw(clusterId, withdrawn, 'withheld', Date.now());
    await results().remove(clusterId, [withdrawn]);
    expect((await tasksOf(clusterId)).get(withdrawn)).toMatchObject({ kept_bytes: 0, chunks: 0 });
    await postgres.inTenant(clusterId, (trx) =>
      sql`update search_task set row_count = 0, stage = 'FAILURE', state = 'REVOKED', message = 'stopped'
        where cluster_id = ${clusterId} and id = ${unshown}`.execute(trx),
    );
    expect(await quota().enforce(clusterId, 0)).toBeGreaterThan(0);
    expect((await tasksOf(clusterId)).get(unshown)).toMatchObject({ kept_bytes: 0, chunks: 0 });
    expect(await ended(ssid, company.a, withdrawn)).toMatchObject({
      task_state: 'FAILED',
      message: 'withheld',
    });
    expect(await ended(ssid, company.a, unshown)).toMatchObject({
      task_state: 'REVOKED',
      message: 'stopped',
    });
  });

  it('[S21] go when their time is over, of all tenants at once, whether or not these search again', async () => {
    const { postgres } = server.platform;
    await run(await company.signIn('engineer'), company.a, 'print a = 1');
    await run(await company.signIn('engineerOfB'), company.b, 'print b = 1');
    expect(await removeExpiredResults(postgres, Date.now())).toBe(0);
    expect(await removeExpiredResults(postgres, Date.now() + 2 * 3_600_000)).toBeGreaterThanOrEqual(2);
    for (const { clusterId } of [company.a, company.b]) expect((await tasksOf(clusterId)).size).toBe(0);
    const { rows } = await sql`select 1 from search_task`.execute(postgres.platform);
    expect(rows).toEqual([]);
  });
});

describe('records of searches', () => {
  it('[T-jobs] go when nobody needs them any more, of all tenants, and no younger ones', async () => {
    const { postgres } = server.platform;
    const now = Date.now();
    await run(await company.signIn('engineer'), company.a, 'print young = 1');
    const ages = [KEPT_MS + 1, KEPT_MS - 60_000];
    for (const { clusterId } of [company.a, company.b]) {
      await postgres.inTenant(clusterId, async (trx) => {
        for (const age of ages) {
          await sql`insert into search_history (cluster_id, id, user_id, scope_id, query, range_from, range_to,
            query_timezone, started_at, status) values (${clusterId}, ${`old-${age}`}, 'u', 's', 'print 1', '1', '2',
            'UTC', ${timestamp(now - age)}, 'done')`.execute(trx);
          await sql`insert into seen_field values (${clusterId}, 's', 'Dns', ${`old-${age}`}, 'string', '',
            ${timestamp(now - age)})`.execute(trx);
        }
      });
    }
    expect(await removeOldSearchRecords(postgres, now)).toBe(4);
    expect(await removeOldSearchRecords(postgres, now)).toBe(0);
    for (const { clusterId } of [company.a, company.b]) {
      const left = await postgres.inTenant(clusterId, async (trx) => {
        const { rows } = await sql<{ old: string }>`select id as old from search_history where id like 'old-%'
          union all select path from seen_field where path like 'old-%'`.execute(trx);
        return rows.map(({ old }) => old);
      });
      expect(left).toEqual([`old-${ages[1]}`, `old-${ages[1]}`]);
    }
  });
});
