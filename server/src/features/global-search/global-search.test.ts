import { createCase, globalSearch, type OutputOf, platformSearch } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { seedSignals } from '../cases/testing/seed-signals.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
let test: TestApp;
let company: Company;

async function fill(clusterId: string, scopeId: string, role: SeedRole, mark: string) {
  const { postgres } = test.platform;
  const suspects = [{ type: 'user' as const, value: `mallory-${mark}` }];
  await seedSignals(postgres, { clusterId, scopeId }, [
    { id: `sig${mark}`, name: `Mallory dumps ${mark}`, firstMs: NOW - 1000, suspects },
  ]);
  await postgres.inTenant(clusterId, async (trx) => {
    await sql`insert into signal_entity (cluster_id, signal_id, role, type, value)
      values (${clusterId}, ${`sig${mark}`}, 'suspect', 'user', ${`mallory-${mark}`})`.execute(trx);
  });
  await test.call(createCase, {
    ssid: await company.signIn(role),
    params: { clusterId },
    input: { scope_id: scopeId, case_name: `Mallory ${mark}` },
  });
}

beforeAll(async () => {
  test = await testApp({ nowMs: NOW });
  company = await seedCompany(test.platform);
  await fill(company.a.clusterId, company.a.scope, 'engineer', 'here');
  await fill(company.a.clusterId, company.a.otherScope, 'engineer', 'branch');
  await fill(company.b.clusterId, company.b.scope, 'engineerOfB', 'foreign');
});
afterAll(() => test?.close());

const find = async (role: SeedRole, query: string, tenant = company.a, scope_id = tenant.scope) =>
  test.call(globalSearch, {
    ssid: await company.signIn(role),
    params: { clusterId: tenant.clusterId },
    input: { scope_id, query },
  });
const namesIn = (found: OutputOf<typeof globalSearch>) => [
  ...found.cases.map((one) => one.case_name),
  ...found.signals.map((one) => one.name),
  ...found.entities.map((one) => `${one.role} ${one.type} ${one.value} ${one.signal_count}`),
];

describe('the search of the palette', () => {
  it('finds cases, signals and entities of the scope, whatever the case of the letters', async () => {
    const { data } = await find('analyst', 'mALLory');
    expect(namesIn(data)).toEqual(['Mallory here', 'Mallory dumps here', 'suspect user mallory-here 1']);
  });

  it('finds a case by its key', async () => {
    expect((await find('analyst', 'case-1')).data.cases).toHaveLength(1);
  });

  it('takes signs of patterns as they are', async () => {
    expect(namesIn((await find('analyst', '%%')).data)).toEqual([]);
    expect(namesIn((await find('analyst', "' or 1=1")).data)).toEqual([]);
  });

  it('finds nothing of another scope or tenant, and is refused there', async () => {
    const text = (await find('engineer', 'mallory')).text;
    expect(text).not.toMatch(/branch|foreign/);
    expect(namesIn((await find('engineer', 'mallory', company.a, company.a.otherScope)).data)).toEqual([
      'Mallory branch',
      'Mallory dumps branch',
      'suspect user mallory-branch 1',
    ]);
    const foreign = await find('engineer', 'mallory', company.b);
    expect([foreign.http, foreign.text.includes('foreign')]).toEqual([403, false]);
    expect((await find('viewer', 'mallory')).http).toBe(403);
  });
});

describe('the search of the palette for administrators', () => {
  const search = async (role: SeedRole, query: string) =>
    test.call(platformSearch, { ssid: await company.signIn(role), input: { query } });

  it('finds organizations and people, those that begin with the text first', async () => {
    await company.identity.organizations.create('New Harbour');
    await company.identity.organizations.create('Old port harbour');
    const { data } = await search('root', 'HARBOUR');
    expect(data.organizations.map((one) => one.name)).toEqual(['Harbour', 'New Harbour', 'Old port harbour']);
    expect((await search('rootViewer', 'engineerofb@')).data.people).toEqual([
      {
        user_id: company.userIds.engineerOfB,
        name: 'engineerOfB of Harbour',
        email_id: company.emailOf('engineerOfB'),
        orgId: company.orgId,
        organization: 'Harbour',
      },
    ]);
    expect((await search('root', '%%')).data).toEqual({ organizations: [], people: [] });
  });

  it('keeps an administrator of an organization to the own one, and others out', async () => {
    const strangers = await seedCompany(test.platform, '9');
    const { data } = await search('orgAdmin', 'harbour');
    expect(data.organizations).toEqual([{ orgId: company.orgId, name: 'Harbour' }]);
    expect(data.people.every((one) => one.orgId === company.orgId)).toBe(true);
    expect((await search('orgAdmin', strangers.emailOf('viewer'))).data.people).toEqual([]);
    for (const role of ['tenantAdmin', 'engineer', 'viewer', 'contentManager', 'noAccess'] as const) {
      expect((await search(role, 'harbour')).http).toBe(403);
    }
  });
});
