import { listSlowQueries, stopSlowQuery } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

const at = async (role: SeedRole, input: Record<string, unknown> = {}) => ({
  ssid: await company.signIn(role),
  params: { clusterId: company.a.clusterId },
  input: { scope_id: company.a.scope, ...input },
});

/** A search that another process runs, since so many seconds. */
async function running(id: string, role: SeedRole, seconds: number, queue = 'interactive'): Promise<void> {
  const now = test.platform.clock.now();
  const { clusterId, scope } = company.a;
  const userId = company.userIds[role];
  await test.platform.postgres.inTenant(clusterId, async (trx) => {
    await sql`insert into search_task (cluster_id, id, user_id, scope_id, query_id, queue, stage, state, started_at,
        heartbeat_at, expires_at, rows_read)
      values (${clusterId}, ${id}, ${userId}, ${scope}, ${id}, ${queue}, 'EXECUTING', 'STARTED',
        ${timestamp(now - seconds * 1000)}, ${timestamp(now)}, ${timestamp(now + 3_600_000)}, 7000)`.execute(
      trx,
    );
    await sql`insert into search_history (cluster_id, id, user_id, scope_id, query, range_from, range_to, query_timezone,
        started_at, status) values (${clusterId}, ${id}, ${userId}, ${scope}, ${`Dns | where Name has "${id}"`},
        '"now-1h"', '"now"', 'UTC', ${timestamp(now)}, 'running')`.execute(trx);
  });
}

it('[S2-45][S2-101] lists what runs over the limit of its queue; analysts stop their own, engineers anybody’s', async () => {
  await running('quick', 'analyst', 5);
  await running('long', 'analyst', 30);
  await running('longer', 'engineer', 90, 'analytics');
  await running('patient', 'engineer', 30, 'analytics');
  const list = async (role: SeedRole, input = {}) =>
    (await test.call(listSlowQueries, await at(role, input))).data;
  const seen = await list('analyst');
  expect(seen.queries.map(({ task_id, is_own, rows_read }) => [task_id, is_own, rows_read])).toEqual([
    ['longer', false, 7_000],
    ['long', true, 7_000],
  ]);
  expect(seen.queries[1]).toMatchObject({ query: 'Dns | where Name has "long"', queue: 'interactive' });
  expect(seen.queries[1]?.initiator).not.toBe(company.userIds.analyst);
  expect(seen.limits.map(({ queue }) => queue)).toEqual(['interactive', 'analytics', 'reports']);
  expect((await list('engineer', { queue: 'analytics' })).queries).toHaveLength(1);
  expect((await test.call(listSlowQueries, await at('engineerOfB'))).http).toBe(403);
  const stop = async (role: SeedRole, task_id: string) =>
    (await test.call(stopSlowQuery, await at(role, { task_id }))).http;
  expect([await stop('analyst', 'longer'), await stop('analyst', 'long')]).toEqual([404, 200]);
  expect([await stop('engineer', 'nobody'), await stop('engineer', 'longer')]).toEqual([404, 200]);
  expect((await list('analyst')).queries).toEqual([]);
});
