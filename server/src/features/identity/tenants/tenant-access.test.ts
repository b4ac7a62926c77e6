import {
  assignRoles,
  connectOrganization,
  disconnectOrganization,
  disconnectTenantUser,
  listTenantCandidates,
  listTenantUsers,
  saveTenantUser,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
const ssids: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  for (const role of ['root', 'tenantAdmin', 'engineer', 'viewer'] as const)
    ssids[role] = await company.signIn(role);
});
afterAll(() => test?.close());

const at = (clusterId: string, more: Record<string, string> = {}) => ({ clusterId, ...more });
const save = (role: SeedRole, userId: string, input: object, clusterId = company.a.clusterId) =>
  test.call(saveTenantUser, { ssid: ssids[role] ?? '', params: at(clusterId, { userId }), input });

async function accessOf(userId: string, clusterId = company.a.clusterId) {
  const { data } = await test.call(listTenantUsers, {
    ssid: ssids.root ?? '',
    params: { clusterId },
    input: { pagesize: 1000 },
  });
  const user = data.data.find((one) => one.user_id === userId);
  return user && [user.access_type, ...user.scope_access.map((scope) => scope.role)];
}

const addPerson = (name: string, orgId = company.orgId) =>
  company.identity.users.create({
    orgId,
    name,
    email: `${name.toLowerCase()}@harbour.example`,
    userType: 'general',
    password: 'Seed-word.42',
  });

describe('who may do what in a tenant', () => {
  it('[S3-03][S2-25][C125] candidates are connected with a role per scope, changed and disconnected', async () => {
    const userId = await addPerson('Newcomer');
    const { clusterId, scope, otherScope } = company.a;
    const candidates = async (query: string) =>
      (
        await test.call(listTenantCandidates, {
          ssid: ssids.tenantAdmin ?? '',
          params: { clusterId },
          input: { query },
        })
      ).data.data.map((one) => one.user_id);
    expect(await candidates('NEWCOMER')).toEqual([userId]);
    // Nobody lists an organization that may serve other tenants too.
    expect(await candidates('ne')).toEqual([]);
    expect(
      (await save('tenantAdmin', userId, { is_administrator: false, roles: { [scope]: 'Viewer' } })).http,
    ).toBe(200);
    expect(await accessOf(userId)).toEqual(['Custom', 'Viewer', 'No Access', 'No Access']);
    expect(await candidates('newcomer')).toEqual([]);
    await save('tenantAdmin', userId, {
      is_administrator: true,
      roles: { [otherScope]: 'Security Analyst' },
    });
    expect(await accessOf(userId)).toEqual(['Administrator', 'No Access', 'Security Analyst', 'No Access']);
    const gone = await test.call(disconnectTenantUser, {
      ssid: ssids.tenantAdmin ?? '',
      params: at(clusterId, { userId }),
    });
    expect(gone.http).toBe(200);
    expect(await accessOf(userId)).toBeUndefined();
    expect(await candidates('newcomer')).toEqual([userId]);
  });

  it('one role is given to many users in many scopes; what they hold elsewhere stays', async () => {
    const { clusterId, scope, otherScope } = company.a;
    const { engineer, viewer, noAccess } = company.userIds;
    const assign = (role: string, scope_ids: string[]) =>
      test.call(assignRoles, {
        ssid: ssids.tenantAdmin ?? '',
        params: { clusterId },
        input: { user_ids: [engineer, viewer, noAccess, 'nosuchuser'], scope_ids, role },
      });
    expect((await assign('Security Analyst', [otherScope])).data).toEqual({ changed: 3 });
    expect(await accessOf(engineer)).toEqual([
      'Custom',
      'Security Engineer',
      'Security Analyst',
      'Security Engineer',
    ]);
    expect(await accessOf(noAccess)).toEqual(['Custom', 'No Access', 'Security Analyst', 'No Access']);
    await assign('No Access', [scope, otherScope]);
    expect(await accessOf(viewer)).toEqual(['Custom', 'No Access', 'No Access', 'Viewer']);
    expect((await assign('Viewer', [company.b.scope])).http).toBe(403);
  });

  it('a tenant keeps an administrator, who belongs to its primary organization', async () => {
    const { clusterId, scope } = company.a;
    const { tenantAdmin, adminEngineer } = company.userIds;
    const step = { is_administrator: false, roles: { [scope]: 'Viewer' } };
    expect((await save('tenantAdmin', adminEngineer, step)).http).toBe(200);
    const last = await save('tenantAdmin', tenantAdmin, step);
    expect([last.http, last.body.message]).toEqual([409, 'This is the last administrator of the tenant']);
    const orgId = await company.identity.organizations.create('Partner');
    const partner = await addPerson('Partnerperson', orgId);
    const asAdmin = { is_administrator: true, roles: {} };
    expect((await save('root', partner, asAdmin)).http).toBe(404);
    const where = { ssid: ssids.root ?? '', params: at(clusterId, { orgId }) };
    expect((await test.call(connectOrganization, where)).http).toBe(200);
    expect((await save('root', partner, asAdmin)).body.message).toContain('primary organization');
    expect((await save('root', partner, step)).http).toBe(200);
    expect((await test.call(connectOrganization, { ...where, ssid: ssids.tenantAdmin ?? '' })).http).toBe(
      403,
    );
    expect((await test.call(disconnectOrganization, where)).data).toEqual({ disconnected_users: 1 });
    expect(await accessOf(partner)).toBeUndefined();
    const primary = { ssid: ssids.root ?? '', params: at(clusterId, { orgId: company.orgId }) };
    expect((await test.call(disconnectOrganization, primary)).http).toBe(409);
  });

  it('another primary organization ends the administration of the former one, not its roles', async () => {
    const { clusterId, scope } = company.b;
    const [boss, helper] = [await addPerson('Formerboss'), await addPerson('Formerhelper')];
    const roles = { [scope]: 'Security Analyst' };
    await save('root', boss, { is_administrator: true, roles: {} }, clusterId);
    await save('root', helper, { is_administrator: true, roles }, clusterId);
    const orgId = await company.identity.organizations.create('Successor');
    const heir = await addPerson('Heir', orgId);
    const connect = (input: object) =>
      test.call(connectOrganization, { ssid: ssids.root ?? '', params: at(clusterId, { orgId }), input });
    expect((await connect({})).data).toEqual({ demoted_users: 0 });
    expect((await connect({ is_primary: true })).data).toEqual({ demoted_users: 2 });
    expect((await accessOf(boss, clusterId))?.[0]).toBe('No Access');
    expect((await accessOf(helper, clusterId))?.slice(0, 2)).toEqual(['Custom', 'Security Analyst']);
    expect((await save('root', heir, { is_administrator: true, roles: {} }, clusterId)).http).toBe(200);
    const back = await test.call(connectOrganization, {
      ssid: ssids.root ?? '',
      params: at(clusterId, { orgId: company.orgId }),
      input: { is_primary: true },
    });
    expect(back.data).toEqual({ demoted_users: 1 });
    for (const userId of [boss, helper, heir]) {
      const params = at(clusterId, { userId });
      await test.call(disconnectTenantUser, { ssid: ssids.root ?? '', params });
    }
  });

  it('a plan allows so many users; one more is refused by name, those there stay', async () => {
    const { clusterId, scope } = company.b;
    const viewer = { is_administrator: false, roles: { [scope]: 'Viewer' } };
    for (const n of [1, 2, 3, 4]) {
      expect((await save('root', await addPerson(`Extra${n}`), viewer, clusterId)).http).toBe(200);
    }
    const sixth = await addPerson('Sixth');
    const refused = await save('root', sixth, viewer, clusterId);
    expect([refused.http, refused.body.message]).toEqual([409, 'The plan essential allows 5 users']);
    expect(refused.data).toEqual({ limit: 'users', allowed: 5 });
    // Changing somebody who is connected takes no further seat.
    expect(
      (await save('root', company.userIds.engineerOfB, { is_administrator: true, roles: {} }, clusterId))
        .http,
    ).toBe(200);
  });

  it('nobody but administrators changes anything, and another tenant is not there', async () => {
    const input = { is_administrator: true, roles: {} };
    expect((await save('engineer', company.userIds.engineer, input)).http).toBe(403);
    expect((await save('tenantAdmin', company.userIds.engineer, input, company.b.clusterId)).http).toBe(403);
    const scopeOfB = { is_administrator: false, roles: { [company.b.scope]: 'Viewer' } };
    expect((await save('tenantAdmin', company.userIds.viewer, scopeOfB)).http).toBe(422);
  });
});
