import {
  accessDetails,
  listAllScopes,
  listClusters,
  listOrganizations,
  listScopes,
  listScopeUsers,
  listTenantUsers,
  platformState,
  readAllScopes,
  readScopes,
  readTenant,
  tenantList,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_ROLES, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { overallState, readPlatformState } from './platform-state.ts';

let test: TestApp;
let company: Company;
const ssids = {} as Record<SeedRole, string>;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  for (const role of SEED_ROLES) ssids[role] = await company.signIn(role);
});
afterAll(() => test?.close());

const names = (data: readonly { clusterName: string }[]) => data.map((one) => one.clusterName);

describe('tenants', () => {
  it('[C026][C014][S7-15][S7-27][S9-09][S3-04][S9-01] lists what the caller can reach, with enabled scopes only', async () => {
    const list = async (role: SeedRole) =>
      (
        await test.call(tenantList, {
          ssid: ssids[role],
          input: { size: 1000, query: '', add_filter: [], page: 1 },
        })
      ).data;
    expect(names((await list('engineer')).data)).toEqual(['Alpha']);
    expect(names((await list('engineerOfB')).data)).toEqual(['Beta']);
    expect((await list('noAccess')).data).toEqual([]);
    const all = await list('root');
    expect([names(all.data), all.total_count]).toEqual([['Alpha', 'Beta'], 2]);
    expect(names((await list('orgAdmin')).data)).toEqual(['Alpha', 'Beta']);
    expect((await list('orgAdmin')).data.flatMap((tenant) => tenant.scope_list)).toEqual([]);
    const scopes = async (role: SeedRole) =>
      (await list(role)).data[0]?.scope_list.map((scope) => scope.scope_name);
    expect(await scopes('analyst')).toEqual(['Main']);
    expect(await scopes('tenantAdmin')).toEqual(['Main', 'Branch']);
    expect(await scopes('root')).toEqual(['Main', 'Branch']);
    const clusters = await test.call(listClusters, { ssid: ssids.engineer, input: { page: 1, size: 10 } });
    expect(names(clusters.data.data)).toEqual(['Alpha']);
  });

  it('[C026][S3-13] searches by name, filters and pages', async () => {
    const list = async (input: object) =>
      names((await test.call(tenantList, { ssid: ssids.root, input })).data.data);
    expect(await list({ query: 'ALP' })).toEqual(['Alpha']);
    expect(await list({ add_filter: [{ filter_key: 'productType', filter_value: 'essential' }] })).toEqual([
      'Beta',
    ]);
    expect(await list({ size: 1, page: 2 })).toEqual(['Beta']);
    expect((await test.call(tenantList, { ssid: ssids.root, input: { size: 0 } })).http).toBe(422);
  });

  it('[C027][S7-28] one tenant, for its administrators and root only', async () => {
    const read = (role: SeedRole, clusterId: string) =>
      test.call(readTenant, { ssid: ssids[role], params: { clusterId } });
    const { data } = await read('tenantAdmin', company.a.clusterId);
    expect(data).toMatchObject({ clusterName: 'Alpha', primary_org: 'Harbour', productType: 'enterprise' });
    expect(data.all_scopes.map((scope) => scope.is_enabled)).toEqual([true, true, false]);
    expect(data.admins.map((user) => user.user_id).sort()).toEqual(['uadminengineer', 'utenantadmin']);
    expect((await read('rootViewer', company.b.clusterId)).http).toBe(200);
    const foreign = await read('tenantAdmin', company.b.clusterId);
    const missing = await read('tenantAdmin', 'nosuchtenant');
    expect([foreign.http, foreign.body]).toEqual([missing.http, missing.body]);
    expect((await read('analyst', company.a.clusterId)).http).toBe(403);
  });

  it('[C016][C017][C018][S7-18][S7-19][S4-10] scopes, with or without a cluster: disabled ones for administrators only', async () => {
    const params = { clusterId: company.a.clusterId };
    const read = async (role: SeedRole, is_enabled?: 'enabled' | 'disabled') => {
      const input = is_enabled ? { is_enabled } : {};
      const posted = await test.call(listScopes, { ssid: ssids[role], params, input });
      const got = await test.call(readScopes, { ssid: ssids[role], params, input });
      expect(got.body).toEqual(posted.body);
      return posted.data.data.map((scope) => scope.scope_name);
    };
    expect(await read('tenantAdmin')).toEqual(['Main', 'Branch', 'Retired']);
    expect(await read('tenantAdmin', 'disabled')).toEqual(['Retired']);
    expect(await read('engineer')).toEqual(['Main', 'Branch']);
    expect(await read('engineer', 'disabled')).toEqual([]);
    const all = await test.call(listAllScopes, { ssid: ssids.root });
    expect(all.data.total_count).toBe(6);
    expect(
      (await test.call(readAllScopes, { ssid: ssids.root, input: { pagesize: 2, pageno: 3 } })).data.data,
    ).toHaveLength(2);
    const foreign = { clusterId: company.b.clusterId };
    const missing = { clusterId: 'nosuchtenant' };
    const answers = await Promise.all(
      [foreign, missing].map((where) => test.call(listScopes, { ssid: ssids.tenantAdmin, params: where })),
    );
    expect(answers[0]?.http).toBe(403);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  it('[C019][S4-25] root sees every tenant in the access record, others their own', async () => {
    const read = async (role: SeedRole) => (await test.call(accessDetails, { ssid: ssids[role] })).data;
    const root = await read('root');
    expect(root.access.map((entry) => [entry.clusterName, entry.access_type])).toEqual([
      ['Alpha', 'No Access'],
      ['Beta', 'No Access'],
    ]);
    expect(await read('tenantAdmin')).toMatchObject({ isAdmin: true, isRoot: false });
    expect((await read('viewer')).access[0]?.scope_access.map((scope) => scope.role)).toEqual(['Viewer']);
    expect((await read('noAccess')).access).toMatchObject([{ access_type: 'No Access', scope_access: [] }]);
    expect((await read('orgAdmin')).isOrgAdmin).toBe(true);
  });

  it('[C024][S7-25][S21] says how engines and roles are, in no words of the engines', async () => {
    await test.platform.components.start('api');
    const { data } = await test.call(platformState, { ssid: ssids.viewer });
    await test.platform.components.stop();
    expect(data.state).toBe('up');
    expect(data.components.map((one) => [one.kind, one.name, one.state])).toEqual([
      ['engine', 'postgres', 'up'],
      ['engine', 'clickhouse', 'up'],
      ['role', 'api', 'up'],
    ]);
    const crashed = {
      name: 'clickhouse',
      state: 'down',
      restarts: 3,
      lastError: 'ended with SIGABRT',
    } as const;
    const told = await readPlatformState({ ...test.platform, engineHealth: () => [crashed] });
    expect(told.components[0]?.detail).toBe('not available, being started again');
    expect(JSON.stringify(told)).not.toContain('SIG');
    expect(overallState(['up', 'down'])).toBe('degraded');
    expect(overallState(['down', 'down'])).toBe('down');
    expect(overallState(['up', 'starting'])).toBe('starting');
  });
});

describe('users', () => {
  const scopeUsers = (role: SeedRole, clusterId: string, input: object) =>
    test.call(listScopeUsers, { ssid: ssids[role], params: { clusterId }, input });

  it('[C041][S7-40][S9-02][S3-10] lists who has a role in the scope, ten at first', async () => {
    const { data } = await scopeUsers('analyst', company.a.clusterId, { scope_id: company.a.scope });
    expect(data.total_count).toBe(4);
    expect(data.data.map((user) => user.user_id)).toEqual([
      'uadminengineer',
      'uanalyst',
      'uengineer',
      'uviewer',
    ]);
    expect(Object.keys(data.data[0] ?? {}).sort()).toEqual(['email_id', 'name', 'user_id']);
    const page = await scopeUsers('analyst', company.a.clusterId, {
      scope_id: company.a.scope,
      pageno: 2,
      pagesize: 3,
    });
    expect(page.data.data.map((user) => user.user_id)).toEqual(['uviewer']);
    await company.identity.users.disable(company.userIds.viewer);
    expect(
      (await scopeUsers('analyst', company.a.clusterId, { scope_id: company.a.scope })).data.total_count,
    ).toBe(3);
    await company.identity.users.enable(company.userIds.viewer);
  });

  it('[C041] another tenant, another scope and a scope that is not there answer alike', async () => {
    const own = company.a.clusterId;
    const answers = await Promise.all([
      scopeUsers('analyst', own, { scope_id: company.a.otherScope }),
      scopeUsers('analyst', own, { scope_id: company.a.disabledScope }),
      scopeUsers('analyst', own, { scope_id: company.b.scope }),
      scopeUsers('analyst', own, { scope_id: 'nosuchscope1' }),
      scopeUsers('analyst', company.b.clusterId, { scope_id: company.b.scope }),
      scopeUsers('analyst', company.b.clusterId, { scope_id: company.a.scope }),
      scopeUsers('analyst', 'nosuchtenant', { scope_id: company.a.scope }),
    ]);
    for (const answer of answers) {
      expect([answer.http, answer.body]).toEqual([
        403,
        {
          status: 'failed',
          message: 'user not authorised',
          data: null,
          code: 'not-authorised',
          messageCode: 'session.notAuthorised',
          messageValues: {},
        },
      ]);
    }
    const missing = await scopeUsers('analyst', own, {});
    expect([missing.http, missing.body.status]).toEqual([422, 'failed']);
  });

  it('[C125][S7-63] the users of a tenant, for its administrators', async () => {
    const list = (role: SeedRole, input: object = {}) =>
      test.call(listTenantUsers, { ssid: ssids[role], params: { clusterId: company.a.clusterId }, input });
    const { data } = await list('tenantAdmin');
    expect(data.total_count).toBe(6);
    const engineer = data.data.find((user) => user.user_id === 'uengineer');
    expect(engineer).toMatchObject({ access_type: 'Custom', status: 'enabled' });
    expect(engineer?.scope_access.map((scope) => scope.role)).toEqual(Array(3).fill('Security Engineer'));
    expect((await list('tenantAdmin', { query: 'VIEWER' })).data.total_count).toBe(1);
    expect((await list('engineer')).http).toBe(403);
    expect(JSON.stringify(data)).not.toContain('engineerofb');
  });

  it('[S6-10] organizations: all for root, the own one for its administrator', async () => {
    await company.identity.organizations.create('Elsewhere');
    const list = (role: SeedRole) => test.call(listOrganizations, { ssid: ssids[role] });
    expect((await list('orgAdmin')).data.data).toMatchObject([
      { name: 'Harbour', tenant_count: 2, user_count: 11 },
    ]);
    expect((await list('root')).data.data.map((one) => one.name)).toEqual([
      'Elsewhere',
      'Harbour',
      'Platform',
    ]);
    expect((await list('tenantAdmin')).http).toBe(403);
  });
});

describe('making and removing', () => {
  it('[S4-10] a scope that is disabled stops access at once', async () => {
    const { clusterId, otherScope } = company.a;
    const ask = () =>
      test.call(listScopeUsers, {
        ssid: ssids.engineer,
        params: { clusterId },
        input: { scope_id: otherScope },
      });
    expect((await ask()).http).toBe(200);
    await company.identity.tenants.setScopeEnabled(clusterId, otherScope, false);
    expect(await company.identity.tenants.isScopeEnabled(clusterId, otherScope)).toBe(false);
    expect((await ask()).http).toBe(403);
    await company.identity.tenants.setScopeEnabled(clusterId, otherScope, true);
    expect((await ask()).http).toBe(200);
  });

  it('grants only within the tenants of the organization, and only scopes of the tenant', async () => {
    const { users, organizations } = company.identity;
    const orgId = await organizations.create('Strangers');
    const userId = await users.create({
      orgId,
      email: 'stranger@elsewhere.example',
      name: 'Stranger',
      userType: 'general',
      password: 'Brought-along.7',
    });
    const access = { userId, clusterId: company.a.clusterId, accessType: 'Custom', roles: {} } as const;
    await expect(users.grant(access)).rejects.toMatchObject({ kind: 'bad-input' });
    await company.identity.tenants.connectOrganization(company.a.clusterId, orgId);
    await users.grant(access);
    const wrongScope = { ...access, roles: { [company.b.scope]: 'Viewer' } } as const;
    await expect(users.grant(wrongScope)).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(
      users.create({
        orgId,
        email: 'STRANGER@elsewhere.example',
        name: 'x',
        userType: 'general',
        password: 'Brought-along.7',
      }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    await expect(
      users.create({
        orgId,
        email: 'y@z',
        name: ' System ',
        userType: 'general',
        password: 'Brought-along.7',
      }),
    ).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(organizations.remove(orgId)).rejects.toMatchObject({ kind: 'conflict' });
    await users.remove(userId);
    await expect(organizations.remove(orgId)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('keeps the last root administrator', async () => {
    const { users } = company.identity;
    const all = await users.all();
    const roots = all.filter((user) => user.user_type === 'root' && !user.root_viewer);
    expect(roots).toHaveLength(2);
    await users.disable(roots[0]?.user_id ?? '');
    await expect(users.disable(roots[1]?.user_id ?? '')).rejects.toMatchObject({ kind: 'conflict' });
    await users.enable(roots[0]?.user_id ?? '');
  });

  it('removes a tenant with all that belongs to it, and nothing of another', async () => {
    const { tenants, users } = company.identity;
    const made = await tenants.create({
      name: 'Gamma',
      productType: 'professional',
      primaryOrgId: company.orgId,
      scopes: ['One'],
    });
    await expect(
      tenants.create({ name: 'GAMMA', productType: 'essential', primaryOrgId: company.orgId, scopes: [] }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    const scopeId = made.scopes[0]?.scopeId ?? '';
    await users.grant({
      userId: company.userIds.viewer,
      clusterId: made.clusterId,
      accessType: 'Custom',
      roles: { [scopeId]: 'Viewer' },
    });
    await test.platform.postgres.inTenant(made.clusterId, async (trx) => {
      await sql`insert into incident_case_counter values (${made.clusterId}, 3)`.execute(trx);
    });
    await test.platform.postgres.inTenant(company.a.clusterId, async (trx) => {
      await sql`insert into incident_case_counter values (${company.a.clusterId}, 0)`.execute(trx);
    });
    const databases = async () => {
      const { rows } = await test.platform.eventStore.rows(company.a.clusterId, {
        sql: `select count() from system.databases where name = 'tenant_${made.clusterId}'`,
        scopes: 'all',
      });
      return Number(rows[0]?.[0]);
    };
    expect(await databases()).toBe(1);
    await tenants.remove(made.clusterId);
    expect(await databases()).toBe(0);
    const { rows } = await sql<{ n: number }>`select
      (select count(*) from tenant where cluster_id = ${made.clusterId})
      + (select count(*) from tenant_access where cluster_id = ${made.clusterId})
      + (select count(*) from scope where cluster_id = ${made.clusterId}) as n`.execute(
      test.platform.postgres.platform,
    );
    expect(rows[0]?.n).toBe(0);
    expect(
      (await test.call(accessDetails, { ssid: await company.signIn('viewer') })).data.access,
    ).toHaveLength(1);
    const counters = (clusterId: string) =>
      test.platform.postgres.inTenant(
        clusterId,
        async (trx) => (await sql`select 1 from incident_case_counter`.execute(trx)).rows.length,
      );
    expect([await counters(made.clusterId), await counters(company.a.clusterId)]).toEqual([0, 1]);
  });

  it('no table with a cluster id is without row-level security, save those of identity', async () => {
    const { rows } = await sql<{ name: string; forced: boolean; policies: number }>`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
        (select count(*) from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_rows') as policies
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'cluster_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      order by c.relname`.execute(test.platform.postgres.platform);
    const open = rows.filter((row) => !row.forced || row.policies === 0).map((row) => row.name);
    expect(open).toEqual([
      // Whose token it is, is known only after it has been found.
      'api_token',
      'audit_entry',
      // Settings of the platform that may name a cluster; the role of tenant work has no right to them.
      'component_config',
      // A sender is known by its token, certificate or address before its tenant is.
      'ingest_certificate',
      'ingest_sender',
      'ingest_token',
      // Of all tenants and of none; a tenant's transaction adds to it through a function that refuses another tenant's.
      'job_run',
      // A user's, from all tenants of the user.
      'notification',
      // The filters that somebody keeps, read by their user and no tenant.
      'saved_view',
      'scope',
      'scope_access',
      'switch_value',
      // Root's, over all tenants; the role of tenant work has no right to it.
      'syslog_grant',
      'tenant',
      'tenant_access',
      'tenant_engine',
      'tenant_organization',
    ]);
    expect(rows.length).toBeGreaterThan(15);
  });

  it('the role of tenant work cannot read people, sessions or rights', async () => {
    const identity = ['person', 'session', 'tenant_access', 'scope_access', 'audit_entry'];
    const ofPlatform = ['tenant_engine', 'switch_value', 'component_config', 'job_run', 'job_runner'];
    for (const table of [...identity, ...ofPlatform]) {
      await expect(
        test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
          sql`select * from ${sql.id(table)}`.execute(trx),
        ),
      ).rejects.toThrow(/permission denied/);
    }
  });
});
