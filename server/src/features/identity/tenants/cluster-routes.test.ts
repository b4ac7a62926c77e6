import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  acceptClusterEula,
  clusterSummary,
  connectCluster,
  fetchLicense,
  listFleet,
  removeCluster,
  renameCluster,
  saveClusterEngine,
  setLicense,
  setUpCluster,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';

// The engine of the run, reached through a proxy of our own that counts and can be shut: what goes through it went
// to the engine of the tenant and to no other.

let test: TestApp;
let company: Company;
let proxy: http.Server;
let address = '';
let asked = 0;
let isShut = false;
const ssids: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  const target = new URL(inject('testEngines').clickhouse.url);
  proxy = http.createServer((request, response) => {
    asked++;
    if (isShut) return void response.socket?.destroy();
    const { method, headers, url } = request;
    const through = http.request(
      // A connection for each request: one kept open may be closed by the engine in the moment it is used again.
      { host: target.hostname, port: target.port, method, headers, path: url, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    through.on('error', () => response.destroy());
    request.pipe(through);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  test = await testApp();
  company = await seedCompany(test.platform);
  for (const role of ['root', 'rootViewer', 'tenantAdmin', 'engineer'] as const) {
    ssids[role] = await company.signIn(role);
  }
});
afterAll(async () => {
  await test?.close();
  proxy.closeAllConnections();
  await new Promise<void>((resolve) => proxy.close(() => resolve()));
});

const as = (role: SeedRole) => ({ ssid: ssids[role] ?? '' });
const fleet = async () => (await test.call(listFleet, as('root'))).data.data;
const member = async (clusterId: string) => (await fleet()).find((one) => one.clusterId === clusterId);
const store = (clusterId: string, token: string) =>
  test.platform.eventStore.insertRows(
    clusterId,
    Buffer.from(
      JSON.stringify({ TimeGenerated: new Date().toISOString(), Scope: 's', Stream: 'Dns', Message: token }),
    ),
    { dedupToken: token },
  );

function ownEngine(change: object = {}) {
  const { ingest, query } = inject('testEngines').clickhouse;
  return {
    url: address,
    ingest_user: ingest.user,
    ingest_password: ingest.password,
    query_user: query.user,
    query_password: query.password,
    ...change,
  };
}

describe('Mission Control', () => {
  let clusterId = '';

  it('[C029][S7-30][S2-12] connects a cluster to a ClickHouse of its own that lets both accounts in', async () => {
    const connect = (engine: object, clusterName = 'Delta') =>
      test.call(connectCluster, { ...as('root'), input: { clusterName, engine } });
    const refused = await connect(ownEngine({ query_password: 'wrong' }));
    expect([refused.http, refused.body.message]).toEqual([
      422,
      expect.stringMatching(/^engine: .*password/is),
    ]);
    expect((await connect(ownEngine({ url: 'http://127.0.0.1:1' }))).body.message).toContain(
      'does not answer',
    );
    expect((await fleet()).map((one) => one.clusterName)).toEqual(['Alpha', 'Beta']);
    const made = await connect(ownEngine());
    expect(made.http, made.text).toBe(200);
    expect(made.data.engine_version).toMatch(/^\d+\./);
    clusterId = made.data.clusterId;
    expect(await member(clusterId)).toMatchObject({
      state: 'connected',
      engine_url: address,
      scope_count: 0,
    });
    const taken = await connect(ownEngine(), 'DELTA');
    expect(taken.http, taken.text).toBe(409);
    expect((await connect(ownEngine({ url: 'file:///etc/passwd' }))).http).toBe(422);
  });

  it('[C030][S7-31] sets it up with product type, organization, scopes and administrator, once', async () => {
    const admin = await company.identity.users.create({
      orgId: company.orgId,
      name: 'Dana',
      email: 'dana@harbour.example',
      userType: 'general',
      password: 'Seed-word.42',
    });
    const setUp = (change: object) =>
      test.call(setUpCluster, {
        ...as('root'),
        input: {
          clusterId,
          productType: 'professional',
          primary_org_id: company.orgId,
          scopes: ['North', 'South'],
          admin_user_id: admin,
          ...change,
        },
      });
    expect((await setUp({ primary_org_id: 'nosuchorg' })).http).toBe(422);
    expect((await setUp({ admin_user_id: 'nosuchuser' })).http).toBe(422);
    expect((await setUp({ scopes: ['North', 'north'] })).http).toBe(422);
    expect((await setUp({ clusterId: 'nosuchtenant' })).http).toBe(404);
    expect((await setUp({})).data.scopes.map((scope) => scope.scope_name)).toEqual(['North', 'South']);
    expect((await setUp({})).http).toBe(409);
    expect(await member(clusterId)).toMatchObject({
      state: 'agreement',
      productType: 'professional',
      primary_org: 'Harbour',
      scope_count: 2,
      user_count: 1,
    });
  });

  it('[C033][S7-34][C025][S7-26] becomes active with the agreement, and expires with its licence', async () => {
    const accept = () => test.call(acceptClusterEula, { ...as('root'), input: { clusterId } });
    const first = (await accept()).data;
    expect(first.accepted_by).toBe('root of Harbour');
    test.platform.clock.advance(1000);
    expect((await accept()).data).toEqual(first);
    expect((await member(clusterId))?.state).toBe('active');
    const license = (license_until: number | null) =>
      test.call(setLicense, {
        ...as('root'),
        input: { clusterId, licenseType: 'subscription', productType: 'enterprise', license_until },
      });
    await license(test.platform.clock.now() - 1);
    expect(await member(clusterId)).toMatchObject({ state: 'expired', licenseType: 'subscription' });
    await license(null);
    expect(await member(clusterId)).toMatchObject({ state: 'active', productType: 'enterprise' });
  });

  it('[C032][S7-33] tells the licence and how much of the plan is used', async () => {
    const { data } = await test.call(fetchLicense, {
      ...as('tenantAdmin'),
      params: { clusterId: company.a.clusterId },
    });
    expect(data).toMatchObject({
      licenseType: 'open',
      productType: 'enterprise',
      is_expired: false,
      eula: null,
    });
    const used = Object.fromEntries(data.usage.map((one) => [one.limit, [one.used, one.allowed]]));
    expect(used).toMatchObject({
      users: [5, 15],
      streamed_workbooks: [0, 500],
      tracked_signals: [0, 10_000_000],
      scheduled_reports: [null, 15],
    });
  });

  it('[C028][S7-29] gives a cluster in figures, from the engine where its events stand', async () => {
    asked = 0;
    await store(clusterId, 'one');
    await store(clusterId, 'two');
    expect(asked).toBeGreaterThan(1);
    const { data } = await test.call(clusterSummary, { ...as('rootViewer'), params: { clusterId } });
    expect(data).toMatchObject({
      events: 2,
      events_24h: 2,
      admin_count: 1,
      open_cases: 0,
      pending_signals: 0,
      streams: [{ stream: 'Dns', events: 2 }],
      problem: null,
    });
    expect(data.disk_bytes).toBeGreaterThan(0);
    const before = asked;
    await store(company.a.clusterId, 'other');
    await test.call(clusterSummary, { ...as('tenantAdmin'), params: { clusterId: company.a.clusterId } });
    expect(asked).toBe(before);
  });

  it('an engine that is gone leaves its cluster unreachable and the others alone', async () => {
    isShut = true;
    try {
      const all = await fleet();
      expect(all.map((one) => [one.clusterName, one.state])).toEqual([
        ['Alpha', 'agreement'],
        ['Beta', 'agreement'],
        ['Delta', 'unreachable'],
      ]);
      expect(all[2]).toMatchObject({ events_24h: null, problem: expect.stringContaining('does not answer') });
      // [R-C39]
      expect(all[2]?.messageCode).toMatch(/^engines\.(failed|late)$/);
    } finally {
      isShut = false;
    }
    expect((await member(clusterId))?.state).toBe('active');
  });

  it('keeps the passwords of an engine sealed, and takes new ones only when they are let in', async () => {
    const { rows } = await sql<{
      text: string;
    }>`select tenant_engine::text as text from tenant_engine`.execute(test.platform.postgres.platform);
    const { ingest, query } = inject('testEngines').clickhouse;
    for (const { password } of [ingest, query]) expect(rows[0]?.text).not.toContain(password);
    const { url: _, ...accounts } = ownEngine();
    const save = (input: typeof accounts, id = clusterId) =>
      test.call(saveClusterEngine, { ...as('root'), params: { clusterId: id }, input });
    expect((await save({ ...accounts, ingest_password: 'wrong' })).http).toBe(422);
    expect((await save(accounts)).http).toBe(200);
    expect((await save(accounts, company.a.clusterId)).http).toBe(409);
    const trail = await sql<{ text: string }>`select details::text as text from audit_entry`.execute(
      test.platform.postgres.platform,
    );
    for (const { password } of [ingest, query]) {
      expect(trail.rows.map((row) => row.text).join()).not.toContain(password);
    }
  });

  it('[C031][S7-32] renames a cluster, for its administrators and root', async () => {
    const rename = (role: SeedRole, clusterName: string, id = company.a.clusterId) =>
      test.call(renameCluster, { ...as(role), params: { clusterId: id }, input: { clusterName } });
    expect((await rename('tenantAdmin', 'Alpha Works')).data.clusterName).toBe('Alpha Works');
    expect((await rename('tenantAdmin', 'beta')).http).toBe(409);
    expect((await rename('tenantAdmin', 'x', company.b.clusterId)).http).toBe(403);
    expect((await rename('rootViewer', 'x')).http).toBe(403);
    expect((await rename('root', 'Alpha')).http).toBe(200);
  });

  it('deletes a cluster whose name is typed, with its database on its own engine', async () => {
    const remove = (clusterName: string) =>
      test.call(removeCluster, { ...as('root'), params: { clusterId }, input: { clusterName } });
    expect((await remove('delta')).http).toBe(422);
    expect((await remove('Delta')).http).toBe(200);
    expect(await member(clusterId)).toBeUndefined();
    const left = await test.platform.eventStore.systemRows(
      'SELECT name FROM system.databases WHERE name = {name:String}',
      { name: `tenant_${clusterId}` },
    );
    expect(left).toEqual([]);
  });

  it('[S6-14] a root viewer sees the fleet and changes nothing; others do not see it', async () => {
    const { http: seen } = await test.call(listFleet, as('rootViewer'));
    expect(seen).toBe(200);
    const a = company.a.clusterId;
    const requests = [
      test.call(connectCluster, { ...as('rootViewer'), input: { clusterName: 'X' } }),
      test.call(setLicense, {
        ...as('rootViewer'),
        input: { clusterId: a, licenseType: 'open', productType: 'essential' },
      }),
      test.call(acceptClusterEula, { ...as('rootViewer'), input: { clusterId: a } }),
      test.call(listFleet, as('tenantAdmin')),
      test.call(clusterSummary, { ...as('engineer'), params: { clusterId: a } }),
    ];
    expect((await Promise.all(requests)).map((answer) => answer.http)).toEqual([403, 403, 403, 403, 403]);
  });
});
