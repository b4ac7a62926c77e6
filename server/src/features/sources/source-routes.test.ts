import { collectionStatus, createSource, revokeSource } from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import {
  type Company,
  SEED_ROLES,
  type SeedRole,
  seedCompany,
} from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test.close());

const at = async (role: SeedRole, input: Record<string, unknown>) => ({
  ssid: await company.signIn(role),
  params: { clusterId: company.a.clusterId },
  input: { scope_id: company.a.scope, ...input },
});

it('[S6-06] lets engineers and administrators of the tenant make sources, and those of collection status see them', async () => {
  const mayMake: SeedRole[] = ['tenantAdmin', 'adminEngineer', 'engineer'];
  for (const role of SEED_ROLES) {
    const { http } = await test.call(createSource, await at(role, { source_name: `by ${role}` }));
    expect([role, http === 200]).toEqual([role, mayMake.includes(role)]);
  }
  const seen = await test.call(collectionStatus, await at('engineer', {}));
  expect(seen.data.sources.map((source) => source.source_name)).toEqual(
    mayMake.map((role) => `by ${role}`).sort(),
  );
  for (const role of ['analyst', 'viewer', 'noAccess', 'engineerOfB'] as const) {
    expect((await test.call(collectionStatus, await at(role, {}))).http).toBeGreaterThanOrEqual(403);
  }
});

it('shows a token once, refuses a name twice, and does not know the sources of another tenant', async () => {
  const made = await test.call(createSource, await at('engineer', { source_name: 'once' }));
  expect(made.data.token).toMatch(/^tyr_/);
  expect((await test.call(createSource, await at('engineer', { source_name: 'ONCE' }))).http).toBe(409);
  const status = await test.call(collectionStatus, await at('engineer', {}));
  expect(status.text).not.toContain(made.data.token);
  expect(
    (
      await test.call(
        createSource,
        await at('engineer', { source_name: 'n', kind: 'syslog', networks: ['10.0.0.1/8'] }),
      )
    ).http,
  ).toBe(422);
  const { source_id } = made.data.source;
  const foreign = await test.call(revokeSource, {
    ssid: await company.signIn('engineerOfB'),
    params: { clusterId: company.b.clusterId },
    input: { scope_id: company.b.scope, source_id },
  });
  expect(foreign.http).toBe(404);
  const revoked = await test.call(revokeSource, await at('engineer', { source_id }));
  expect(revoked.data.revoked_ms).toBeGreaterThan(0);
});
