import { exportPlatformList, PLATFORM_EXPORT_FIELDS, type PlatformList } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
let strangers: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  strangers = await seedCompany(test.platform, '2');
  await sql`update person set name = '=cmd|calc' where user_id = ${company.userIds.viewer}`.execute(
    test.platform.postgres.platform,
  );
});
afterAll(() => test?.close());

async function take(role: SeedRole, entity: PlatformList, more: Record<string, unknown> = {}) {
  const answer = await test.call(exportPlatformList, {
    ssid: await company.signIn(role),
    input: { entity, fields: [...PLATFORM_EXPORT_FIELDS[entity]], file_name: 'list', ...more },
  });
  return { http: answer.http, lines: answer.text.trim().split('\r\n'), text: answer.text };
}

describe('lists of administration as files', () => {
  it('[C026] tenants: those that the caller reaches, with the names of their scopes', async () => {
    const own = await take('tenantAdmin', 'tenants', { selection: { query: 'alp' } });
    expect(own.lines.slice(0, 2)).toEqual([
      '"# tenants: 1 rows, times in UTC"',
      expect.stringContaining('alp'),
    ]);
    expect(own.lines[3]).toContain('Alpha,Harbour,enterprise,open,"Main; Branch",6,');
    expect((await take('root', 'tenants')).lines).toHaveLength(3 + 4);
    expect((await take('tenantAdmin', 'tenants')).text).not.toContain('Beta');
  });

  it('organizations and people: of the own organization, or of all for root; no formula in them', async () => {
    expect((await take('orgAdmin', 'organizations')).text).not.toContain('Harbour2');
    expect((await take('root', 'organizations')).text).toContain('Harbour2');
    const people = await take('orgAdmin', 'people', { orgId: company.orgId });
    expect(people.lines[0]).toBe('"# people: 11 rows, times in UTC"');
    expect(people.text).toContain("'=cmd|calc");
    const foreign = await take('orgAdmin', 'people', { orgId: strangers.orgId });
    const missing = await take('orgAdmin', 'people', { orgId: 'nosuchorg' });
    expect([foreign.http, foreign.text]).toEqual([404, missing.text]);
    expect((await take('orgAdmin', 'people')).http).toBe(422);
  });

  it('[C125] users of a tenant with their roles, for its administrators', async () => {
    const { clusterId } = company.a;
    const users = await take('tenantAdmin', 'tenant_users', { clusterId, format: 'ndjson' });
    const rows = users.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.find((row) => row.user_id === company.userIds.analyst)).toMatchObject({
      roles: ['Main: Security Analyst', 'Retired: Security Analyst'],
      access_type: 'Custom',
    });
    expect((await take('tenantAdmin', 'tenant_users', { clusterId: company.b.clusterId })).http).toBe(403);
  });

  it.each(['engineer', 'analyst', 'viewer', 'noAccess', 'contentManager'] as const)(
    '[S6-01] are refused to %s as the lists themselves are',
    async (role) => {
      expect((await take(role, 'organizations')).http).toBe(403);
      expect((await take(role, 'people', { orgId: company.orgId })).http).toBe(403);
      expect((await take(role, 'tenant_users', { clusterId: company.a.clusterId })).http).toBe(403);
    },
  );

  it('are written down with who took how many rows', async () => {
    await take('orgAdmin', 'people', { orgId: company.orgId, file_name: 'staff' });
    const { rows } = await sql<{ details: { rows: number }; org_id: string }>`
      select details, org_id from audit_entry where action = 'people.export' and entity = 'staff'`.execute(
      test.platform.postgres.platform,
    );
    expect(rows).toMatchObject([{ details: { rows: 11 }, org_id: company.orgId }]);
  });
});
