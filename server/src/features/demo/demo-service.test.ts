import { addDemo, login, readDemo, removeDemo } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { signedIn } from '../users/testing/signed-in.ts';
import { createDemoStore } from './demo-store.ts';

let server: TestApp;
let company: Company;

beforeAll(async () => {
  server = await testApp();
  company = await seedCompany(server.platform);
});
afterAll(() => server?.close());

describe('the demo company', () => {
  it('is for root alone', async () => {
    for (const role of ['tenantAdmin', 'engineer', 'orgAdmin', 'rootViewer'] as const) {
      const ssid = await company.signIn(role);
      expect((await server.call(addDemo, { ssid })).http).toBe(403);
      expect((await server.call(removeDemo, { ssid })).http).toBe(403);
    }
  });

  it('is made once, written step by step, and removed without a trace', async () => {
    const ssid = await company.signIn('root');
    const made = await server.call(addDemo, { ssid });
    expect(made.http).toBe(200);
    expect(made.data.accounts.map((account) => account.role)).toContain('Security analyst');
    expect((await server.call(addDemo, { ssid })).http).toBe(409);

    const analyst = made.data.accounts.find((account) => account.role === 'Security analyst');
    const input = { emailId: analyst?.email ?? '', password: analyst?.password ?? '' };
    const session = signedIn((await server.call(login, { input })).data);
    expect(session.access.map((entry) => entry.productType).sort()).toEqual([
      'enterprise',
      'essential',
      'professional',
    ]);
    expect(session.access.every((entry) => entry.scope_access.length === 2)).toBe(true);

    const flow = server.composed.work.find((work) => work.name === 'demo flow') as unknown as {
      beat(): Promise<boolean>;
    };
    expect(await flow.beat()).toBe(true); // the stories
    const status = await server.call(readDemo, { ssid });
    expect(status.data.state).toBe('filling');
    expect(status.data.events).toBeGreaterThan(400);

    const places = (await createDemoStore(server.platform.postgres).read())?.places ?? [];
    const stored = await server.platform.eventStore.rows(places[0]?.clusterId ?? '', {
      sql: "SELECT countIf(CommandLine LIKE '%comsvcs.dll, MiniDump%'), countIf(ParentProcessName = '/usr/sbin/apache2'), countIf(Operation = 'StopLogging'), countIf(ParseStatus != 'PAD') FROM events",
      scopes: 'all',
    });
    const [dumps, shells, stops, unparsed] = (stored.rows[0] ?? []).map(Number);
    expect([dumps, (shells ?? 0) > 0, stops, unparsed]).toEqual([2, true, 2, 0]);

    expect((await server.call(removeDemo, { ssid })).data).toEqual({ removed_tenants: 3 });
    expect((await server.call(readDemo, { ssid })).data.state).toBe('absent');
    expect((await server.call(login, { input })).http).not.toBe(200);
    expect((await server.call(removeDemo, { ssid })).http).toBe(404);
  });
});
