import * as contract from '@tyrian/contract';
import {
  addCaseNote,
  CAPABILITIES,
  capabilityOf,
  createApiToken,
  createCase,
  deleteApiToken,
  listApiTokens,
  listCases,
  listSignals,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
let engineer: string;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  engineer = await company.signIn('engineer');
});
afterAll(() => test?.close());

const params = () => ({ clusterId: company.a.clusterId });
let made = 0;
async function create(capabilities: readonly string[], more: Record<string, unknown> = {}, ssid = engineer) {
  made += 1;
  const input = { scope_id: company.a.scope, app_name: `app ${made}`, capabilities, ...more };
  return test.call(createApiToken, { ssid, params: params(), input: input as never });
}

/** A call with a token instead of a session. */
async function withToken(token: string, endpoint: contract.Endpoint, input: unknown, clusterId?: string) {
  const answer = await test.app.inject({
    method: endpoint.method,
    url: endpoint.path.replace(':clusterId', clusterId ?? company.a.clusterId),
    headers: { token },
    payload: input as object,
  });
  return { http: answer.statusCode, text: answer.body };
}

describe('tokens for programs', () => {
  it('[S2-51] are shown once, kept as a hash, and do what their capabilities name', async () => {
    const { data } = await create(['cases.read', 'cases.write']);
    expect(data.token).toMatch(/^tyr_api_[\w-]{43}$/);
    const list = await test.call(listApiTokens, {
      ssid: engineer,
      params: params(),
      input: { scope_id: company.a.scope },
    });
    expect(list.data[0]).toMatchObject({ app_name: data.item.app_name, prefix: data.token.slice(0, 14) });
    expect(list.text).not.toContain(data.token);
    const scope_id = company.a.scope;
    expect((await withToken(data.token, listCases, { scope_id })).http).toBe(200);
    const added = await withToken(data.token, createCase, { scope_id, case_name: 'By a program' });
    expect(added.http).toBe(200);
    expect(added.text).toContain('engineer of Harbour');
  });

  it('[R-C41] come with the address where they are shown: that of the console, or of the port of senders', async () => {
    const { config } = test.platform;
    const reader = await create(['search']);
    expect(reader.data.address).toMatch(/^https?:\/\/[^/]+$/);
    const sender = await create(['ingest']);
    expect(new URL(sender.data.address).hostname).toBe(new URL(reader.data.address).hostname);
    expect(sender.data.address.endsWith(`:${config.ingestPort}`)).toBe(true);
  });

  it('do nothing else: no call without the capability, no administration, no other scope or tenant', async () => {
    const { data } = await create(['cases.read']);
    const { token } = data;
    const scope_id = company.a.scope;
    expect((await withToken(token, addCaseNote, { scope_id, case_id: 'x', notes: 'n' })).http).toBe(403);
    expect((await withToken(token, listSignals, { scope_id })).http).toBe(403);
    expect((await withToken(token, createApiToken, { scope_id })).http).toBe(403);
    expect((await withToken(token, contract.tenantList, {})).http).toBe(403);
    const elsewhere = [
      await withToken(token, listCases, { scope_id: company.a.otherScope }),
      await withToken(token, listCases, { scope_id: company.b.scope }, company.b.clusterId),
      await withToken(token, listCases, { scope_id: 'nosuch' }, 'nosuch'),
    ];
    for (const answer of elsewhere) expect([answer.http, answer.text]).toEqual([403, elsewhere[0]?.text]);
    expect((await withToken('tyr_api_guessed', listCases, { scope_id })).http).toBe(401);
    expect((await withToken('', listCases, { scope_id })).http).toBe(401);
    // [S13] A token that is known is refused in the trail of its tenant; two alike within a minute are counted.
    const ssid = await company.signIn('tenantAdmin');
    const trail = async () => {
      const asked = { ssid, params: params(), input: { action: 'token.refused' } };
      return (await test.call(contract.clusterAuditTrail, asked)).data as { data: { details: object }[] };
    };
    await test.composed.refusals.flush(true);
    const found = (await trail()).data;
    expect(found).toMatchObject([
      { entity: data.item.app_name, scope_id, details: { reason: 'no capability', times: 3 } },
      { entity: data.item.app_name, scope_id, details: { reason: 'no capability' } },
    ]);
    expect(JSON.stringify(found)).not.toContain(token);
  });

  it('end: by time, by deletion, and with the right of whoever made them', async () => {
    const scope_id = company.a.scope;
    const short = (await create(['cases.read'], { days: 1 })).data;
    const deleted = (await create(['cases.read'])).data;
    const kept = (await create(['cases.read'], { days: 300 })).data;
    const input = { scope_id, token_id: deleted.item.token_id };
    expect((await test.call(deleteApiToken, { ssid: engineer, params: params(), input })).http).toBe(200);
    expect((await withToken(deleted.token, listCases, { scope_id })).http).toBe(401);
    expect((await test.call(deleteApiToken, { ssid: engineer, params: params(), input })).http).toBe(404);
    test.platform.clock.advance(25 * 3_600_000);
    expect((await withToken(short.token, listCases, { scope_id })).http).toBe(401);
    expect((await withToken(kept.token, listCases, { scope_id })).http).toBe(200);
    const grant = { userId: company.userIds.engineer, clusterId: company.a.clusterId } as const;
    await company.identity.users.grant({ ...grant, accessType: 'Custom', roles: {} });
    expect((await withToken(kept.token, listCases, { scope_id })).http).toBe(403);
    const roles = { [scope_id]: 'Security Engineer' as const };
    await company.identity.users.grant({ ...grant, accessType: 'Custom', roles });
    engineer = await company.signIn('engineer');
  });

  it('of ingest are those of sources: one list, and they open the port of senders alone', async () => {
    const { data } = await create(['ingest'], { app_name: 'collector' });
    expect(data.item).toMatchObject({ capabilities: ['ingest'], expires: null });
    const scope_id = company.a.scope;
    const sent = await test.ingestApp.inject({
      method: 'POST',
      url: '/services/collector/event',
      headers: { authorization: `Splunk ${data.token}` },
      payload: { event: 'hello' },
    });
    expect(sent.statusCode).toBe(200);
    expect((await withToken(data.token, listCases, { scope_id })).http).toBe(401);
    expect((await create(['ingest', 'search'])).http).toBe(422);
    const list = await test.call(listApiTokens, { ssid: engineer, params: params(), input: { scope_id } });
    expect(list.data.map((token) => token.app_name)).toContain('collector');
    const input = { scope_id, token_id: data.item.token_id };
    expect((await test.call(deleteApiToken, { ssid: engineer, params: params(), input })).http).toBe(200);
  });

  it('are made by engineers only, once per name', async () => {
    expect((await create(['search'], { app_name: 'twice' })).http).toBe(200);
    expect((await create(['search'], { app_name: 'Twice' })).http).toBe(409);
    expect((await create(['search'], {}, await company.signIn('analyst'))).http).toBe(403);
    expect((await create(['everything'])).http).toBe(422);
    expect((await create([])).http).toBe(422);
  });

  it('[S19] many made at once are no more than a scope may have', async () => {
    const { scope, clusterId } = company.a;
    const postgres = test.platform.postgres.platform;
    const filled = sql`insert into api_token (token_id, cluster_id, scope_id, user_id, created_by, app_name, description,
        capabilities, token_hash, prefix, created_at, expires_at)
      select 'filled' || n, cluster_id, scope_id, user_id, created_by, 'filled ' || n, '', capabilities,
        sha256(('filled' || n)::bytea), prefix, created_at, expires_at
      from api_token t, generate_series(1, 198 - (select count(*) from api_token
        where cluster_id = ${clusterId} and scope_id = ${scope})::int) n
      where t.app_name = 'twice'`;
    await filled.execute(postgres);
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(['search'])));
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 200, ...Array(6).fill(409)]);
    await sql`delete from api_token where app_name like 'filled %'`.execute(postgres);
  });

  it('are described in the OpenAPI document, at every call that they open', async () => {
    const document = (await test.app.inject({ url: '/openapi.json' })).json();
    expect(document.components.securitySchemes.token).toMatchObject({ type: 'apiKey', name: 'Token' });
    for (const endpoint of test.app.boundEndpoints) {
      const capability = capabilityOf(endpoint.name);
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      const { security } = document.paths[path][endpoint.method.toLowerCase()];
      const schemes = endpoint.access.kind === 'public' ? undefined : security;
      const token = (schemes ?? []).find((one: object) => 'token' in one);
      expect(token, endpoint.name).toEqual(capability ? { token: [capability] } : undefined);
    }
    const open = test.app.boundEndpoints.map((endpoint) => capabilityOf(endpoint.name));
    expect(CAPABILITIES.filter((one) => one !== 'ingest' && !open.includes(one))).toEqual([]);
  });
});
