import { STREAMS } from '@tyrian/catalog';
import {
  listSwitches,
  readBanner,
  readScopeStreamConfig,
  readStreamConfig,
  saveScopeStreamConfig,
  saveStreamConfig,
  setSwitch,
} from '@tyrian/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { administrationDb } from './administration-tables.ts';
import { createRetentionService } from './retention-service.ts';
import { createSwitchService } from './switch-service.ts';

const DAY = 86_400_000;
let test: TestApp;
let company: Company;
const ssids: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  for (const role of ['root', 'rootViewer', 'tenantAdmin', 'engineer', 'analyst'] as const) {
    ssids[role] = await company.signIn(role);
  }
});
afterAll(() => test?.close());

const as = (role: SeedRole) => ({ ssid: ssids[role] ?? '' });
const inA = () => ({ clusterId: company.a.clusterId });
const inScope = (scopeId = company.a.scope) => ({ ...inA(), scopeId });

async function fill(): Promise<void> {
  const now = test.platform.clock.now();
  const lines = [company.a.scope, company.a.otherScope].flatMap((Scope) =>
    ['Dns', 'Authentication'].flatMap((Stream) =>
      [1, 20, 100].map((days) =>
        JSON.stringify({
          TimeGenerated: '2019-01-01 00:00:00',
          IngestedTime: now - days * DAY,
          Scope,
          Stream,
        }),
      ),
    ),
  );
  await test.platform.eventStore.insertRows(company.a.clusterId, Buffer.from(lines.join('\n')), {
    dedupToken: 'retention',
  });
}

async function left(): Promise<Record<string, number>> {
  const { rows } = await test.platform.eventStore.rows(company.a.clusterId, {
    sql: 'SELECT Scope, Stream, count() FROM events GROUP BY Scope, Stream',
    scopes: 'all',
  });
  const name = (scope: unknown) => (scope === company.a.scope ? 'main' : 'branch');
  return Object.fromEntries(rows.map(([scope, stream, n]) => [`${name(scope)} ${stream}`, Number(n)]));
}

describe('how long events are kept', () => {
  const lineOf = (data: { data: readonly { stream: string }[] }, stream: string) =>
    data.data.find((line) => line.stream === stream);

  it('[C034][C036][S7-35][S7-36] without end until somebody says otherwise', async () => {
    const { data } = await test.call(readStreamConfig, { ...as('rootViewer'), params: inA() });
    expect(data.data.every((line) => line.retention_days === null && line.set_in === 'default')).toBe(true);
    const scoped = await test.call(readScopeStreamConfig, { ...as('engineer'), params: inScope() });
    expect(scoped.data).toEqual(data);
  });

  it('[C035][C037][S7-35][S7-36] the scope wins over the tenant, a stream over all streams', async () => {
    await fill();
    const set = (stream: string, retention_days: number | null, dry_run = false) =>
      test.call(saveStreamConfig, {
        ...as('tenantAdmin'),
        params: inA(),
        input: { stream, retention_days, dry_run },
      });
    const setInScope = (stream: string, retention_days: number | null) =>
      test.call(saveScopeStreamConfig, {
        ...as('engineer'),
        params: inScope(),
        input: { stream, retention_days },
      });
    expect((await set('', 30, true)).data).toEqual({ events_to_delete: 4 });
    const untouched = await test.call(readStreamConfig, { ...as('root'), params: inA() });
    expect(lineOf(untouched.data, 'Dns')).toMatchObject({ set_in: 'default' });
    await set('', 30);
    expect((await set('Dns', 10)).data).toEqual({ events_to_delete: 6 });
    expect((await setInScope('Dns', 365)).data).toEqual({ events_to_delete: 4 });
    const { data } = await test.call(readScopeStreamConfig, { ...as('root'), params: inScope() });
    expect(lineOf(data, 'Dns')).toMatchObject({
      retention_days: 365,
      set_in: 'scope',
      changed_by: 'engineer of Harbour',
    });
    expect(lineOf(data, 'Authentication')).toMatchObject({ retention_days: 30, set_in: 'tenant' });
    expect((await set('NoStream', 5)).http).toBe(422);
    expect((await set('Dns', 0)).http).toBe(422);
  });

  it('what is older goes, counted from when it came in, and nothing else', async () => {
    const { postgres, eventStore, clock, log } = test.platform;
    const audit = createAuditService({ postgres, clock, log });
    const retention = createRetentionService({
      ...{ postgres, eventStore, clock, audit },
      streamNames: async () => STREAMS.map(({ name }) => name),
    });
    expect(await retention.sweep(company.a.clusterId)).toBe(4);
    await expect.poll(left).toEqual({
      'main Dns': 3,
      'main Authentication': 2,
      'branch Dns': 1,
      'branch Authentication': 2,
    });
    expect(await retention.sweep(company.a.clusterId)).toBe(0);
  });

  it('[C034][C035][C036][C037] only for those who administer the tenant or engineer the scope', async () => {
    const input = { stream: 'Dns', retention_days: 1 };
    const answers = [
      await test.call(saveStreamConfig, { ...as('engineer'), params: inA(), input }),
      await test.call(saveStreamConfig, { ...as('rootViewer'), params: inA(), input }),
      await test.call(saveScopeStreamConfig, { ...as('analyst'), params: inScope(), input }),
      await test.call(saveScopeStreamConfig, {
        ...as('tenantAdmin'),
        params: inScope(company.b.scope),
        input,
      }),
      await test.call(readScopeStreamConfig, { ...as('engineer'), params: inScope(company.b.scope) }),
      await test.call(readStreamConfig, { ...as('tenantAdmin'), params: { clusterId: company.b.clusterId } }),
    ];
    expect(answers.map((answer) => answer.http)).toEqual([403, 403, 403, 403, 403, 403]);
  });
});

describe('the Switchboard', () => {
  const set = (role: SeedRole, name: string, input: object) =>
    test.call(setSwitch, { ...as(role), params: { name }, input });
  const banner = async (clusterId?: string) =>
    (await test.call(readBanner, { ...as('tenantAdmin'), input: clusterId ? { clusterId } : {} })).data?.text;

  it('[S2-19][S2-113] a value of one cluster wins over the value of all, which wins over the default', async () => {
    const { clusterId } = company.a;
    expect(await banner(clusterId)).toBe('');
    await set('root', 'maintenance_banner', { value: 'Back at six' });
    await set('root', 'maintenance_banner', { value: 'Alpha moves', clusterId });
    expect([await banner(), await banner(clusterId)]).toEqual(['Back at six', 'Alpha moves']);
    const rows = (await test.call(listSwitches, as('rootViewer'))).data.data;
    expect(rows.filter((row) => row.name === 'maintenance_banner')).toMatchObject([
      { clusterId: null, value: 'Back at six', changed_by: 'root of Harbour' },
      { clusterId, clusterName: 'Alpha', value: 'Alpha moves' },
    ]);
    await set('root', 'maintenance_banner', { value: null, clusterId });
    expect(await banner(clusterId)).toBe('Back at six');
    expect(await banner(company.b.clusterId)).toBeUndefined();
  });

  it('[S6-14] root alone sets, with values of the right kind', async () => {
    expect((await set('root', 'detections', { value: 'off' })).http).toBe(422);
    expect((await set('root', 'nosuch', { value: true })).http).toBe(404);
    expect((await set('root', 'detections', { value: false, clusterId: 'nosuchtenant' })).http).toBe(404);
    expect((await set('rootViewer', 'detections', { value: false })).http).toBe(403);
    expect((await test.call(listSwitches, as('tenantAdmin'))).http).toBe(403);
  });
});

it('a switch that is off takes a cluster out of what runs, and leaves the others in', async () => {
  const { postgres, clock, log } = test.platform;
  const audit = createAuditService({ postgres, clock, log });
  const switches = createSwitchService({ db: administrationDb(identityDb(postgres)), clock, audit });
  const clusters = [company.a, company.b];
  const caller = { ...(await company.identity.auth.findCaller(ssids.root ?? '')) } as Caller;
  const actor = { caller, source: '192.0.2.1' };
  expect(await switches.among('detections', clusters)).toEqual(clusters);
  await switches.set(actor, 'detections', company.a.clusterId, false);
  expect(await switches.among('detections', clusters)).toEqual([company.b]);
  await switches.set(actor, 'detections', null, false);
  await switches.set(actor, 'detections', company.a.clusterId, true);
  expect(await switches.among('detections', clusters)).toEqual([company.a]);
  expect(await switches.isOn('detections', null)).toBe(false);
  expect(await switches.isOn('retention', company.b.clusterId)).toBe(true);
});

it('[R-E2] switches are read once for all clusters that are asked for at the same time', async () => {
  const { postgres, clock, log } = test.platform;
  const audit = createAuditService({ postgres, clock, log });
  const switches = createSwitchService({ db: administrationDb(identityDb(postgres)), clock, audit });
  const many = Array.from({ length: 40 }, (_, at) => ({ clusterId: `cluster${at}` }));
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await switches.among('detections', many);
  const asked = spy.mock.calls.filter(([given]) => JSON.stringify(given).includes('switch_value'));
  spy.mockRestore();
  expect(asked).toHaveLength(1);
});
