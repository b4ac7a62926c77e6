import {
  addPerson,
  createOrganization,
  deleteOrganization,
  deletePerson,
  listPeople,
  login,
  readOrganization,
  readPerson,
  saveOrganization,
  savePerson,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
let strangers: Company;
const ssids: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  strangers = await seedCompany(test.platform, '2');
  for (const role of ['root', 'rootViewer', 'orgAdmin', 'tenantAdmin', 'viewer'] as const) {
    ssids[role] = await company.signIn(role);
  }
});
afterAll(() => test?.close());

const as = (role: SeedRole) => ({ ssid: ssids[role] ?? '' });
const add = (role: SeedRole, change: object = {}, orgId = company.orgId) =>
  test.call(addPerson, {
    ...as(role),
    params: { orgId },
    input: { name: 'Nova', email_id: 'nova@harbour.example', user_type: 'general', ...change },
  });
const change = (role: SeedRole, userId: string, input: object) =>
  test.call(savePerson, { ...as(role), params: { userId }, input });
const people = async (role: SeedRole, orgId = company.orgId, query = '') =>
  test.call(listPeople, { ...as(role), params: { orgId }, input: { query, pagesize: 100 } });

describe('organizations', () => {
  it('[S2-21][S2-22][S6-15] are read by their administrator and by root; another one is not there', async () => {
    const read = (role: SeedRole, orgId: string) =>
      test.call(readOrganization, { ...as(role), params: { orgId } });
    const own = await read('orgAdmin', company.orgId);
    expect(own.data).toMatchObject({ name: 'Harbour', user_count: 11, tenant_count: 2 });
    expect(own.data.tenants).toMatchObject([
      { clusterName: 'Alpha', is_primary: true, user_count: 5 },
      { clusterName: 'Beta', is_primary: true, user_count: 1 },
    ]);
    const [foreign, missing] = [await read('orgAdmin', strangers.orgId), await read('orgAdmin', 'nosuchorg')];
    expect([foreign.http, foreign.text]).toEqual([404, missing.text]);
    expect((await read('rootViewer', strangers.orgId)).data.name).toBe('Harbour2');
    expect((await read('tenantAdmin', company.orgId)).http).toBe(403);
  });

  it('are made, renamed, switched off and deleted; off ends every session of its people', async () => {
    const made = await test.call(createOrganization, { ...as('root'), input: { name: 'Quay' } });
    const { orgId } = made.data;
    expect((await test.call(createOrganization, { ...as('root'), input: { name: 'QUAY' } })).http).toBe(409);
    expect((await test.call(createOrganization, { ...as('orgAdmin'), input: { name: 'Mine' } })).http).toBe(
      403,
    );
    const save = (role: SeedRole, input: object, id = orgId) =>
      test.call(saveOrganization, { ...as(role), params: { orgId: id }, input });
    expect((await save('root', { name: 'Quayside' })).http).toBe(200);
    expect((await save('root', { name: 'Harbour' })).http).toBe(409);
    expect((await save('orgAdmin', { name: 'Harbour Group' }, company.orgId)).http).toBe(200);
    expect((await save('orgAdmin', { name: 'x' }, strangers.orgId)).http).toBe(404);
    expect((await save('orgAdmin', { status: 'disabled' }, company.orgId)).http).toBe(409);
    const theirs = await strangers.signIn('analyst');
    await save('root', { status: 'disabled' }, strangers.orgId);
    expect(await company.identity.auth.findCaller(theirs)).toBeNull();
    await expect(strangers.signIn('analyst')).rejects.toMatchObject({ kind: 'sign-in-refused' });
    await save('root', { status: 'enabled' }, strangers.orgId);
    await strangers.signIn('analyst');
    const remove = (id: string) => test.call(deleteOrganization, { ...as('root'), params: { orgId: id } });
    expect((await remove(company.orgId)).http).toBe(409);
    expect((await remove(orgId)).http).toBe(200);
    expect((await remove(orgId)).http).toBe(404);
  });
});

describe('people of an organization', () => {
  it('[S2-20] are added with a password that is told once, and sign in with it', async () => {
    const { data } = await add('orgAdmin', { phone: '+33 1' });
    const answer = await test.call(login, {
      input: { emailId: 'nova@harbour.example', password: data.initial_password ?? '' },
    });
    expect(answer.http).toBe(200);
    expect((await add('orgAdmin')).http).toBe(409);
    expect((await add('orgAdmin', { email_id: 'nothing' })).http).toBe(422);
    expect((await add('orgAdmin', { name: ' System ', email_id: 'sys@harbour.example' })).http).toBe(422);
    expect((await people('orgAdmin', company.orgId, 'NOVA')).data.data).toMatchObject([
      { user_id: data.user_id, phone: '+33 1', user_type: 'general', status: 'enabled' },
    ]);
    const { rows } = await sql<{ text: string }>`select a::text as text from audit_entry a`.execute(
      test.platform.postgres.platform,
    );
    expect(rows.some((row) => row.text.includes(data.initial_password ?? ''))).toBe(false);
  });

  it('[S2-20] a user is read with the tree of clusters, scopes and roles', async () => {
    const read = (role: SeedRole, userId: string) =>
      test.call(readPerson, { ...as(role), params: { userId } });
    const { data } = await read('rootViewer', company.userIds.engineer);
    expect(data).toMatchObject({ organization: expect.stringContaining('Harbour'), tenant_count: 1 });
    expect(
      data.access.map((entry) => [entry.clusterName, entry.scope_access.map((scope) => scope.role)]),
    ).toEqual([['Alpha', ['Security Engineer', 'Security Engineer']]]);
    // Which tenants there are is nothing that an organization administrator learns from a root user's page.
    expect((await read('orgAdmin', company.userIds.root)).data.access).toEqual([]);
    expect((await read('orgAdmin', strangers.userIds.engineer)).http).toBe(404);
    expect((await read('viewer', company.userIds.engineer)).http).toBe(403);
  });

  it('are changed and switched off by their administrator, who cannot reach above the organization', async () => {
    const { viewer, root, orgAdmin, contentManager } = company.userIds;
    expect((await change('orgAdmin', viewer, { name: 'Vera', status: 'disabled' })).http).toBe(200);
    expect(await company.identity.auth.findCaller(ssids.viewer ?? '')).toBeNull();
    expect((await change('orgAdmin', viewer, { status: 'enabled', user_type: 'org_admin' })).http).toBe(200);
    expect((await change('orgAdmin', viewer, { user_type: 'root' })).http).toBe(403);
    expect((await change('orgAdmin', root, { name: 'Ruth' })).http).toBe(403);
    expect((await change('orgAdmin', contentManager, { status: 'disabled' })).http).toBe(403);
    expect((await change('orgAdmin', orgAdmin, { user_type: 'general' })).http).toBe(409);
    expect((await change('orgAdmin', orgAdmin, { name: 'Olga' })).http).toBe(200);
    expect((await change('orgAdmin', strangers.userIds.viewer, { name: 'x' })).http).toBe(404);
    expect((await add('orgAdmin', { email_id: 'r@harbour.example', user_type: 'root' })).http).toBe(403);
    expect((await change('rootViewer', viewer, { name: 'x' })).http).toBe(403);
  });

  it('[S17] root_viewer on a user who is no root is refused with words', async () => {
    const { analyst } = company.userIds;
    for (const fields of [{ root_viewer: true }, { root_viewer: true, user_type: 'org_admin' as const }]) {
      const refused = await change('root', analyst, fields);
      expect([refused.http, refused.body.message]).toEqual([
        422,
        'root_viewer: only a root user can be a root viewer',
      ]);
    }
    expect((await change('root', analyst, { root_viewer: false })).http).toBe(200);
  });

  it('a platform keeps a root administrator', async () => {
    const { root } = company.userIds;
    expect((await change('root', root, { user_type: 'general' })).http).toBe(409);
    const { platform } = test.platform.postgres;
    await sql`update person set user_type = 'general' where user_type = 'root' and not root_viewer
      and user_id <> ${root}`.execute(platform);
    const second = await add('root', { email_id: 'second@harbour.example', user_type: 'root' });
    const { user_id } = second.data;
    expect((await change('root', user_id, { root_viewer: true })).http).toBe(200);
    expect((await change('root', user_id, { user_type: 'general' })).http).toBe(200);
  });

  it('are deleted, but not by themselves', async () => {
    const remove = (role: SeedRole, userId: string) =>
      test.call(deletePerson, { ...as(role), params: { userId } });
    const { user_id } = (await add('orgAdmin', { email_id: 'gone@harbour.example' })).data;
    expect((await remove('orgAdmin', user_id)).http).toBe(200);
    expect((await remove('orgAdmin', user_id)).http).toBe(404);
    expect((await remove('orgAdmin', company.userIds.orgAdmin)).http).toBe(409);
    expect((await remove('orgAdmin', company.userIds.root)).http).toBe(403);
    expect((await remove('orgAdmin', strangers.userIds.viewer)).http).toBe(404);
    const { rows } = await sql<{ action: string }>`select action from audit_entry
      where action like 'user.%' or action like 'organization.%'`.execute(test.platform.postgres.platform);
    expect([...new Set(rows.map((row) => row.action))].sort()).toEqual([
      'organization.create',
      'organization.delete',
      'organization.save',
      'user.create',
      'user.delete',
      'user.save',
    ]);
  });
});
