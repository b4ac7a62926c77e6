import { addDemo, login, readDemo, removeDemo } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { identityFeature } from '../identity/identity-feature.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { signedIn } from '../identity/users/testing/signed-in.ts';
import { ingestFeature } from '../ingest/ingest-feature.ts';
import { createDemoFlow } from './demo-flow.ts';
import { createDemoMaker } from './demo-maker.ts';
import { createDemoService } from './demo-service.ts';
import { createDemoStore, type DemoStore } from './demo-store.ts';
import { createDemoWriter } from './demo-writer.ts';

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
      heartbeat(): Promise<boolean>;
    };
    expect(await flow.heartbeat()).toBe(true); // the scenarios
    const status = await server.call(readDemo, { ssid });
    expect(status.data.state).toBe('filling');
    expect(status.data.events).toBeGreaterThan(400);

    const tenants = (await createDemoStore(server.platform.postgres).read())?.tenants ?? [];
    const stored = await server.platform.eventStore.rows(tenants[0]?.clusterId ?? '', {
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

describe('a demo company that meets trouble', () => {
  const COUNT = { sql: 'SELECT count() FROM events', scopes: 'all' } as const;

  let services: ReturnType<typeof ownServices>;
  const ownServices = () => {
    const identity = identityFeature(server.platform);
    const { ingest, sources } = ingestFeature(server.platform, { audit: identity.audit });
    return { identity, ingest, sources };
  };
  beforeAll(() => {
    services = ownServices();
  });

  /** The parts of the demo on the server under test, with the given ones changed. */
  function parts(changed: { store?: Partial<DemoStore>; prepareTenant?: () => Promise<void> } = {}) {
    const { clock, config, log, postgres } = server.platform;
    const { identity, ingest, sources } = services;
    const store = { ...createDemoStore(postgres), ...changed.store };
    const prepareTenant = changed.prepareTenant ?? (async () => undefined);
    const maker = createDemoMaker({ ...identity, sources, prepareTenant });
    const { audit } = identity;
    const service = createDemoService({ store, maker, standBack: () => flow.standBack(), clock, audit });
    const writer = createDemoWriter(ingest, config.demoEvents);
    const flow = createDemoFlow({ store, writer, clear: service.clear, clock, log });
    return { store, service, flow };
  }

  const standing = async () => {
    const { organizations, tenants, users } = services.identity;
    return {
      organization: (await organizations.all()).some(({ name }) => name === 'Halden & Vane Logistics'),
      tenants: (await tenants.all()).filter(({ name }) => /Halden|Vane/.test(name)).length,
      user: (await users.findByEmail('analyst@haldenvane.example')) !== undefined,
      record: (await createDemoStore(server.platform.postgres).read()) !== null,
    };
  };
  const NOTHING = { organization: false, tenants: 0, user: false, record: false };

  it('leaves nothing behind when it cannot be made', async () => {
    let prepared = 0;
    const prepareTenant = async () => {
      prepared += 1;
      if (prepared === 2) throw new Error('the disk is full');
    };
    await expect(parts({ prepareTenant }).service.add()).rejects.toThrow('the disk is full');
    expect(prepared).toBe(2);
    expect(await standing()).toEqual(NOTHING);
  });

  it('is cleared away by whoever comes next when its maker died', async () => {
    const died = new Promise<never>(() => undefined);
    let isMaking = (): void => undefined;
    const making = new Promise<void>((resolve) => {
      isMaking = resolve;
    });
    const prepareTenant = () => {
      isMaking();
      return died;
    };
    // Dead, it does not hold on to its lease.
    const store = { lease: async () => false };
    void parts({ store, prepareTenant }).service.add();
    await making;
    expect(await standing()).toMatchObject({ organization: true, tenants: 1, record: true });
    const next = parts();
    await next.flow.heartbeat();
    expect(await standing()).toMatchObject({ record: true });
    await expect(next.service.add()).rejects.toThrow('already exists');
    await expect(next.service.remove()).rejects.toThrow('is being created');
    // Its lease has ended.
    server.platform.clock.advance(3_600_000);
    await next.flow.heartbeat();
    expect(await standing()).toEqual(NOTHING);
  });

  it('writes no step twice when the server dies in the middle of one', async () => {
    const change: DemoStore['change'] = async (wanted) => {
      if (wanted.filledSteps !== undefined) throw new Error('killed');
      await createDemoStore(server.platform.postgres).change(wanted);
    };
    const dying = parts({ store: { change } });
    await dying.service.add();
    await expect(dying.flow.heartbeat()).rejects.toThrow('killed');
    await dying.flow.standBack();
    const { store, flow, service } = parts();
    const clusterId = (await store.read())?.tenants[0]?.clusterId ?? '';
    const countEvents = async () =>
      Number((await server.platform.eventStore.rows(clusterId, COUNT)).rows[0]?.[0]);
    const written = await countEvents();
    expect(written).toBeGreaterThan(100);
    expect(await flow.heartbeat()).toBe(true);
    expect(await countEvents()).toBe(written);
    expect((await store.read())?.filledSteps).toBe(1);
    expect(await service.remove()).toBe(3);
    expect(await standing()).toEqual(NOTHING);
  });

  it('goes on with a removal that was cut short', async () => {
    const cut = async () => {
      throw new Error('killed');
    };
    const { service } = parts({ store: { remove: cut } });
    await service.add();
    await expect(service.remove()).rejects.toThrow('killed');
    expect(await standing()).toEqual({ ...NOTHING, record: true });
    await parts().flow.heartbeat();
    expect(await standing()).toEqual(NOTHING);
  });
});
