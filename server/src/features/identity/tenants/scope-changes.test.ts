import { createCase, deleteScope, listScopes, saveScope, setScopeStatus } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_ROLES, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { fillTables, tablesOfScopes, tablesWithRows } from './testing/fill-scope-tables.ts';

let test: TestApp;
let company: Company;
const ssids = {} as Record<SeedRole, string>;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  for (const role of SEED_ROLES) ssids[role] = await company.signIn(role);
});
afterAll(() => test?.close());

const inA = () => ({ clusterId: company.a.clusterId });
const save = (role: SeedRole, input: object) =>
  test.call(saveScope, { ssid: ssids[role], params: inA(), input });
const remove = (role: SeedRole, input: object) =>
  test.call(deleteScope, { ssid: ssids[role], params: inA(), input });
const switchTo = (role: SeedRole, scopeId: string, is_enabled: boolean) =>
  test.call(setScopeStatus, { ssid: ssids[role], params: { ...inA(), scopeId }, input: { is_enabled } });
const scopesOf = async (role: SeedRole) =>
  (await test.call(listScopes, { ssid: ssids[role], params: inA() })).data.data.map((one) => one.scope_name);

async function trail(action: string): Promise<readonly { entity: string; details: unknown }[]> {
  const { rows } = await sql<{ entity: string; details: unknown }>`
    select entity, details from audit_entry where action = ${action} order by audit_id`.execute(
    test.platform.postgres.platform,
  );
  return rows;
}

describe('scopes of a tenant', () => {
  it('[C021][S7-22][S3-19] are made and renamed by the path with the slash at the end', async () => {
    const made = await save('tenantAdmin', { scope_name: '  Depot ' });
    expect(made.data).toMatchObject({ scope_name: 'Depot', is_enabled: true });
    expect(await scopesOf('tenantAdmin')).toContain('Depot');
    const { scope_id } = made.data;
    expect((await save('root', { scope_id, scope_name: 'Yard' })).data).toMatchObject({
      scope_id,
      scope_name: 'Yard',
    });
    expect((await save('tenantAdmin', { scope_name: 'YARD' })).http).toBe(409);
    expect((await save('tenantAdmin', { scope_id, scope_name: ' ' })).http).toBe(422);
    expect(await trail('scope.create')).toMatchObject([{ entity: scope_id }]);
    expect(await trail('scope.rename')).toMatchObject([{ details: { from: 'Depot', to: 'Yard' } }]);
  });

  it('[C022][S7-23][S3-18][S4-10] are switched on and off; a disabled one is hidden and takes nothing in', async () => {
    const { otherScope } = company.a;
    const params = { ...inA(), scopeId: otherScope };
    const ssid = ssids.tenantAdmin;
    const wrong = await test.call(setScopeStatus, { ssid, params, input: { is_enabled: 'no' } as never });
    expect(wrong.http).toBe(422);
    expect((await switchTo('tenantAdmin', otherScope, false)).data).toEqual({
      scope_id: otherScope,
      is_enabled: false,
    });
    expect(await scopesOf('engineer')).not.toContain('Branch');
    expect(await company.identity.tenants.isScopeEnabled(company.a.clusterId, otherScope)).toBe(false);
    await switchTo('tenantAdmin', otherScope, false);
    await switchTo('tenantAdmin', otherScope, true);
    expect(await scopesOf('engineer')).toContain('Branch');
    // Whoever switches off what is off has done so all the same.
    expect(await trail('scope.disable')).toMatchObject([
      { details: { scope_name: 'Branch' } },
      { details: { scope_name: 'Branch', changed: 0 } },
    ]);
    expect(await trail('scope.enable')).toHaveLength(1);
  });

  it('[C021][C023][S7-24] two paths apart by a slash never do the work of the other', async () => {
    const before = await scopesOf('tenantAdmin');
    const post = (url: string, payload: object) =>
      test.app.inject({ method: 'POST', url, headers: { ssid: ssids.tenantAdmin }, payload });
    const base = `/${company.a.clusterId}/mgmt/scope`;
    // A save that lost its slash deletes nothing, and a deletion that gained one makes nothing.
    expect((await post(base, { scope_id: company.a.disabledScope, scope_name: 'Renamed' })).statusCode).toBe(
      422,
    );
    expect((await post(base, { action: 'save', scope_id: company.a.disabledScope })).statusCode).toBe(422);
    expect((await post(`${base}/`, { scope_id: company.a.disabledScope })).statusCode).toBe(422);
    expect((await post(`${base}/`, { action: 'delete', scope_name: 'New' })).statusCode).toBe(422);
    expect(await scopesOf('tenantAdmin')).toEqual(before);
  });

  it('[C023][S7-24] are deleted once disabled, with their records and their events', async () => {
    const { scope_id } = (await save('root', { scope_name: 'Doomed' })).data;
    const { clusterId } = company.a;
    await company.identity.users.grant({
      userId: company.userIds.engineer,
      clusterId,
      accessType: 'Custom',
      roles: {
        [company.a.scope]: 'Security Engineer',
        [company.a.otherScope]: 'Security Engineer',
        [scope_id]: 'Security Engineer',
      },
    });
    const made = await test.call(createCase, {
      ssid: ssids.engineer,
      params: { clusterId },
      input: { scope_id, case_name: 'Lost with its scope' },
    });
    expect(made.http).toBe(200);
    const now = new Date().toISOString();
    const lines = [scope_id, company.a.scope]
      .map((Scope) => JSON.stringify({ TimeGenerated: now, Scope, Stream: 'Generic', Message: 'x' }))
      .join('\n');
    await test.platform.eventStore.insertRows(clusterId, Buffer.from(lines), { dedupToken: 'doomed' });
    expect((await remove('tenantAdmin', { scope_id })).body.message).toContain('Disable the scope');
    await switchTo('tenantAdmin', scope_id, false);
    expect((await remove('tenantAdmin', { scope_id })).data).toEqual({ scope_id });
    expect(await scopesOf('tenantAdmin')).not.toContain('Doomed');
    await expect.poll(() => eventsByScope(clusterId)).toEqual({ [company.a.scope]: 1 });
    const cases = await test.platform.postgres.inTenant(clusterId, (trx) =>
      sql`select from incident_case where scope_id = ${scope_id}`.execute(trx),
    );
    expect(cases.rows).toEqual([]);
    expect((await remove('tenantAdmin', { scope_id })).http).toBe(403);
    expect(await trail('scope.delete')).toMatchObject([
      { entity: scope_id, details: { scope_name: 'Doomed' } },
    ]);
  });

  it('[C023][S7-24] leave nothing behind in any table that knows scopes, in neither store', async () => {
    const { postgres, eventStore } = test.platform;
    const { clusterId } = company.a;
    const scopeId = (await save('root', { scope_name: 'Full' })).data.scope_id;
    await switchTo('tenantAdmin', scopeId, false);
    const db = postgres.platform as never;
    // The trail keeps what was done in a scope, and writes its entries alone.
    const tables = (await tablesOfScopes(db)).filter((name) => name !== 'audit_entry');
    await fillTables(
      db,
      tables.filter((name) => name !== 'scope'),
      { clusterId, scopeId },
    );
    // Some would be left out if their rows could not be made.
    expect(await tablesWithRows(db, tables, { clusterId, scopeId })).toEqual(tables);
    await eventStore.ensureTenant(clusterId);
    const database = await eventStore.tablesDatabase(clusterId);
    const scoped = await eventStore.systemRows<{ table: string }>(
      `SELECT c.table AS table FROM system.columns c JOIN system.tables t ON t.database = c.database AND t.name = c.table
        WHERE c.database = {database:String} AND c.name = 'Scope' AND t.engine LIKE '%MergeTree' ORDER BY table`,
      { database },
    );
    const names = scoped.map(({ table }) => table);
    expect(names).toEqual(expect.arrayContaining(['events', 'event_figures', 'eventstore_rows']));
    const counts = async () =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => {
            const [row] = await eventStore.systemRows<{ n: string }>(
              `SELECT count() AS n FROM \`${database}\`.\`${name}\` WHERE Scope = {scope:String}`,
              { scope: scopeId },
            );
            return [name, Number(row?.n)] as const;
          }),
        ),
      );
    const row = { TimeGenerated: new Date().toISOString(), Stream: 'Generic', DvcHostname: 'h' };
    for (const table of names.filter((name) => !name.endsWith('_figures')))
      await eventStore.insertRows(
        clusterId,
        Buffer.from(JSON.stringify({ Scope: scopeId, ...(table === 'events' ? row : {}) })),
        { dedupToken: `full ${table}`, table },
      );
    expect(Object.values(await counts()).every((n) => n > 0)).toBe(true);
    expect((await remove('tenantAdmin', { scope_id: scopeId })).data).toEqual({ scope_id: scopeId });
    expect(await tablesWithRows(db, tables, { clusterId, scopeId })).toEqual([]);
    await expect.poll(counts).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
  });

  it('[C023] the last one stays', async () => {
    const { clusterId, scopes } = await company.identity.tenants.create({
      name: 'Single',
      productType: 'essential',
      primaryOrgId: company.orgId,
      scopes: ['Only'],
    });
    const scopeId = scopes[0]?.scopeId ?? '';
    await company.identity.tenants.setScopeEnabled(clusterId, scopeId, false);
    const asked = { ssid: ssids.root, params: { clusterId }, input: { scope_id: scopeId } };
    expect((await test.call(deleteScope, asked)).body.message).toContain('at least one scope');
    await company.identity.tenants.remove(clusterId);
  });

  it('[C021][C022][C023] of another tenant are not there, and only administrators change any', async () => {
    const refused = JSON.stringify({
      status: 'failed',
      message: 'user not authorised',
      data: null,
      code: 'not-authorised',
      messageCode: 'session.notAuthorised',
      messageValues: {},
    });
    const foreign = company.b.scope;
    for (const role of ['tenantAdmin', 'engineer', 'viewer', 'orgAdmin', 'rootViewer'] as const) {
      const answers = [
        await save(role, { scope_id: foreign, scope_name: 'Mine' }),
        await remove(role, { scope_id: foreign }),
        await switchTo(role, foreign, false),
      ];
      expect(answers.map((answer) => answer.text)).toEqual([refused, refused, refused]);
    }
    expect((await save('engineer', { scope_name: 'Mine' })).http).toBe(403);
    expect((await save('rootViewer', { scope_name: 'Mine' })).http).toBe(403);
  });
});

async function eventsByScope(clusterId: string): Promise<Record<string, number>> {
  const { rows } = await test.platform.eventStore.rows(clusterId, {
    sql: 'SELECT Scope, count() FROM events GROUP BY Scope',
    scopes: 'all',
  });
  return Object.fromEntries(rows.map(([scope, count]) => [String(scope), Number(count)]));
}
