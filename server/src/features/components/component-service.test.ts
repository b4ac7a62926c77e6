import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import {
  codedText,
  forgetComponent,
  listComponents,
  listTenantComponents,
  readComponent,
  readTenantComponent,
  saveComponent,
  saveSmtp,
  saveTenantComponent,
  say,
  sayAll,
  storedText,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { createProcessMetrics } from '../../platform/components/process-metrics.ts';
import type { EngineHealth } from '../../platform/http/health-route.ts';
import { identityDb } from '../identity/identity-tables.ts';
import { administrationDb } from '../identity/tenants/administration-tables.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { componentMail } from './component-mail.ts';
import { createComponentService } from './component-service.ts';
import { detailOf, surveyComponents } from './component-survey.ts';

let test: TestApp;
let company: Company;
const ssids: Partial<Record<SeedRole, string>> = {};
let figures: Record<string, unknown> = {};

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  for (const role of ['root', 'rootViewer', 'tenantAdmin', 'engineer'] as const)
    ssids[role] = await company.signIn(role);
  figures = { cpu_pct: 12, mem_pct: 40, disk_pct: 55, queue: 0, address: '192.0.2.5' };
  await test.platform.components.start('api', () => figures);
  await test.platform.components.start('ingest', () => ({ ...figures, queue: 3, notice: 'name the proxy' }));
});
afterAll(async () => {
  await test?.platform.components.stop();
  await test?.close();
});

const as = (role: SeedRole) => ({ ssid: ssids[role] ?? '' });
const here = (role: string) => `${role}@${os.hostname()}`;
const list = async () => (await test.call(listComponents, as('root'))).data.data;
const settings = {
  display_name: 'Front',
  cpu_limit: 90,
  memory_limit: 90,
  disk_limit: 90,
  events: [] as ('down' | 'degraded' | 'active')[],
  emails: [] as string[],
};
const save = (role: SeedRole, params: { type: string; id: string }, input: object = {}) =>
  test.call(saveComponent, { ...as(role), params, input: { ...settings, ...input } });

describe('components of the platform', () => {
  it('[S2-14][S6-13][S6-14][S2-112] root sees roles and engines with their health', async () => {
    expect((await list()).map((one) => [one.id, one.type, one.state])).toEqual([
      [here('api'), 'core', 'active'],
      [here('ingest'), 'adapter', 'active'],
      ['postgres', 'datanode', 'active'],
      ['clickhouse', 'datanode', 'active'],
    ]);
    expect((await test.call(listComponents, as('rootViewer'))).http).toBe(200);
    expect((await test.call(listComponents, as('tenantAdmin'))).http).toBe(403);
  });

  it('[S2-15] health: figures of the machine, version, when it was heard of', async () => {
    const read = (type: string, id: string) =>
      test.call(readComponent, { ...as('root'), params: { type, id } });
    const { data } = await read('adapter', here('ingest'));
    expect(data).toMatchObject({
      hostname: os.hostname(),
      local_address: '192.0.2.5',
      // Not a fault: what whoever runs the platform should know.
      state: 'active',
      detail: 'name the proxy',
      metrics: { cpu_pct: 12, mem_pct: 40, disk_pct: 55, queue: 3 },
      mail_is_set_up: false,
    });
    expect((await read('core', here('ingest'))).http).toBe(404);
    // What /health no longer tells strangers.
    const engine = (await read('datanode', 'clickhouse')).data;
    expect(engine.services).toEqual(expect.arrayContaining([{ name: 'restarts', value: '0' }]));
    const real = createProcessMetrics(test.platform.dataFolder)();
    for (const value of [real.cpu_pct, real.mem_pct, real.disk_pct]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(100);
    }
  });

  it('[S2-16] configure: a name, and limits from which it counts as degraded', async () => {
    const params = { type: 'core', id: here('api') };
    expect((await save('root', params, { disk_limit: 50 })).http).toBe(200);
    expect((await list())[0]).toMatchObject({
      name: 'Front',
      state: 'degraded',
      detail: 'Disk 55 % of 50 %',
    });
    expect((await save('root', params, { disk_limit: 0 })).http).toBe(422);
    expect((await save('root', params, { emails: ['nobody'] })).http).toBe(422);
    expect((await save('rootViewer', params)).http).toBe(403);
    expect((await save('root', { type: 'core', id: 'nosuch@host' })).http).toBe(404);
    await save('root', params);
  });

  it('a role that does not run any more is taken off the list, a running one is not', async () => {
    const forget = (id: string) =>
      test.call(forgetComponent, { ...as('root'), params: { type: 'core', id } });
    expect((await forget(here('api'))).http).toBe(409);
    await sql`insert into component (id, role, host, process_id, version, state, started_at, heartbeat_at)
      values ('old', 'worker', 'gone-host', 1, '0', 'running', 'epoch', 'epoch')`.execute(
      test.platform.postgres.platform,
    );
    expect((await list()).find((one) => one.hostname === 'gone-host')).toMatchObject({
      state: 'down',
      detail: 'No heartbeat for a minute',
    });
    expect((await forget('worker@gone-host')).http).toBe(200);
    expect((await list()).some((one) => one.hostname === 'gone-host')).toBe(false);
  });
});

describe('components of a tenant', () => {
  const params = () => ({ clusterId: company.a.clusterId });

  it('[S2-48][S6-24] its administrator sees that they work and how much comes in, not where they stand', async () => {
    const now = new Date(test.platform.clock.now());
    // Whole minutes count.
    const came = now.getTime() - 60_000;
    const line = { TimeGenerated: now, IngestedTime: came, Scope: company.a.scope, Stream: 'Dns' };
    const body = Array.from({ length: 600 }, () => JSON.stringify(line)).join('\n');
    await test.platform.eventStore.insertRows(company.a.clusterId, Buffer.from(body), { dedupToken: 'eps' });
    const answer = await test.call(listTenantComponents, { ...as('tenantAdmin'), params: params() });
    expect(answer.data.data.map((one) => [one.id, one.hostname, one.metrics.eps_in])).toEqual([
      ['api', null, null],
      ['ingest', null, 2],
      ['postgres', null, null],
      ['clickhouse', null, null],
    ]);
    expect(answer.text).not.toContain(os.hostname());
    expect(answer.text).not.toContain('192.0.2.5');
    const where = { ...params(), type: 'adapter', id: 'ingest' };
    expect((await test.call(readTenantComponent, { ...as('tenantAdmin'), params: where })).http).toBe(200);
    const input = { events: ['down' as const], emails: ['soc@harbour.example'] };
    const saved = await test.call(saveTenantComponent, { ...as('tenantAdmin'), params: where, input: input });
    expect(saved.http).toBe(200);
    const read = await test.call(readTenantComponent, { ...as('tenantAdmin'), params: where });
    expect(read.data.config).toMatchObject(input);
    // What a tenant sets is nothing of the platform's, nor of another tenant's.
    const ofPlatform = await test.call(readComponent, {
      ...as('root'),
      params: { type: 'adapter', id: here('ingest') },
    });
    expect(ofPlatform.data.config.emails).toEqual([]);
    for (const role of ['engineer', 'root'] as const) {
      expect((await test.call(listTenantComponents, { ...as(role), params: params() })).http).toBe(403);
    }
    const foreign = { clusterId: company.b.clusterId };
    expect((await test.call(listTenantComponents, { ...as('tenantAdmin'), params: foreign })).http).toBe(403);
  });
});

describe('[R-C39] what is said of components', () => {
  const worker = async () => (await list()).find((one) => one.kind === 'worker');
  const health = (engine: Partial<EngineHealth>) => ({
    ...test.platform,
    engineHealth: () => [
      { name: 'postgres', state: 'down', restarts: 1, lastError: null, ...engine } as const,
    ],
  });

  it('by a role itself is told by its code', async () => {
    await test.platform.components.start('worker', () => ({
      notice: storedText(say('components.proxyNotNamed')),
    }));
    expect(await worker()).toMatchObject({
      detail: expect.stringContaining('TYRIAN_TRUSTED_PROXIES names no proxy'),
      messageCode: 'components.proxyNotNamed',
    });
  });

  it.each([
    [{}, say('components.down')],
    [{ state: 'starting' as const }, say('components.starting')],
    [
      { lastError: say('words.engineEnded', { how: 'SIGABRT' }) },
      say('engines.failed', { reason: say('words.engineEnded', { how: 'SIGABRT' }) }),
    ],
    [{ lastError: 'no space left' }, say('engines.failed', { reason: 'no space left' })],
  ])('of an engine that is not up is told by its code: %j', async (engine, said) => {
    const items = await surveyComponents(health(engine), [], []);
    const { message: detail, ...code } = codedText(said);
    expect(items.at(-1)).toMatchObject({ detail, ...code });
  });

  it.each([
    ['fr-FR', 'Front : Dégradé', 'Processeur 95 % sur 90 %, Disque 99 % sur 90 %'],
    ['ru-RU', 'Front: Перегружен', 'Процессор 95 % из 90 %, Диск 99 % из 90 %'],
    ['zh-CN', 'Front：性能下降', 'CPU 95 %，上限 90 %、磁盘 99 %，上限 90 %'],
    ['en-US', 'Front: Degraded', 'CPU 95 % of 90 %, Disk 99 % of 90 %'],
  ] as const)('by mail is in the language of the reader: %s', (locale, state, why) => {
    const over = [
      say('components.cpuOver', { value: 95, limit: 90 }),
      say('components.diskOver', { value: 99, limit: 90 }),
    ];
    const item = { name: 'Front', state: 'degraded' as const, ...detailOf(sayAll(over)) };
    expect(componentMail(item, locale)).toEqual({
      subject: `Tyrian: ${state}`,
      text: `${state}\n\n${why}\n\n— Tyrian\n`,
    });
  });
});

describe('mails about components', () => {
  /** A mail server that keeps what it is given. */
  async function startMailServer() {
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          received.push(Buffer.concat(parts).toString('utf8'));
          done(null);
        });
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return { server, received, port: (server.server.address() as AddressInfo).port };
  }

  it('go once for each change that somebody wants to hear of', async () => {
    const { server, received, port } = await startMailServer();
    await test.call(saveSmtp, {
      ...as('root'),
      input: { host: '127.0.0.1', port, security: 'none', from_address: 'console@harbour.example' },
    });
    const { audit, mail } = company.identity;
    let mayMail = false;
    const components = createComponentService({
      platform: test.platform,
      db: administrationDb(identityDb(test.platform.postgres)),
      audit,
      mail,
      mayMail: async () => mayMail,
    });
    const events = ['degraded', 'active'] as const;
    const input = { events: [...events], emails: ['ops@harbour.example'] };
    await save('root', { type: 'core', id: here('api') }, input);
    expect(await components.tell()).toBe(0);
    mayMail = true;
    await save('root', { type: 'core', id: here('api') }, { ...input, cpu_limit: 10 });
    expect(await Promise.all([components.tell(), components.tell()]).then(([a, b]) => a + b)).toBe(1);
    expect(received.at(-1)).toContain('Subject: Tyrian: Front: Degraded');
    expect(received.at(-1)).toContain('CPU 12 % of 10 %');
    expect(await components.tell()).toBe(0);
    await save('root', { type: 'core', id: here('api') }, input);
    expect(await components.tell()).toBe(1);
    expect(received.at(-1)).toContain('Front: Active');
    // [R-C39] Who has an account reads it in the language of the account; an address of nobody's is written to in English.
    await sql`update person set locale = 'fr-FR' where email = ${company.emailOf('tenantAdmin')}`.execute(
      test.platform.postgres.platform,
    );
    const both = { ...input, emails: [...input.emails, company.emailOf('tenantAdmin')], cpu_limit: 10 };
    await save('root', { type: 'core', id: here('api') }, both);
    const before = received.length;
    expect(await components.tell()).toBe(2);
    const textTo = (address: string) =>
      received.slice(before).find((mail) => mail.includes(`To: ${address}`));
    expect(textTo('ops@harbour.example')).toContain('CPU 12 % of 10 %');
    expect(textTo(company.emailOf('tenantAdmin'))).toContain('Processeur 12 % sur 10 %');
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
