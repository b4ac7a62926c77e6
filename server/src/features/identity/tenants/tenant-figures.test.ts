import { listTenantUsers, tenantList } from '@tyrian/contract';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { createTenantService } from './tenant-service.ts';

let test: TestApp;
let company: Company;
let root: string;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  root = await company.signIn('root');
});
afterAll(() => test?.close());

describe('figures of tenants', () => {
  it('[R-C42] users are as many on the page of the tenant as in the list of tenants, also those without a role', async () => {
    const { clusterId } = company.a;
    const counts = async () => {
      const input = { size: 100, query: '', add_filter: [], page: 1 };
      const { data } = await test.call(tenantList, { ssid: root, input });
      const users = await test.call(listTenantUsers, { ssid: root, params: { clusterId }, input: {} });
      return [data.data.find((one) => one.clusterId === clusterId)?.user_count, users.data.total_count];
    };
    const [before, listed] = await counts();
    expect(before).toBe(listed);
    await company.identity.users.grant({
      userId: company.userIds.engineerOfB,
      clusterId,
      accessType: 'No Access',
      roles: {},
    });
    expect(await counts()).toEqual([Number(before) + 1, Number(before) + 1]);
  });

  it('[R-B] the scopes of all tenants are asked for at once, however many there are', async () => {
    let asked = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { postgres, eventStore, clock } = test.platform;
    const counted = { ...postgres, platform: postgres.platform.withPlugin(counting) };
    const tenants = createTenantService({ postgres: counted, eventStore, clock });
    const before = await tenants.allWithScopes();
    const asksFor = asked;
    const made = await company.identity.tenants.create({
      name: 'Delta',
      productType: 'professional',
      primaryOrgId: company.orgId,
      scopes: ['First', 'Second'],
    });
    asked = 0;
    const after = await tenants.allWithScopes();
    await company.identity.tenants.remove(made.clusterId);
    expect(asked).toBe(asksFor);
    expect(after).toHaveLength(before.length + 1);
    expect(after.find(({ clusterId }) => clusterId === made.clusterId)?.scopeIds).toEqual(
      made.scopes.map(({ scopeId }) => scopeId),
    );
  });
});
