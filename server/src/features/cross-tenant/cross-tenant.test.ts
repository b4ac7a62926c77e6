import { createCase, crossTenantCases, crossTenantSignals } from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { seedSignals } from '../cases/testing/seed-signals.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { createCrossTenantService } from './cross-tenant-service.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp({ nowMs: NOW });
  company = await seedCompany(test.platform);
  const { a, b } = company;
  const seeded = [
    [a.clusterId, a.scope, 'main', 3],
    [a.clusterId, a.otherScope, 'branch', 1],
    [a.clusterId, a.disabledScope, 'retired', 0],
    [b.clusterId, b.scope, 'foreign', 2],
  ] as const;
  for (const [clusterId, scopeId, mark, hoursAgo] of seeded) {
    await seedSignals(test.platform.postgres, { clusterId, scopeId }, [
      { id: `sig${mark}`, name: `Dump on ${mark}`, firstMs: NOW - hoursAgo * 3_600_000 },
    ]);
  }
});
afterAll(() => test?.close());

const signals = async (role: SeedRole, input = {}) =>
  test.call(crossTenantSignals, { ssid: await company.signIn(role), input });
const names = async (role: SeedRole, input = {}) =>
  (await signals(role, input)).data.data.map(({ item }) => item.name);

it('[S2-17] lists every scope of the caller in one order, and no other', async () => {
  expect(await names('engineer')).toEqual(['Dump on branch', 'Dump on main']);
  expect(await names('analyst')).toEqual(['Dump on main']);
  expect(await names('engineerOfB')).toEqual(['Dump on foreign']);
  expect(await names('engineer', { query: 'BRANCH' })).toEqual(['Dump on branch']);
  expect(await names('engineer', { query: '%' })).toEqual([]);
  expect(await names('engineer', { pagesize: 1 })).toEqual(['Dump on branch']);
  const { tenants } = (await signals('engineer')).data;
  expect(tenants).toEqual([
    {
      cluster_id: company.a.clusterId,
      scope_ids: [company.a.scope, company.a.otherScope],
      total_count: 2,
      problem: null,
    },
  ]);
});

it('[S2-17][S6-01] follows a user into every tenant, and is for analysts and engineers alone', async () => {
  const { clusterId, scope } = company.b;
  await company.identity.users.grant({
    userId: company.userIds.analyst,
    clusterId,
    accessType: 'Custom',
    roles: { [scope]: 'Security Analyst' },
  });
  expect(await names('analyst')).toEqual(['Dump on foreign', 'Dump on main']);
  const ssid = await company.signIn('analyst');
  const made = { scope_id: scope, case_name: 'Over there' };
  await test.call(createCase, { ssid, params: { clusterId }, input: made });
  const { data } = await test.call(crossTenantCases, { ssid });
  expect(data.data.map((row) => [row.cluster_id, row.item.case_name])).toEqual([[clusterId, 'Over there']]);
  for (const role of ['viewer', 'tenantAdmin', 'orgAdmin', 'root', 'noAccess'] as const) {
    expect((await signals(role)).http).toBe(403);
  }
});

it('[S2-17] names what does not answer, without its words, and keeps the others', async () => {
  const { clusterId, scope } = company.b;
  await company.identity.users.grant({
    userId: company.userIds.engineer,
    clusterId,
    accessType: 'Custom',
    roles: { [scope]: 'Security Engineer' },
  });
  const caller = await company.identity.auth.findCaller(await company.signIn('engineer'));
  if (!caller) throw new Error('no caller');
  const service = createCrossTenantService({
    log: test.platform.log,
    signals: {
      list: async (asked) => {
        if (asked.clusterId === clusterId) throw new Error('connection terminated: password=secret');
        return { data: [], total_count: 7, view_counts: { pending: 0, triaged: 0, all: 7 } };
      },
    },
    cases: { list: () => Promise.reject(new Error('not asked')) },
  });
  const { tenants } = await service.signals(caller, { query: '', pagesize: 10 });
  expect(tenants.map((tenant) => [tenant.cluster_id, tenant.total_count, tenant.problem]).sort()).toEqual(
    [
      [company.a.clusterId, 7, null],
      [clusterId, 0, 'it does not answer right now'],
    ].sort(),
  );
});
