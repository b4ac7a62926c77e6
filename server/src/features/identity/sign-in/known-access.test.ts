import { accessDetails, listCases, tenantList } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { createKnownAccess } from './known-access.ts';

let test: TestApp;
let company: Company;
let ssid: string;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  ssid = await company.signIn('analyst');
});
afterAll(() => test?.close());

const run = (statement: ReturnType<typeof sql>) => statement.execute(test.platform.postgres.platform);
const version = async () => {
  const { rows } = await sql<{ version: number }>`select version from access_version`.execute(
    test.platform.postgres.platform,
  );
  return rows[0]?.version ?? 0;
};
const cases = async () =>
  (
    await test.call(listCases, {
      ssid,
      params: { clusterId: company.a.clusterId },
      input: { scope_id: company.a.scope },
    })
  ).http;

it('[S3-02][C019] every change of what somebody may reach takes effect with the next call', async () => {
  const { clusterId, scope } = company.a;
  const { analyst } = company.userIds;
  const here = sql`user_id = ${analyst} and cluster_id = ${clusterId}`;
  expect(await cases()).toBe(200);
  await run(sql`update scope_access set role = 'Viewer' where ${here}`);
  expect(await cases()).toBe(403);
  await run(sql`update scope_access set role = 'Security Analyst' where ${here}`);
  expect(await cases()).toBe(200);
  await company.identity.tenants.setScopeEnabled(clusterId, scope, false);
  expect(await cases()).toBe(403);
  await company.identity.tenants.setScopeEnabled(clusterId, scope, true);
  expect(await cases()).toBe(200);
  await run(sql`update tenant set cluster_name = 'Alpha renamed' where cluster_id = ${clusterId}`);
  expect((await test.call(tenantList, { ssid })).data.data[0]?.clusterName).toBe('Alpha renamed');
  await run(sql`update person set name = 'Ana', policy_version = 0 where user_id = ${analyst}`);
  expect((await test.call(accessDetails, { ssid })).data).toMatchObject({
    name: 'Ana',
    isPolicyAccepted: false,
  });
  expect(await cases()).toBe(403);
  await run(sql`update person set policy_version = 1 where user_id = ${analyst}`);
  await run(sql`delete from tenant_access where ${here}`);
  expect(await cases()).toBe(403);
});

it('signing in and searching change nothing of it', async () => {
  const before = await version();
  await company.signIn('viewer');
  await cases();
  expect(await version()).toBe(before);
});

it('keeps a record by user and version, with the session of each call, and not for ever', async () => {
  const known = createKnownAccess();
  const record = await company.identity.auth.accessOf({ userId: company.userIds.viewer, ssid: '' });
  let reads = 0;
  const ask = (userId: string, at: number, session: string) =>
    known.of(userId, at, session, async () => {
      reads++;
      return record;
    });
  expect((await ask('u', 1, 'one'))?.SSID).toBe('one');
  expect((await ask('u', 1, 'two'))?.SSID).toBe('two');
  expect(reads).toBe(1);
  await ask('u', 2, 'two');
  expect(reads).toBe(2);
  for (let n = 0; n < 500; n++) await ask(`other${n}`, 2, 's');
  await ask('u', 2, 'two');
  expect(reads).toBe(503);
  expect(await known.of('gone', 2, 's', async () => null)).toBeNull();
});
